package main

import (
	"os"
	"path/filepath"
	"testing"

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
