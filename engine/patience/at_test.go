package patience

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// One disk that hangs is asked once, however often it is looked at, and takes no place from the others. When it is back it
// is asked again.
func TestOneDiskTakesOnePlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(all chan struct{}) { places = all }(places)
		places = make(chan struct{}, mostBehind) // of this bubble, where the clock is
		back := make(chan struct{})
		var begun atomic.Int32
		ask := func(folder string, look func()) bool {
			ctx, cancel := context.WithTimeout(t.Context(), DiskTime)
			defer cancel()
			_, ok := AwaitAt(ctx, folder, func() bool { begun.Add(1); look(); return true })
			return ok
		}
		start := time.Now()
		for range 2 * mostBehind {
			if ask("silent", func() { <-back }) {
				t.Fatal("a disk that hangs has answered")
			}
		}
		if begun.Load() != 1 || len(places) != 1 {
			t.Errorf("%d looks were begun, and %d places are taken", begun.Load(), len(places))
		}
		if waited, most := time.Since(start), DiskTime+(2*mostBehind-1)*onceMore; waited != most {
			t.Errorf("a disk that hangs was waited for %v instead of %v", waited, most)
		}
		if !ask("healthy", func() {}) {
			t.Error("a disk that responds was not asked")
		}
		close(back)
		if !ask("silent", func() {}) {
			t.Error("a disk that is back was not asked")
		}
		synctest.Wait()
		if len(places) != 0 || len(behind) != 0 {
			t.Errorf("%d places are taken, %d folders remembered", len(places), len(behind))
		}
	})
}

// What looks have found is told in the order of the paths, and the first that is there is the first of them.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	file, gone := filepath.Join(dir, "n.md"), filepath.Join(dir, "gone")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found := Look(gone, file, dir)
	if !os.IsNotExist(found[0].Err) || found[0].Silent || found[1].Info == nil || found[1].Info.IsDir() || !found[2].Info.IsDir() || found[2].Named != dir {
		t.Errorf("%+v", found)
	}
	if first, ok := FirstThere(gone, file, dir); !ok || first.Named != file {
		t.Errorf("%+v, %v", first, ok)
	}
	if first, ok := FirstThere(gone); ok {
		t.Errorf("%+v", first)
	}
}

// What looks have found is compared without another look, which nothing would bound.
func TestLookIdentifies(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	found := Look(folder, folder+string(filepath.Separator)+".", dir)
	if err := os.Rename(folder, filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(found[0].Info, found[1].Info) || os.SameFile(found[0].Info, found[2].Info) {
		t.Error("one folder is not told from another")
	}
}
