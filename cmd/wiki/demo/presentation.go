package demo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config"
)

// The note that has the Broadcaster make something, and what it asks for.
const (
	orderNote = "Inbox/For the new barista.md"
	order     = "> @agent-Broadcaster briefing of Meetings/"
)

func (d *demonstration) orderPresentation() error {
	file := filepath.Join(d.vault, filepath.FromSlash(orderNote))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", orderNote, err)
	}
	if err := os.WriteFile(file, []byte(order+"\n"), 0o644); err != nil {
		return fmt.Errorf("save %s: %w", orderNote, err)
	}
	d.say("saved %q, which asks: %s", orderNote, strings.TrimPrefix(order, "> "))
	return nil
}

// presentation is what was made, as `wiki demo --json` prints it.
type presentation struct {
	File string `json:"presentation"`
	Line string `json:"line"` // the first thing it says
}

// showPresentation says where the presentation is, and one line of it.
func (d *demonstration) showPresentation() error {
	folder := filepath.Join(d.vault, filepath.FromSlash(config.Default().Broadcast.Folder))
	made, err := os.ReadDir(folder)
	if err != nil || len(made) != 1 {
		return errors.Join(fmt.Errorf("%d presentations are in %s", len(made), folder), err)
	}
	file := filepath.Join(folder, made[0].Name())
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the presentation: %w", err)
	}
	p := presentation{File: file, Line: firstPoint(string(text))}
	return d.Show(p, func(w io.Writer) {
		printable.Fprintf(w, "\nmade %s, of sentences of the notes, each with its source:\n\n%s\n", p.File, p.Line)
	})
}

// firstPoint is the first entry of the first list behind the front matter.
func firstPoint(text string) string {
	_, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "- ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
