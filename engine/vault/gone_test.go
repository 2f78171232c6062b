package vault

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/watch"
)

// What is known of a note ends with it, but not because its drive was taken out.
func TestLookAtANoteThatIsGone(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	v := New(Options{Config: config.Config{Settle: time.Second, Untrusted: []string{"**"}}, Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.makeParts(filepath.Join(t.TempDir(), "vault"))
	for _, there := range []bool{false, true} {
		if there {
			if err := os.MkdirAll(filepath.Join(v.Root, "other"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		bring(t, v, "n.md", time.Now().Add(-time.Hour), []byte("> a\n"))
		v.Troubles.Add("n.md", os.ErrPermission)
		v.lookQuietly(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"})
		if n, why := v.Troubles.Any(); n > 0 {
			t.Errorf("a note that is gone: %v", why)
		}
		// It is back, with a line more, which whoever brought it has written if it was gone.
		src := []byte("> a\n> @agent-Miner b\n")
		look, err := v.memory.Read(t.Context(), "n.md", note.NewPage(src), nil)
		if err != nil || len(look.Doc.Markers) != 1 {
			t.Fatal(err, look.Doc.Markers)
		}
		came, err := look.Arrive(t.Context(), past.Seen{Time: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		if waits := came.Holds(note.Head(look.Doc.Markers[0].Text)); waits != there {
			t.Errorf("with a folder: %v, the line that came back with the note waits for a person: %v", there, waits)
		}
	}
}

// What is remembered of the arrival of a note stays until the note has been gone for a week, and for good while it may be
// there: so what comes back after days of a sync is what it was, also where it came long ago.
func TestForgetGone(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.makeParts(filepath.Join(t.TempDir(), "vault"))
	const day = 24 * time.Hour
	now := time.Now()
	rows := []struct {
		file         string
		age          time.Duration
		there, known bool // known: when the folder has answered for more than a week
	}{
		{"today.md", time.Hour, false, true},
		{"yesterday.md", 25 * time.Hour, false, true},
		{"week.md", 7*day - time.Minute, false, true},
		{"later.md", 7*day + time.Minute, false, false},
		{"old.md", 300 * day, false, false},
		{"below/old.md", 300 * day, false, false},
		{"stands.md", 300 * day, true, true},
	}
	for _, r := range rows {
		copied := journal.Copy{File: r.file, Time: now.Add(-r.age), Original: "a.md"}
		bring(t, v, r.file, now.Add(-r.age), []byte("> a\n"))
		if err := j.SetCopy(t.Context(), v.Root, copied); err != nil {
			t.Fatal(err)
		}
	}
	for _, answers := range []bool{false, true} {
		if answers {
			if err := os.Mkdir(v.Root, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(v.Root, "stands.md"), []byte("> a\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, passed := range []time.Duration{0, day, 7*day + time.Minute} {
			if err := v.forgetGone(t.Context(), now.Add(passed)); err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				want := r.known || !answers || passed < 7*day
				c, failed := j.Copy(t.Context(), v.Root, r.file)
				if _, known, err := j.NotePast(t.Context(), v.Root, r.file); known != want || (c.Original != "") != want || errors.Join(err, failed) != nil {
					t.Errorf("the folder answers: %v; after %v %s is known: %v, %v", answers, passed, r.file, known, err)
				}
			}
		}
	}
}

// A question is withdrawn with what became of it: its line was edited, or its note is gone.
func TestWithdrawnWithItsReason(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var reasons []string
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: quiet{}, Writer: quiet{}, Dispatcher: cancelling{reasons: &reasons}})
	v.makeParts(t.TempDir())
	marker := journal.Marker{Trace: note.Trace{Text: "> @agent-Miner what?"}}
	if _, ok, err := j.Accept(t.Context(), journal.Dispatch{ID: "d1", Vault: v.Root, File: "n.md", Key: "agent-Miner", Role: "Miner",
		Status: journal.Held, Created: time.Now(), Markers: []journal.Marker{marker}}, map[string]int{marker.Text: 1}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	v.follower.Track("n.md")
	if lost, err := v.follower.ListLost(t.Context(), nil); err != nil || !slices.Equal(lost, []string{"n.md"}) { // gone for as long as is known
		t.Fatalf("%q, %v", lost, err)
	}
	if v.lookQuietly(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "reconcile"}); len(reasons) == 0 {
		t.Error("it is not withdrawn")
	}
	if want := []string{"its note is gone"}; !slices.Equal(reasons, want) {
		t.Errorf("the reasons are %q, want %q", reasons, want)
	}
}

// cancelling keeps why dispatches are cancelled.
type cancelling struct {
	quiet
	reasons *[]string
}

func (c cancelling) Cancel(_ context.Context, _, reason string) error {
	*c.reasons = append(*c.reasons, reason)
	return nil
}

// A vault is behind while a note waits to be looked at whose time has come.
func TestIsBehind(t *testing.T) {
	for _, c := range []struct {
		changed, woken time.Duration // ago; 0 = not
		want           bool
	}{
		{0, 0, false},
		{late / 2, late / 2, false},
		{2 * late, 0, true},
		{0, 2 * late, true},
	} {
		v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
		v.makeParts(t.TempDir())
		v.debounce = watch.NewDebounce(-c.changed, -c.changed)
		if c.changed > 0 {
			v.debounce.Add(watch.Event{Path: "a.md", Kind: watch.Changed})
		}
		if c.woken > 0 {
			v.notes.lookAgain("b.md", time.Now().Add(-c.woken))
		}
		if got := (followed{v}).IsBehind(); got != c.want {
			t.Errorf("changed %v and woken %v ago: behind is %v", c.changed, c.woken, got)
		}
	}
}
