package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/wording"
)

// playStory saves the note with the questions, tells what happens to them and prints
// the note before and after.
func (d *demonstration) playStory(ctx context.Context, client *client.Client) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	name, before := assets.DemoNote()
	path := filepath.Join(d.vault, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the demonstration's note: %w", err)
	}
	notes, err := d.countNotes(ctx, client)
	if err != nil {
		return err
	}
	d.say("a vault of %d notes is watched: %s", notes, d.vault)
	if err := os.WriteFile(path, before, 0o644); err != nil {
		return fmt.Errorf("save the demonstration's note: %w", err)
	}
	d.say("saved %q with its questions; each waits until its line has settled", name)
	if err := d.orderPresentation(); err != nil {
		return err
	}
	if err := d.followDispatches(ctx, client, name, orderNote); err != nil {
		return err
	}
	after, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the demonstration's note: %w", err)
	}
	d.say("answered; this is what changed in the note:")
	if err := d.showChanges(name, before, after); err != nil {
		return err
	}
	return d.showPresentation()
}

// outcome is what `wiki demo --json` prints of the note.
type outcome struct {
	Vault string `json:"vault"`
	Port  int    `json:"port"`
	Note  string `json:"note"` // in the vault, with slashes
	Old   string `json:"before"`
	New   string `json:"after"`
	Diff  string `json:"diff"`
}

// showChanges shows the note before and after.
func (d *demonstration) showChanges(name string, before, after []byte) error {
	changes := diff.Diff("before/"+name, before, "after/"+name, after)
	o := outcome{Vault: d.vault, Port: d.port, Note: name, Old: string(before), New: string(after), Diff: string(changes)}
	return d.Show(o, func(w io.Writer) {
		fmt.Fprintln(w)
		printDiff(w, changes)
	})
}

// countNotes waits until the vault has been read and counts its notes.
func (d *demonstration) countNotes(ctx context.Context, client *client.Client) (n int, err error) {
	err = d.pollUntil(ctx, func() bool {
		s, err := client.Status(ctx)
		if err != nil || len(s.Vaults) == 0 || slices.ContainsFunc(s.Vaults, func(v api.Vault) bool { return v.State == "indexing" }) {
			return false
		}
		n = s.Vaults[0].Notes
		return true
	})
	return n, err
}

// followDispatches tells every step of every dispatch until all have ended, and these notes have one.
func (d *demonstration) followDispatches(ctx context.Context, client *client.Client, notes ...string) error {
	var failed error
	err := d.pollUntil(ctx, func() bool {
		s, err := client.Status(ctx)
		if err != nil {
			return false
		}
		var news []event
		for _, r := range s.Dispatches {
			detail, err := client.Dispatch(ctx, r.ID)
			if err != nil {
				return false
			}
			news = append(news, d.newSteps(detail)...)
			if r.Status == "failed" {
				failed = fmt.Errorf("%s: %s", r.Key, r.Error)
			}
		}
		slices.SortStableFunc(news, func(a, b event) int { return a.time.Compare(b.time) })
		for _, e := range news {
			d.sayAt(e.time, "%s", e.text)
		}
		q := s.Queue
		asked := !slices.ContainsFunc(notes, func(name string) bool {
			return !slices.ContainsFunc(s.Dispatches, func(one api.Dispatch) bool { return one.File == name })
		})
		return asked && q.Settling+q.Queued+q.Processing == 0
	})
	return errors.Join(failed, err)
}

// event is one line of the demonstration.
type event struct {
	time time.Time
	text string
}

// newSteps returns the steps of a dispatch that have not been told yet.
func (d *demonstration) newSteps(detail api.Detail) (events []event) {
	for _, step := range detail.Steps[d.shown[detail.ID]:] {
		lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(detail.Lines), " ", ", "), "[]")
		events = append(events, event{step.At, fmt.Sprintf("%s, line %s: %s", detail.Key, lines, wording.Step(step.Step, step.Detail))})
	}
	d.shown[detail.ID] = len(detail.Steps)
	return events
}

// pollUntil calls done until it is true. It also ends when the reader of the story has left.
func (d *demonstration) pollUntil(ctx context.Context, done func() bool) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		if err := d.Stdout.Err(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return errSlow
			}
			return fmt.Errorf("wait for the demonstration: %w", ctx.Err())
		case <-tick.C:
		}
	}
	return d.Stdout.Err()
}

func (d *demonstration) say(format string, args ...any) { d.sayAt(time.Now(), format, args...) }

// sayAt prints one event with the seconds since the start.
func (d *demonstration) sayAt(at time.Time, format string, args ...any) {
	seconds, text := max(at.Sub(d.start).Seconds(), 0), printable.Sprintf(format, args...)
	_ = d.Show(map[string]any{"seconds": seconds, "event": text}, func(w io.Writer) {
		printable.Fprintf(w, "%6.2f s  %s\n", seconds, printable.Text(text))
	})
}

// printDiff writes a diff, coloured on a terminal.
func printDiff(w io.Writer, text []byte) {
	for line := range strings.Lines(printable.Sprintf("%s", printable.Text(text))) {
		switch {
		case strings.HasPrefix(line, "+"):
			line = printable.Paint(w, printable.Green, line)
		case strings.HasPrefix(line, "-"):
			line = printable.Paint(w, printable.Red, line)
		}
		fmt.Fprint(w, line)
	}
}

// invitation says how to go on by oneself.
type invitation struct {
	Note   string `json:"note"`   // any note of the vault will do
	Line   string `json:"line"`   // the text to write into it
	Status string `json:"status"` // an address to look at

	Dashboard string `json:"dashboard"` // a link that works once

	End string `json:"end"`
}

// nextStep is what makes it work on notes of one's own.
const nextStep = "wiki setup"

func (d *demonstration) printNext() error {
	return d.Show(map[string]string{"next": nextStep}, func(w io.Writer) {
		printable.Fprintf(w, "\nNext: %s chooses the folder of your notes; wiki demo --keep lets you try it here.\n", nextStep)
	})
}

func (d *demonstration) printInvitation(ctx context.Context, engine *client.Client) error {
	link, err := engine.Link(ctx)
	if err != nil {
		return fmt.Errorf("make a link to the dashboard: %w", err)
	}
	in := invitation{
		Dashboard: link.URL,
		Note:      filepath.Join(d.vault, "Home.md"),
		Line:      "> @agent-Miner when is the harbour market?",
		Status:    fmt.Sprintf("http://127.0.0.1:%d/vault-mind/status", d.port),
		End:       "Ctrl-C",
	}
	return d.Show(map[string]invitation{"invitation": in}, func(w io.Writer) {
		printable.Fprintf(w, "\nThe engine goes on; %s ends it, and the folder stays.\n"+
			"Try it: write a line like this into any note and save,\n\n    echo '%s' >> %q\n\n"+
			"and see the dashboard; this link works once, within five minutes:\n\n    %s\n\n"+
			"Next: %s chooses the folder of your notes.\n",
			in.End, in.Line, in.Note, in.Dashboard, nextStep)
	})
}
