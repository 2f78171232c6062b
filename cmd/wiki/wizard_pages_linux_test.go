package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Each page with the answers Yes and No shows both, and all that is to be read before, on every usual terminal.
func TestWizardPagesFit(t *testing.T) {
	for _, size := range []unix.Winsize{{Row: 20, Col: 60}, {Row: 24, Col: 80}, {Row: 50, Col: 120}} {
		t.Run(fmt.Sprintf("%dx%d", size.Col, size.Row), func(t *testing.T) {
			t.Parallel()
			port, err := freePort()
			if err != nil {
				t.Fatal(err)
			}
			home := newHome(t, "Notes/.obsidian")
			s := onScreenOf(t, home, size, fmt.Sprintf("WIKI_HTTPPORT=%d", port), "setup")
			s.displays("Which folder holds your notes")
			s.types("~\r")
			s.displays("Watch it anyway?", "Yes", "No")
			s.types("y")
			s.displays("Who answers your questions?")
			s.types("\r")
			s.displays("by words and links only")
			s.types("\r")
			s.displays("Start the engine now and at each login?", "Installs a login service", "Yes", "No")
			s.types("y")
			s.displays("Show an icon in the panel", "wiki-tray", "Yes", "No")
			s.types("y")
			s.displays("Copy the line for your note app?", "It replaces what", " notify", "Yes", "No")
			s.types("y")
			s.displays("Write this and see a first answer?", "notes  ", "answers  ", "meaning  ", "port  ", "file  ", "service  ", "tray  ", "clipboard  ", "Yes", "No")
			s.types("\x1b[Z")
			s.displays("Copy the line for your note app?", "Yes", "No")
			s.types("n")
			s.displays("Write this and see a first answer?", "tray  ", "Yes", "No")
			s.types("\x03")
			s.ends(1)
			if _, err := os.Stat(filepath.Join(home, ".vault-mind")); err == nil {
				t.Error("the folder that was judged is not as it was")
			}
		})
	}
}

// Where a folder may not have been meant, nothing else is asked before that is clear.
func TestWizardStaysWhileInDoubt(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s := onScreenOf(t, newHome(t, "Notes"), unix.Winsize{Row: 24, Col: 80}, fmt.Sprintf("WIKI_HTTPPORT=%d", port), "setup", "--no-service")
	s.displays("Which folder holds your notes")
	s.types("~\r")
	s.displays("Watch it anyway?", "would be a note", "Yes", "No")
	s.types("n")
	s.displays("Watch it anyway?", "then name another folder: shift+tab")
	s.types("\x1b[Z")
	s.displays("Which folder holds your notes")
	s.types("/Notes\r")
	s.displays("Who answers your questions?")
	s.types("\x03")
	s.ends(1)
	if strings.Contains(s.shown(), "Write this") {
		t.Error("it was asked whether to write")
	}
}

func TestWizardStaysWhileInDoubtLineByLine(t *testing.T) {
	home := newHome(t, "Notes")
	if err := os.WriteFile(filepath.Join(home, "Notes", "a.md"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := onScreen(t, home, "setup", "--no-service", "--plain")
	s.sees("Which folder holds your notes")
	s.types("~\n")
	s.sees("your whole home folder")
	s.sees("Watch it anyway?")
	s.types("n\n")
	s.sees("then name another folder")
	s.sees("Which folder holds your notes")
	s.types("~/Notes\n")
	s.sees("Who answers your questions?")
	s.types("\x03")
	s.ends(1)
}

// The list of folders says which key selects, and has no key that a path begins with.
func TestWizardListOfFolders(t *testing.T) {
	home := newHome(t, "Notes", "Work", ".config/obsidian")
	registry := fmt.Sprintf(`{"vaults": {"1": {"path": %q, "open": true}, "2": {"path": %q}}}`, filepath.Join(home, "Notes"), filepath.Join(home, "Work"))
	if err := os.WriteFile(filepath.Join(home, ".config/obsidian/obsidian.json"), []byte(registry), 0o600); err != nil {
		t.Fatal(err)
	}
	s := onScreen(t, home, "setup", "--no-service")
	s.displays("Which folders hold your notes?", "~/Notes", "~/Work", "space select")
	s.types("/Work\r")
	s.displays("Another folder of notes")
	if strings.Contains(s.shown(), "filter") {
		t.Error("a filter is offered")
	}
	s.types("\x03")
	s.ends(1)
}
