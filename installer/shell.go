package installer

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
)

// A desktop and a login service have not read what a person has written into the files of their shell, and some programs are
// found by that alone. So where a program is in none of the places that package managers use, setup asks the shell.

// shellTime is how long a shell has to say its PATH.
const shellTime = 10 * time.Second

// ownShell is the PATH of the shell of who runs this program, asked once.
var ownShell = sync.OnceValue(func() string { return askShell(context.Background(), os.Environ()) })

// locate finds an agent program as the engine does, and else by the person's own shell. command is its path where only the shell
// knows it: that has to be kept in the configuration.
func locate(name string, environ []string, shell func() string) (located agent.Located, command string, err error) {
	located, err = agent.Locate(name, environ, nil)
	if located.Path != "" || !isNotFound(err) {
		return located, "", err
	}
	path, _ := agent.Find(name, map[string]string{"PATH": shell()}, "")
	if !filepath.IsAbs(path) {
		return located, "", err
	}
	located, err = agent.Locate(path, environ, nil) // its interpreter has to be found without the shell
	return located, path, err
}

func isNotFound(err error) bool {
	_, missing := errors.AsType[*agent.NotFound](err)
	return missing
}

// programOf is what a choice starts: the path that the configuration names for this role and runner, or the name.
func (p Plan) programOf(r Role) string {
	own, _ := p.Present.Config.Agent(r.Role)
	if own.Runner == r.Agent && len(own.Command) > 0 {
		return own.Command[0]
	}
	return r.Agent
}

// keepPath fills in where the program of an agent is, if only the person's shell knows.
func keepPath(a config.Agent) config.Agent {
	if !slices.Contains(Runners, a.Runner) {
		return a
	}
	if _, command, err := locate(a.Runner, os.Environ(), ownShell); err == nil && command != "" {
		a.Command = []string{command}
	}
	return a
}

// askShell returns the PATH of the shell that environ names, as it has it after a log-in, or nothing. It has no
// terminal: a command in the shell's files that asks a question fails, and their output is left out.
func askShell(ctx context.Context, environ []string) string {
	shell, mark := valueOf(environ, "SHELL"), "vault-dispatcher-"+rand.Text()
	if !filepath.IsAbs(shell) {
		return ""
	}
	folder, err := os.MkdirTemp("", "vault-dispatcher-") // the shell runs no hooks of a project's folder here
	if err != nil {
		return ""
	}
	defer os.RemoveAll(folder)
	own := map[string]string{"TERM": "dumb"}
	for _, name := range []string{"HOME", "PATH"} {
		if value := valueOf(environ, name); value != "" {
			own[name] = value
		}
	}
	script := "echo " + mark + "; printenv PATH; echo " + mark
	said, _ := agent.Program{Path: shell, Args: []string{shellOptions(shell), script}, Dir: folder, Env: own, Timeout: shellTime, Limit: 1 << 20}.Run(ctx)
	parts := strings.Split(string(said.Output), mark)
	if len(parts) < 3 {
		return ""
	}
	lines := strings.Fields(strings.ReplaceAll(parts[len(parts)-2], " ", "\x00")) // a folder may have a space in its name
	if len(lines) == 0 {
		return ""
	}
	return strings.ReplaceAll(lines[len(lines)-1], "\x00", " ")
}

// shellOptions have a shell read the files of a log-in and of a terminal, and run a line. The C shells take -l alone, and read
// the file of a terminal in any case (https://man.archlinux.org/man/tcsh.1); the others take all three, fish among them
// (https://fishshell.com/docs/current/cmds/fish.html).
func shellOptions(shell string) string {
	if slices.Contains([]string{"csh", "tcsh"}, filepath.Base(shell)) {
		return "-ic"
	}
	return "-ilc"
}

// valueOf is a variable of an environment; "" = it is not set.
func valueOf(environ []string, name string) (value string) {
	for _, entry := range environ {
		if key, v, ok := strings.Cut(entry, "="); ok && key == name {
			value = v
		}
	}
	return value
}
