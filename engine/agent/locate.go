package agent

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Located is a program as it would be started.
type Located struct {
	Path        string
	Interpreter string // what env finds for a script, such as a node; empty for other programs
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
	if name := readInterpreter(path); name != "" {
		if found.Interpreter, err = lookPath(name, env, ""); err != nil {
			return found, fmt.Errorf("the interpreter of %s: %w", filepath.Base(path), &NotFound{Program: name})
		}
	}
	return found, nil
}

// readInterpreter is the program that a script asks env for.
func readInterpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 256).ReadString('\n') // a program that is none has no such line
	rest, ok := strings.CutPrefix(line, "#!")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 2 || filepath.Base(fields[0]) != "env" {
		return ""
	}
	for _, field := range fields[1:] {
		if !strings.HasPrefix(field, "-") && !strings.Contains(field, "=") {
			return field
		}
	}
	return ""
}
