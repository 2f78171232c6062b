// Package settings is what `wiki config` shows and does, apart from the command line: the rows of
// the list, what a refused value is told as, and a person's editor on a copy of the file.
//
//	rows := settings.List(cfg)
//	settings.PrintList(os.Stdout, rows)
package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/reference"
	"vaultdispatcher/installer"
)

// Row is a key with its value and what is known of it.
type Row struct {
	reference.Value
	Default      string `json:"default"`
	Type         string `json:"type,omitempty"`
	Text         string `json:"text,omitempty"`
	Example      string `json:"example,omitempty"`
	FirstVersion string `json:"since,omitempty"`
	Variable     string `json:"variable,omitempty"` // of the environment, where it gives the value
}

// List returns every key with its value, each role by itself.
func List(c config.Config) []Row {
	known := make(map[string]reference.Key)
	for _, k := range reference.Keys() {
		known[k.Key] = k
	}
	var rows []Row
	for _, v := range reference.Values(c) {
		k := known[v.Key]
		r := Row{Value: v, Default: k.Default, Type: k.Type, Text: k.Text, Example: k.Example, FirstVersion: k.FirstVersion}
		if os.Getenv(k.Variable) != "" && k.Variable != "" {
			r.Variable = k.Variable
		}
		rows = append(rows, r)
	}
	return rows
}

// Changed returns the rows whose value is not the default.
func Changed(rows []Row) []Row {
	var some []Row
	for _, r := range rows {
		if r.Changed {
			some = append(some, r)
		}
	}
	return some
}

// PrintList prints rows, and beside what was changed the default.
func PrintList(w io.Writer, rows []Row) {
	if len(rows) == 0 {
		printable.Fprintln(w, "everything is as it comes; wiki config list shows it")
	}
	for _, r := range rows {
		line := fmt.Sprintf("%-32s %s", r.Key, r.Value.Value)
		if r.Changed && r.Default != "" {
			line += "   (default: " + r.Default + ")"
		}
		if r.Variable != "" {
			line += "   (from " + r.Variable + ")"
		}
		printable.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// PrintWarnings prints what a person has to know of a configuration, and of one key of it, if any.
func PrintWarnings(w io.Writer, c config.Config, key string) {
	for _, warning := range c.Warnings {
		printable.Fprintf(w, "wiki: %s\n", warning)
	}
	for _, r := range List(c) {
		if r.Key == key && r.Variable != "" {
			printable.Fprintf(w, "wiki: the variable %s wins over the file here\n", r.Variable)
		}
	}
}

// PrintWritten prints what became of the file, and of one key of it, if any.
func PrintWritten(w io.Writer, done installer.Written, key string) {
	value, err := reference.Show(done.Config, key)
	switch {
	case !done.Changed:
		printable.Fprintf(w, "nothing to change in %s\n", done.File)
	case err != nil: // no key, or a role that was taken out
		printable.Fprintf(w, "changed: %s\n", done.File)
	default:
		printable.Fprintf(w, "%s is now %s\n", key, value)
	}
	if done.Backup != "" {
		printable.Fprintf(w, "what was there before: %s\n", done.Backup)
	}
}

// Refusal says why a value is refused, without the line of a file that was never written.
func Refusal(err error) error {
	found, ok := errors.AsType[config.Problems](err)
	if !ok {
		return err
	}
	lines := make([]string, len(found))
	for i, p := range found {
		lines[i] = config.Problem{Key: p.Key, Text: p.Text}.Error()
	}
	return errors.New(strings.Join(lines, "\n"))
}

// firstText is what an editor begins with where there is no file.
const firstText = "# Every key: wiki config list, or man 5 wiki-config\nwiki:\n  # vaults: [~/Notes]\n"

// Edit opens a person's editor on a copy of a text and returns the edited text. The copy is kept until discard is
// called, so that no typed word is lost when the text is refused.
func Edit(ctx context.Context, text []byte) (edited []byte, copied string, discard func(), err error) {
	if len(text) == 0 {
		text = []byte(firstText)
	}
	dir, err := os.MkdirTemp("", "wiki-config-")
	if err != nil {
		return nil, "", nil, fmt.Errorf("make a folder for the copy: %w", err)
	}
	discard = func() { os.RemoveAll(dir) }
	copied = filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		return nil, copied, discard, fmt.Errorf("write the copy: %w", err)
	}
	line := append(editorLine(), copied)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, copied, discard, fmt.Errorf("the editor %s: %w", line[0], err)
	}
	edited, err = os.ReadFile(copied)
	return edited, copied, discard, err
}

// editorLine is the person's editor with its arguments, as other programs find it:
// https://manpages.debian.org/sensible-editor
func editorLine() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if line := strings.Fields(os.Getenv(name)); len(line) > 0 {
			return line
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}
