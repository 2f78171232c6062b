package vault

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

// A line counts only if it is new in what was saved here, below a comment; then until something else comes.
func TestLinesThatDecide(t *testing.T) {
	type look struct {
		source   source
		standing int
		found    string // each with its comment and its word, as "a yes"
		want     string // those that decide, and with - those that never will
	}
	for name, looks := range map[string][]look{
		"typed":                               {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}},
		"settles, and the engine looks again": {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}, {untold, 1, "a yes", "a yes"}},
		"found before the watcher tells":      {{saved, 0, "", ""}, {untold, 1, "a yes", ""}, {saved, 1, "a yes", "a yes"}},
		"found before it is brought":          {{saved, 0, "", ""}, {untold, 1, "a yes", ""}, {foreign, 1, "a yes", "-"}, {saved, 1, "a yes", "-"}},
		"brought":                             {{saved, 0, "", ""}, {foreign, 1, "a yes", "-"}, {saved, 1, "a yes", "-"}},
		"typed, and something is brought":     {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}, {foreign, 1, "a yes", "-"}, {saved, 1, "a yes", "-"}},
		"there when the note is first seen":   {{saved, 1, "a yes", "-"}, {saved, 1, "a yes", "-"}},
		"first seen before it is told":        {{untold, 1, "a yes", ""}, {saved, 1, "a yes", "-"}},
		"an old one below another":            {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}, {saved, 1, "", ""}, {saved, 1, "b yes", "-"}},
		"an old one at once below another":    {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}, {saved, 1, "b yes", "-"}},
		"deleted, and typed anew":             {{saved, 1, "a yes", "-"}, {saved, 0, "", ""}, {saved, 1, "b yes", "b yes"}},
		"a second beside an old one":          {{saved, 1, "", ""}, {saved, 2, "b yes", "b yes"}},
		"two with one old":                    {{saved, 1, "", ""}, {saved, 2, "a yes,b yes", "-,-"}},
		"two at once":                         {{saved, 0, "", ""}, {saved, 2, "a yes,b no", "a yes,b no"}},
		"below nothing that is shown":         {{saved, 0, "", ""}, {saved, 1, " yes", "-"}},
		"changed":                             {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}, {saved, 1, "a no", "a no"}},
		"changed, not told of yet":            {{saved, 0, "", ""}, {saved, 1, "a yes", "a yes"}, {untold, 1, "a no", ""}, {foreign, 1, "a no", "-"}},
	} {
		var l *decidingLines
		for i, look := range looks {
			var found []Decision
			for one := range strings.SplitSeq(look.found, ",") {
				if shown, word, is := strings.Cut(one, " "); is {
					found = append(found, Decision{key: "Miner", settled: true, Shown: shown, Word: word})
				}
			}
			var all []string
			l, found = l.judge(look.source, decidingLines{standing: map[note.Key]int{"Miner": look.standing}, typed: map[string]string{}}, found)
			for _, d := range found {
				if d.Shown == "" {
					all = append(all, "-")
				} else {
					all = append(all, d.Shown+" "+d.Word)
				}
			}
			if got := strings.Join(all, ","); got != look.want {
				t.Errorf("%s: look %d has %q, want %q", name, i, got, look.want)
			}
		}
	}
}

// What is read may be younger than what the watcher told of: a sync program can replace a note right behind a person's save.
func TestWhatIsReadMayBeYounger(t *testing.T) {
	v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.makeParts(t.TempDir())
	close(v.Opened)
	file := filepath.Join(v.Root, "n.md")
	if err := os.WriteFile(file, []byte("typed"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := disk.Inspect(file)
	if err != nil || !isAsTold(v.Root, Save{Rel: "n.md", stamp: e.Stamp}) {
		t.Errorf("the saved note is not as told: %v", err)
	}
	if err := os.WriteFile(file, []byte("brought"), 0o600); err != nil {
		t.Fatal(err)
	}
	if isAsTold(v.Root, Save{Rel: "n.md", stamp: e.Stamp}) {
		t.Error("the note that is read is taken for the saved one")
	}
}

// Where the engine replaces what nobody has looked at, and what was not saved here, what comes of it was not saved here either.
func TestWhatTheEngineReplaces(t *testing.T) {
	old, base, other := time.Now().Add(-time.Minute), [32]byte{1}, [32]byte{2}
	w, err := watch.New(watch.Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		base   [32]byte
		saved  time.Time
		brings bool
		want   bool // the next look is at what was saved here
	}{
		"what was looked at":      {base, old, false, true},
		"what a person has saved": {other, time.Now(), false, true},
		"what was brought":        {other, old, false, false},
		"by another version":      {base, old, true, false},
		"a save, by another one":  {other, time.Now(), true, false},
	} {
		opts := Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}
		opts.Config.Approve.InNote = true
		v := New(opts, quietPort())
		v.makeParts(t.TempDir())
		v.Watcher = w
		close(v.Opened)
		file := filepath.Join(v.Root, "n.md")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, c.saved, c.saved); err != nil {
			t.Fatal(err)
		}
		v.notes.Edit("n.md", func(n *noteState) {
			n.deciding, _ = n.deciding.judge(saved, decidingLines{sum: base}, nil)
			n.deciding, _ = n.deciding.judge(untold, decidingLines{sum: other}, nil) // as a note app tells of it, before the watcher does
		})
		(&Set{v}).WillReplace(v.Root, file, c.base, c.brings)
		e, err := disk.Inspect(file)
		if err != nil {
			t.Fatal(err)
		}
		v.debounce.Add(watch.Event{Path: "n.md", Stamp: e.Stamp, Saved: true})
		ctx, stop := context.WithCancel(t.Context())
		_ = v.debounce.Run(ctx, func(ev watch.Event) {
			if stop(); ev.Saved != c.want {
				t.Errorf("%s: saved %v", name, ev.Saved)
			}
		})
	}
}

// Where no line of a note decides, an answer is written without waiting for a look at a note; nor does the watcher wait for one.
func TestNobodyWaitsForALook(t *testing.T) {
	v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.makeParts(t.TempDir())
	close(v.Opened)
	v.mu.Lock()
	defer v.mu.Unlock()
	for name, do := range map[string]func(){
		"an answer":   func() { (&Set{v}).WillReplace(v.Root, filepath.Join(v.Root, "n.md"), [32]byte{}, true) },
		"the watcher": func() { v.handleEvent(watch.Event{Path: "n.md", Kind: watch.Removed, Via: watch.ViaNative}) },
	} {
		ended := make(chan bool)
		go func() { do(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits for the look", name)
		}
	}
}
