package recall

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/recall/linkgraph"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/vectors"
)

// layout names everything that decides what the index holds: tables, tokens,
// chunks. A file with another number is thrown away.
const layout = 14

// No text is kept: quotes come from the notes, and the vault need not be stored twice.
const schema = `
CREATE TABLE notes (id INTEGER PRIMARY KEY, rel TEXT NOT NULL UNIQUE, base TEXT NOT NULL,
	mark INTEGER NOT NULL, mtime INTEGER NOT NULL, hash BLOB NOT NULL, about BLOB NOT NULL, out INTEGER NOT NULL, came INTEGER NOT NULL);
CREATE INDEX notes_base ON notes(base);
CREATE TABLE names (name TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (name, note)) WITHOUT ROWID;
CREATE INDEX names_note ON names(note);
CREATE TABLE aliases (name TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (name, note)) WITHOUT ROWID;
CREATE INDEX aliases_note ON aliases(note);
CREATE TABLE links (note INTEGER NOT NULL, path TEXT NOT NULL, anchor TEXT NOT NULL, key TEXT NOT NULL,
	PRIMARY KEY (note, path, anchor)) WITHOUT ROWID;
CREATE INDEX links_key ON links(key);
CREATE INDEX links_path ON links(path);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, note INTEGER NOT NULL, ord INTEGER NOT NULL, hash BLOB NOT NULL, words BLOB NOT NULL);
CREATE INDEX chunks_note ON chunks(note);` + postings.Schema

// byMeaning is what only an index with an embedder needs.
const byMeaning = "CREATE INDEX IF NOT EXISTS chunks_hash ON chunks(hash)"

// Index is the index of one vault. It is safe for concurrent use.
type Index struct {
	path, root   string
	log          *slog.Logger
	exclude      func(rel string) bool
	silent       func(rel string) bool
	reportChange func()
	graph        bool           // links take part in the ranking
	peek         bool           // the file is only read, and there is no writer
	vectors      *vectors.Store // nil without an embedder

	disk  *notedisk.Disk  // the vault's
	links linkgraph.Cache // not with peek: another process writes

	// turn holds one token while Update has one note in work, or Sync a batch. It is
	// kept while the disk of the vault is read; only the next note or batch waits
	// for it.
	turn  chan struct{}
	most  int          // notes of the next batch of a Sync; the turn guards it
	hurry atomic.Int32 // calls of Update, which wait while a Sync has the turn

	// writing is held for one transaction at a time, of a batch at most.
	writing sync.Mutex
	merging sync.Mutex // held while parts are merged, over many transactions

	// opened guards the two handles against being replaced while in use.
	opened        sync.RWMutex
	writer, reads *sql.DB

	changes   atomic.Int64  // of what it holds, some counted twice
	firstSync chan struct{} // closed when the first Sync has ended
	readyOnce sync.Once

	// mu guards what follows.
	mu    sync.Mutex
	state State
	names map[string]bool // notes of the last Sync and those updated since; what a rebuild starts from
}

// withoutProgress is a note as it is read.
func withoutProgress(src []byte) []byte { return progress.Bare(src).Text }

// Open opens the index in the file path for the vault at root. It makes a missing
// file, and makes one again that is damaged or of another layout; the next Sync
// fills it. Open reads nothing of the vault, and fails only where no file can be
// made. With [Options.Peek] it changes nothing, and a file that is missing, damaged
// or of another layout is [ErrUnusable].
func Open(ctx context.Context, path, root string, opts Options) (*Index, error) {
	ix := &Index{path: path, root: root, log: opts.Log, exclude: opts.Exclude, silent: opts.Silent, graph: !opts.NoGraph, peek: opts.Peek, firstSync: make(chan struct{}), turn: make(chan struct{}, 1), disk: notedisk.New(root, withoutProgress), names: make(map[string]bool)}
	if ix.reportChange = opts.Changed; ix.reportChange == nil {
		ix.reportChange = func() {}
	}
	if ix.log == nil {
		ix.log = slog.New(slog.DiscardHandler)
	}
	if ix.exclude == nil {
		ix.exclude = func(string) bool { return false }
	}
	if ix.silent == nil {
		ix.silent = func(string) bool { return false }
	}
	if opts.Meaning != nil {
		ix.vectors = vectors.New(path, *opts.Meaning, texts{ix}, ix.log, ix.reportChange)
	}
	if ix.peek {
		if err := ix.openReadOnly(ctx); err != nil {
			return nil, fmt.Errorf("open the index %s: %w", path, errors.Join(err, ix.closeHandles()))
		}
		return ix, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the index: %w", err)
	}
	if err := ix.openHandles(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ix.log.Warn("index cannot be used and is made again", "file", path, "error", err)
		if err = ix.recreateFile(ctx); err != nil {
			return nil, fmt.Errorf("open the index %s: %w", path, err)
		}
	}
	return ix, nil
}

// Close ends all use of the index. No other call may follow.
func (ix *Index) Close() error {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	ix.opened.Lock()
	defer ix.opened.Unlock()
	if ix.vectors != nil {
		ix.vectors.Close()
	}
	return ix.closeHandles()
}

// State says how far the index has come. It reads memory only.
func (ix *Index) State() State {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.state
}

// openHandles opens the file and makes sure that it is one of ours.
func (ix *Index) openHandles(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			_ = ix.closeHandles() // the first error says more
		}
	}()
	if ix.writer, err = cachefile.Open(ix.path, "&_txlock=immediate", 1); err != nil {
		return err
	}
	if ix.reads, err = cachefile.Open(ix.path, "", 2); err != nil {
		return err
	}
	tx, err := ix.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var tables int
	if err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		if _, err = tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version=%d", layout)); err != nil {
			return err
		}
		if err = ix.markVault(ctx, tx); err != nil {
			return err
		}
	} else if err = ix.checkLayout(ctx, tx); err != nil {
		return err
	}
	if ix.vectors != nil {
		if _, err = tx.ExecContext(ctx, byMeaning); err != nil {
			return err
		}
	}
	if err = tx.Commit(); err != nil {
		return err
	}
	return ix.countRows(ctx)
}

// markVault stores which vault the file belongs to.
func (ix *Index) markVault(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "CREATE TABLE vault AS SELECT ? AS root", ix.root)
	return err
}

func (ix *Index) checkLayout(ctx context.Context, tx *sql.Tx) error {
	var version int
	var root string
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version != layout {
		return cachefile.ErrForeign
	}
	if err := tx.QueryRowContext(ctx, "SELECT root FROM vault").Scan(&root); err != nil {
		return err
	}
	if root != ix.root {
		return cachefile.ErrForeign
	}
	_, err := tx.ExecContext(ctx, "SELECT part FROM blocks LIMIT 1")
	return err
}

func (ix *Index) countRows(ctx context.Context) error {
	var notes, chunks, size int
	err := ix.reads.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM chunks), page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&notes, &chunks, &size)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.state.Notes, ix.state.Chunks, ix.state.Bytes = notes, chunks, size
	return err
}

func (ix *Index) closeHandles() error {
	var errs []error
	for _, db := range []*sql.DB{ix.reads, ix.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// recreateFile deletes the file and makes an empty one.
func (ix *Index) recreateFile(ctx context.Context) error {
	ix.opened.Lock()
	defer ix.opened.Unlock()
	defer ix.links.Forget()
	_ = ix.closeHandles() // a damaged file may not close cleanly; it is deleted anyway
	if err := cachefile.Remove(ix.path); err != nil {
		return err
	}
	return ix.openHandles(ctx)
}
