package service

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/files"
)

// Spec is what is installed.
type Spec struct {
	Name       string            `json:"name"`    // of the entry, such as vault-dispatcher
	Title      string            `json:"title"`   // shown to people
	Program    string            `json:"program"` // absolute
	Args       []string          `json:"args"`    // that make Program the engine
	Supervisor []string          `json:"-"`       // that make it call [Supervise] with the file that follows
	Env        map[string]string `json:"env"`     // variables that the engine needs beside the login's own
	Final      []int             `json:"final"`   // exit statuses after which another start mends nothing
	Dir        string            `json:"-"`       // absolute; for what the supervisor needs, in the state folder
	Account    *Account          `json:"-"`       // makes it a service of Windows' own; other systems have none
}

// Account is whose a service of Windows' own is. Windows keeps the password.
type Account struct{ Name, Password string }

// checkFields refuses what is no service at all.
func (s Spec) checkFields() error {
	if s.Name == "" || strings.Trim(s.Name, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return fmt.Errorf("%q is no name for a service", s.Name)
	}
	if !filepath.IsAbs(s.Program) || !filepath.IsAbs(s.Dir) {
		return fmt.Errorf("the paths %q and %q must be absolute", s.Program, s.Dir)
	}
	return nil
}

// checkWords refuses what no entry could say. Every format we write is UTF-8. An entry
// that is there can be looked at and taken away all the same.
func (s Spec) checkWords() error {
	for _, word := range append([]string{s.Title, s.Program, s.Dir}, slices.Concat(s.Args, s.Supervisor)...) {
		if hasControls(word) {
			return fmt.Errorf("%q cannot stand in the entry of a login service", word)
		}
	}
	for name, value := range s.Env {
		if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return fmt.Errorf("%q is no name for a variable", name)
		}
		if hasControls(value) {
			return fmt.Errorf("the variable %s, which is %q, cannot stand in the entry of a login service", name, value)
		}
	}
	return nil
}

func hasControls(word string) bool {
	return !utf8.ValidString(word) || strings.ContainsFunc(word, isUnwritable)
}

func (s Spec) settingsFile() string { return filepath.Join(s.Dir, "settings.json") }

// supervisorCommand is the command that supervises the engine.
func (s Spec) supervisorCommand() []string {
	return append(append([]string{s.Program}, s.Supervisor...), s.settingsFile())
}

// saveSettings writes the settings of the supervisor. Only the user may read them, because they hold the user's PATH.
func (s Spec) saveSettings() error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(s.settingsFile(), append(text, '\n'), 0o600)
}

// isUnwritable reports whether one of the formats has no way to write r: lines cannot
// hold control characters, and XML not the two that are no characters.
func isUnwritable(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff }
