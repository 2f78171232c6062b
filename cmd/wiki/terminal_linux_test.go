package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"vaultdispatcher/cmd/wiki/command"
)

// asking is a program that asks at the terminal, as an agent does that does not know its folder yet; fails is what the kernel
// tells it where there is none.
const (
	asking = `exec 3<>/dev/tty || exit 7; printf "Do you trust the files in this folder? (y/n) " >&3; read answer <&3; echo yes`
	fails  = "No such device or address"
)

// Neither a test of an agent nor an engine in a terminal lends it to an agent: that is told so at once, and so is the person.
func TestAgentHasNoTerminal(t *testing.T) {
	home := newHome(t, "Notes")
	file := filepath.Join(home, "wiki.yaml")
	text := "wiki:\n  vaults: [" + filepath.Join(home, "Notes") + "]\n  agents:\n    Asker: {runner: command, command: [sh, -c, '" + asking + "'], timeout: 30m}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	test := onScreen(t, home, "agents", "test", "Asker", "--config", file)
	test.sees(fails)
	test.ends(command.ExitFailed)

	engine := onScreen(t, home, "run", "--config", file)
	engine.sees("watching")
	if err := os.WriteFile(filepath.Join(home, "Notes", "n.md"), []byte("> @agent-Asker what is it?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	engine.sees(fails)
	engine.types("\x03")
	engine.ends(command.ExitOK)
}

// What went wrong is red on a terminal, and not where a person has turned colours off.
func TestErrorIsRed(t *testing.T) {
	const red = "\x1b[31mwiki:\x1b[0m"
	for variable, isRed := range map[string]bool{"NO_COLOR=": true, "NO_COLOR=1": false, "TERM=dumb": false} {
		s := onScreenOf(t, newHome(t), unix.Winsize{Row: 24, Col: 80}, variable, "statsu")
		s.sees("did you mean")
		s.ends(command.ExitUsage)
		s.mu.Lock()
		text := s.text.String()
		s.mu.Unlock()
		if strings.Contains(text, red) != isRed {
			t.Errorf("%s: %q", variable, text)
		}
	}
}
