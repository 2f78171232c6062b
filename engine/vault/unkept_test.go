package vault

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/watch"
)

// The lines of the notes of the first pass that could not be kept at its end are kept when that is possible again, although
// no note is looked at any more.
func TestLinesOfTheFirstPassAreKept(t *testing.T) {
	dir, cache, state := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte("> my own words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.On(database.Open(t.Context(), filepath.Join(state, "journal.db")))
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		p := &fullAtFirst{Journal: j}
		v := New(Options{Cache: cache, Vault: config.Vault{Name: "v", Path: dir, Watch: watch.ModePoll}, Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)},
			Port{Engine: p, Dispatcher: quiet{}, Writer: quiet{}})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- v.Run(ctx) }()
		time.Sleep(time.Hour)
		sums, err := j.PastSums(t.Context(), v.Root)
		if err != nil || sums["n.md"] == 0 || p.failed.Load() == 0 {
			t.Errorf("kept are %v after %d failures; %v", sums, p.failed.Load(), err)
		}
		cancel()
		if err := errors.Join(<-ended, v.Catalog.Close()); err != nil {
			t.Error(err)
		}
	})
}

// fullAtFirst is a journal that keeps no lines twice.
type fullAtFirst struct {
	quiet
	*journal.Journal
	failed atomic.Int32
}

func (f *fullAtFirst) VaultOpened(v *Vault) {
	_ = v.whileLocked(func() error {
		v.memory = past.New(past.Options{Journal: f, Root: v.Root, IsGone: v.follower.IsGone, Return: follow.For})
		return nil
	})
}

func (f *fullAtFirst) KeepPasts(ctx context.Context, vault string, pasts []journal.NotePast) error {
	if f.failed.Load() < 2 {
		f.failed.Add(1)
		return errors.New("the disk is full")
	}
	return f.Journal.KeepPasts(ctx, vault, pasts)
}

// A vault whose journal is behind is met once more when its disk has room, and nothing is asked in it before.
func TestABehindJournalIsComparedWhenItCanBe(t *testing.T) {
	dir, cache, state := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "journal.db")
	file, old := filepath.Join(dir, "n.md"), time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := errors.Join(os.WriteFile(file, []byte("> @agent-Miner what?\n"), 0o600), os.Chtimes(file, old, old)); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.On(database.Open(t.Context(), state))
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		root, err := filepath.EvalSymlinks(dir)
		self := presence.Engine{ID: "0123456789abcdef", Machine: presence.ThisMachine(), State: "s", Day: time.Now().Add(48 * time.Hour)}
		db, failed := dbfile.Connect(state, "rw", 1)
		if err := errors.Join(err, failed, j.RecordMet(t.Context(), root, time.Now(), nil), presence.Announce(dir, self)); err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		setFull := func(from, to string) {
			if _, err := db.ExecContext(t.Context(), "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
				t.Fatal(err)
			}
		}
		setFull("steps", "away")
		p := &starting{}
		v := New(Options{Engine: self.ID, State: self.State, Started: time.Now(), Cache: cache, Vault: config.Vault{Name: "v", Path: dir, Watch: watch.ModePoll}, Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)},
			Port{Engine: p, Dispatcher: quiet{}, Writer: p})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- v.Run(ctx) }()
		time.Sleep(time.Hour)
		if len(p.groups) > 0 {
			t.Errorf("asked before the journal was compared: %+v", p.groups)
		}
		setFull("away", "steps")
		if err := os.WriteFile(filepath.Join(dir, "m.md"), []byte("words\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if !v.first.isMet() || len(p.groups) != 1 || p.groups[0].Hold != journal.ForOld {
			t.Errorf("met: %v; started are %+v", v.first.isMet(), p.groups)
		}
		cancel()
		if err := errors.Join(<-ended, v.Catalog.Close()); err != nil {
			t.Error(err)
		}
	})
}
