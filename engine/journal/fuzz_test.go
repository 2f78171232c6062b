package journal

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/journal/database"
)

// FuzzDamage spoils a journal: bytes are written over anywhere, and the end is cut
// off. Opening it never panics, and loses nothing in silence: the dispatches are
// there, or the damage is told and the spoiled bytes are kept. Of a spoiled log
// only the first is wanted: SQLite takes what follows a bad frame for the torn
// end of a write.
func FuzzDamage(f *testing.F) {
	const n = 12
	whole, log := specimen(f, n)
	for i, at := range []uint32{0, 16, 18, 28, 60, 100, 4096, 4104, 8192, 12290, 20000, 1 << 30} {
		if i%fewer != 0 {
			continue
		}
		f.Add(at, []byte{0xff, byte(i), 0}, uint32(0), at/2, []byte{0xa5})
		f.Add(at, bytes.Repeat([]byte{0}, 64), at, uint32(32), []byte{byte(i)})
		f.Add(at, bytes.Repeat([]byte{0xa5}, 4096), uint32(0), uint32(0), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, at uint32, over []byte, cut, logAt uint32, logOver []byte) {
		path := filepath.Join(t.TempDir(), "journal.db")
		spoiled := spoil(whole, at, over, cut)
		must(t, os.WriteFile(path, spoiled, 0o600))
		if len(logOver) > 0 {
			must(t, os.WriteFile(path+"-wal", spoil(log, logAt, logOver, 0), 0o600))
		}
		j, err := On(database.Open(context.Background(), path))
		if err != nil {
			keptSomewhere(t, path, spoiled)
			return
		}
		defer j.Close()
		if len(j.Damage()) > 0 {
			keptSomewhere(t, path, spoiled)
		} else if len(logOver) > 0 {
			return
		} else if list, err := j.List(context.Background(), Filter{Limit: 1000}); err == nil && len(list) < n {
			t.Fatalf("%d of %d dispatches are there, and nobody is told", len(list), n)
		}
		d, equal := group("after.md", 1)
		if _, ok, err := j.Accept(context.Background(), d, equal); err == nil && !ok {
			t.Fatal("a new marker was taken for an old one")
		}
	})
}

// specimen is a closed journal of n dispatches, and the log of another that a
// crash has left.
func specimen(f *testing.F, n int) (whole, log []byte) {
	f.Helper()
	path := filepath.Join(f.TempDir(), "journal.db")
	j, err := On(database.Open(context.Background(), path))
	if err != nil {
		f.Fatal(err)
	}
	for i := range n {
		d, equal := group(fmt.Sprintf("%d.md", i), 2)
		if _, ok, err := j.Accept(context.Background(), d, equal); err != nil || !ok {
			f.Fatal(ok, err)
		}
	}
	if log, err = os.ReadFile(path + "-wal"); err != nil {
		f.Fatal(err)
	}
	if err := j.Close(); err != nil {
		f.Fatal(err)
	}
	if whole, err = os.ReadFile(path); err != nil {
		f.Fatal(err)
	}
	return whole, log
}

// spoil writes over a file, wherever that falls, and cuts off its end.
func spoil(whole []byte, at uint32, over []byte, cut uint32) []byte {
	b := bytes.Clone(whole)
	if len(b) > 0 {
		copy(b[int(at)%len(b):], over)
		b = b[:len(b)-int(cut)%len(b)]
	}
	return b
}

// keptSomewhere wants the bytes under the journal's name or aside.
func keptSomewhere(t *testing.T, path string, spoiled []byte) {
	t.Helper()
	names, _ := filepath.Glob(path + "*")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil && bytes.Equal(b, spoiled) {
			return
		}
	}
	t.Fatalf("the spoiled bytes are gone; there are %q", names)
}
