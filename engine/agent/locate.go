package agent

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"vaultdispatcher/engine/agent/sandbox"
)

// Located is a program as it would be started.
type Located struct {
	Path        string
	Interpreter string // the program that env finds for a script, such as node; empty for other programs
}

// Locate is [Find] with the environment of another process, such as a login
// service. It also looks up the interpreter of a script that leaves that to env; a
// script without one is not found either, and Path says which it is.
func Locate(program string, own []string, extra map[string]string) (Located, error) {
	env, path, err := environmentOf(program, own, extra, "")
	if errors.Is(err, exec.ErrNotFound) {
		return Located{}, &NotFound{Program: program}
	}
	if err != nil {
		return Located{}, err
	}
	found := Located{Path: path}
	if name, byEnv := sandbox.ReadInterpreter(path); byEnv {
		if found.Interpreter, err = lookPath(name, env, ""); err != nil {
			return found, fmt.Errorf("the interpreter of %s: %w", filepath.Base(path), &NotFound{Program: name})
		}
	}
	return found, nil
}
