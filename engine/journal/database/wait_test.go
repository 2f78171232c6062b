package database

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/testdata/testmain"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lockFile locks the file of a new journal as a backup or a database browser does, until free is called.
func lockFile(t *testing.T, path string) (free func()) {
	t.Helper()
	j, err := Open(t.Context(), path)
	must(t, err)
	must(t, j.Close())
	db, err := dbfile.Connect(path, "rw", 1)
	must(t, err)
	conn, err := db.Conn(context.Background())
	must(t, err)
	_, err = conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	must(t, err)
	return func() {
		_, err := conn.ExecContext(context.Background(), "ROLLBACK")
		must(t, errors.Join(err, conn.Close(), db.Close()))
	}
}

// At start a locked journal is waited for, as while running.
func TestOpenWaitsForALock(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits as long as another process may hold a journal")
	path := filepath.Join(t.TempDir(), "journal.db")
	free := lockFile(t, path)
	var told []error
	j, err := OpenFree(t.Context(), path, func(err error) {
		told = append(told, err)
		free()
	})
	must(t, err)
	defer j.Close()
	var locked interface{ IsLocked() bool } // as the server asks for it
	if len(told) != 1 || !errors.Is(told[0], dbfile.ErrBusy) || !errors.As(told[0], &locked) || !locked.IsLocked() {
		t.Fatalf("told %v", told)
	}
	if text := told[0].Error(); !strings.Contains(text, "another program holds "+path+" locked") || strings.Contains(text, "SQLITE") || strings.Contains(text, "database is") {
		t.Errorf("told %q", text)
	}
}

// Who waits can be told to stop at any moment, and nothing is left open.
func TestWaitForALockEndsAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	free := lockFile(t, path)
	var ctx context.Context
	var ended chan struct{}
	for after, waits := 50*time.Millisecond, false; !waits; after *= 2 {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(t.Context())
		ended = make(chan struct{})
		time.AfterFunc(after, stop)
		if _, err := openBeside(ctx, path, func() { close(ended) }); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		select {
		case <-ended: // on a busy machine it was told before it had begun to wait
			if after > time.Second {
				t.Fatal("the try had ended before: nothing was waited for, or for too long")
			}
		default:
			waits = true
		}
	}
	free()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the try has not ended")
	}
	if _, err := OpenFree(ctx, path, func(error) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	j, err := OpenFree(t.Context(), path, func(err error) { t.Errorf("something is left open: %v", err) })
	must(t, err)
	must(t, j.Close())
}

// A try that is left behind makes no folder again that was removed meanwhile, as by wiki uninstall.
func TestOpenThatWasGivenUpCreatesNothing(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	folder := filepath.Join(t.TempDir(), "removed")
	if _, err := Open(ctx, filepath.Join(folder, "journal.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}

// What is no lock is an error at once, as from Open.
func TestOpenFreeWaitsForNothingElse(t *testing.T) {
	t.Parallel()
	if _, err := OpenFree(t.Context(), t.TempDir(), func(err error) { t.Errorf("waits for %v", err) }); err == nil {
		t.Error("a folder is no journal")
	}
}

// A read whose caller has gone ends as that, also where database/sql says that its transaction is done.
func TestReadThatWasGivenUpSaysSo(t *testing.T) {
	t.Parallel()
	j, err := Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	must(t, err)
	defer j.Close()
	ctx, stop := context.WithCancel(t.Context())
	err = j.Read(ctx, func(tx *sql.Tx) (err error) {
		for stop(); err == nil; { // until the end of the context has rolled back
			_, err = tx.ExecContext(context.Background(), "SELECT 1")
		}
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
