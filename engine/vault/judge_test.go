package vault

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/register"
)

// A question that came with its note waits for a person also where a damaged journal has lost why.
func TestLostOriginWaits(t *testing.T) {
	p, src := &starting{}, []byte("> @agent-Miner what?\n")
	v := New(Options{Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	v.judged = true
	bring(t, v, "n.md", time.Now(), src)
	came, _, err := v.opts.Journal.NotePast(t.Context(), v.Root, "n.md")
	came.Kind = ""
	if err := errors.Join(err, v.opts.Journal.KeepPasts(t.Context(), v.Root, []journal.NotePast{came})); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), src, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", Urgent: true}); err != nil {
		t.Fatal(err)
	}
	if len(p.groups) != 1 || p.groups[0].Hold != journal.ForUntrusted || p.groups[0].Reason == "" {
		t.Errorf("the groups are %+v", p.groups)
	}
}

// bring has a note remembered as one that came from elsewhere.
func bring(t *testing.T, v *Vault, rel string, seen time.Time, src []byte) {
	t.Helper()
	var found past.Meeting
	found.AddTheirs(rel, src, note.Parse(src))
	if _, err := v.memory.Meet(t.Context(), seen, found); err != nil {
		t.Fatal(err)
	}
}

// An engine that is killed when a note is remembered and its question is not accepted yet asks it after all, as long as it is and held
// for what it was; it neither forgets it nor takes it for one that was there before.
func TestKilledBeforeAQuestionIsAccepted(t *testing.T) {
	for _, theirs := range []bool{false, true} {
		j, dir := openJournal(t), t.TempDir()
		begin := func(fail bool) (*Vault, *starting) {
			p := &starting{refuse: fail}
			v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
			v.makeParts(dir)
			v.judged = true
			return v, p
		}
		look := func(v *Vault, src string) error {
			if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte(src), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", Urgent: true})
			return err
		}
		const own, asked = "> my own words\n", "> @agent-Miner what about\n> this, and more of it\n> my own words\n"
		v, _ := begin(true)
		if theirs {
			bring(t, v, "n.md", time.Now().Add(-time.Hour), []byte(asked))
		} else if err := look(v, own); err != nil {
			t.Fatal(err)
		}
		if err := look(v, asked); err == nil {
			t.Fatal("it was accepted")
		}
		v, p := begin(false)
		if err := look(v, asked); err != nil {
			t.Fatal(err)
		}
		want, hold := "> @agent-Miner what about\n> this, and more of it", journal.HoldKind("")
		if theirs {
			want, hold = want+"\n> my own words", journal.ForUntrusted
		}
		if len(p.groups) != 1 || p.groups[0].Markers[0].Text != want || p.groups[0].Hold != hold {
			t.Errorf("theirs %v: the groups are %+v, want %q held for %q", theirs, p.groups, want, hold)
		}
	}
}
