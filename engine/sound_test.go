package engine

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/broadcast"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
)

// A sound that cannot be made is told to a person, who is no reader of the log.
func TestSoundThatFailsIsTold(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "vault")
	shelf := filepath.Join(root, "Agent", "Presentations")
	if err := os.MkdirAll(shelf, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shelf, "x-audio.md"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	desk := broadcast.NewDesk(broadcast.DeskOptions{Folder: "Agent/Presentations", State: filepath.Join(dir, "state", "speech"), Log: slog.New(slog.DiscardHandler)})
	job := speech.Job{Root: root, Note: "Agent/Presentations/x-audio.md", ID: "d1", Script: speech.Script{Turns: []speech.Turn{{Text: "One."}}}, Tries: 5}
	if err := desk.Add(job); err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, nil, func(c *config.Config) { c.Broadcast.Engine = "none" })
	const want = "Agent/Presentations/x-audio.md of v is not read aloud: there is no voice on this machine: wiki.broadcast.speech.engine is none; "
	for !strings.Contains(textsOf(r.Notices()), want) {
		r.pause()
	}
	if got := r.sound.Of("d1"); !strings.HasPrefix(got, "not read aloud: there is no voice") {
		t.Errorf("of the dispatch is told %q", got)
	}
}
