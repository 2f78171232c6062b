package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/recall"
)

// HurryLooks has a look that hangs given up soon, until the test ends.
func HurryLooks(t *testing.T) {
	usual := lookTime
	lookTime = 10 * time.Millisecond
	t.Cleanup(func() { lookTime = usual })
}

// Once a look was left behind no other is begun on its shelf: it would use what finds other names of a file beside the first,
// and could show a note whose private name that one has not found yet.
func TestALookLeftBehind(t *testing.T) {
	begun, thaw, back := make(chan struct{}), make(chan struct{}), make(chan struct{})
	hangs := errors.New("it hangs")
	s := &shelf{Shelf: Shelf{Guard: func(_ context.Context, do func() error) error {
		go func() { _ = do(); close(back) }()
		<-begun
		return hangs
	}}}
	n, err := onDisk(t.Context(), s, func() (int, error) { close(begun); <-thaw; return 7, nil })
	if n != 0 || err != hangs || !s.silent {
		t.Errorf("%d, %v, silent %v", n, err, s.silent)
	}
	close(thaw)
	<-back
	if _, err := onDisk(t.Context(), s, func() (int, error) { t.Error("another was begun"); return 7, nil }); err == nil {
		t.Error("another was made")
	}
	var late func() error
	s = &shelf{Shelf: Shelf{Guard: func(_ context.Context, do func() error) error { late = do; return hangs }}}
	if _, err := onDisk(t.Context(), s, func() (int, error) { t.Error("it was begun after its caller had gone"); return 7, nil }); err != hangs || s.silent || late() == nil {
		t.Errorf("one that is not begun: %v, silent %v", err, s.silent)
	}
}

// Beside no engine the disks are asked side by side: each look here waits until all have begun.
func TestIndexesAreFoundSideBySide(t *testing.T) {
	patience.Raise(time.Minute)
	defer patience.Raise(0)
	const all = 6
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "index.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var vaults []config.Vault
	for i := range all {
		vaults = append(vaults, config.Vault{Path: strconv.Itoa(i)})
	}
	var begun atomic.Int32
	together := make(chan struct{})
	found, err := findIndexes(vaults, func(string) (string, error) { return folder, nil }, func(path string) string {
		if begun.Add(1) == all {
			close(together)
		}
		<-together
		return path
	})
	if err != nil || len(found) != all {
		t.Fatalf("%v, %v", found, err)
	}
	for i, v := range found {
		if root, responds := v.await(); root != strconv.Itoa(i) || !responds {
			t.Errorf("vault %d: %q, %v", i, root, responds)
		}
	}
}

// Whatever lists what is on several shelves asks their disks side by side: each guard here waits until all have begun.
func TestShelvesAreAskedSideBySide(t *testing.T) {
	const all = 6
	for name, list := range map[string]func(l *Library, ctx context.Context, c *call) (any, error){
		"search": (*Library).findPassages, "list_notes": (*Library).listNotes, "recent": (*Library).listRecent, "questions": (*Library).listQuestions,
	} {
		t.Run(name, func(t *testing.T) {
			within, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var begun atomic.Int32
			together := make(chan struct{})
			c := &call{library: New(Options{History: noPast{}}), scope: mcp.Scope{Private: true}, arguments: arguments{Query: "disk", Limit: 1}}
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "n.md"), []byte("disk"), 0o600); err != nil {
				t.Fatal(err)
			}
			ix, err := recall.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), root, recall.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer ix.Close()
			if err := ix.Update(t.Context(), "n.md"); err != nil {
				t.Fatal(err)
			}
			for range all {
				c.shelves = append(c.shelves, &shelf{Shelf: Shelf{Name: "v", Index: ix, Guard: func(context.Context, func() error) error {
					if begun.Add(1) == all {
						close(together)
					}
					select {
					case <-together:
					case <-within.Done():
						t.Error("one is waited for before the next is begun")
					}
					return errSilent
				}}, call: c})
			}
			if _, err := list(c.library, t.Context(), c); err != nil || begun.Load() != all {
				t.Errorf("%d were begun, %v", begun.Load(), err)
			}
		})
	}
}

// noPast is a past without questions.
type noPast struct{ Past }

func (noPast) List(context.Context, journal.Filter) ([]journal.Dispatch, error) { return nil, nil }
