//go:build peers

package watchbench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// An oracle makes saves of one kind and says how many of them a watcher has lost:
// the full path was not reported after the save began.

// saveNested makes folders in folders and writes a note into the deepest at once.
func saveNested(t *tool, v *tree, rounds int, wait time.Duration) (int, error) {
	saves := make(map[string]time.Time)
	for i := range rounds {
		name := filepath.Join(v.root, fmt.Sprintf("nested %d", i), "b", "c", "n.md")
		saves[name] = time.Now()
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), saveNote(name, "text\n", false))
		if err != nil {
			return 0, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	n, _ := t.countLost(saves, wait)
	return n, nil
}

// moveFoldersIn moves folders with a note from elsewhere into the vault.
func moveFoldersIn(t *tool, v *tree, rounds int, wait time.Duration) (int, error) {
	saves := make(map[string]time.Time)
	for i := range rounds {
		away := filepath.Join(v.root+".away", fmt.Sprint(i))
		to := filepath.Join(v.root, fmt.Sprintf("moved %d", i))
		err := errors.Join(os.MkdirAll(away, 0o755), saveNote(filepath.Join(away, "n.md"), "text\n", false))
		saves[filepath.Join(to, "n.md")] = time.Now()
		if err = errors.Join(err, os.Rename(away, to)); err != nil {
			return 0, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	n, _ := t.countLost(saves, wait)
	return n, nil
}

// saveBurst has four writers save notes as fast as they can.
func saveBurst(t *tool, v *tree, total int, wait time.Duration) (int, error) {
	var mu sync.Mutex
	saves := make(map[string]time.Time)
	errs := make([]error, 4)
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := w; i < total; i += 4 {
				name := v.notes[i%len(v.notes)]
				mu.Lock()
				saves[name] = time.Now()
				mu.Unlock()
				errs[w] = errors.Join(errs[w], saveNote(name, fmt.Sprintf("burst %d\n", i), i%2 == 0))
			}
		})
	}
	writers.Wait()
	n, _ := t.countLost(saves, wait)
	return n, errors.Join(errs...)
}

// flood is what came of many saves while the watcher did not run.
type flood struct {
	lost     int           // of the saves
	repaired time.Duration // from its going on to the last that was found
	folder   bool          // a note in a folder made meanwhile was found
	later    bool          // so was one that was written there afterwards
}

// overflowQueue stops the watcher, saves so many new notes that the queue of the kernel
// has no room for them, and lets it go on.
func overflowQueue(t *tool, v *tree, total int, wait time.Duration) (flood, error) {
	f := flood{}
	if err := t.signal(syscall.SIGSTOP); err != nil {
		return f, err
	}
	saves := make(map[string]time.Time)
	for i := range total {
		name := filepath.Join(v.folders[i%len(v.folders)], fmt.Sprintf("flood %06d.md", i))
		saves[name] = time.Now()
		if err := saveNote(name, "text\n", false); err != nil {
			return f, err
		}
	}
	during := filepath.Join(v.root, "made during", "n.md")
	made := map[string]time.Time{during: time.Now()}
	err := errors.Join(os.MkdirAll(filepath.Dir(during), 0o755), saveNote(during, "text\n", false))
	goesOn := time.Now()
	if err = errors.Join(err, t.signal(syscall.SIGCONT)); err != nil {
		return f, err
	}
	var last time.Time
	f.lost, last = t.countLost(saves, wait)
	f.repaired = last.Sub(goesOn)
	missing, _ := t.countLost(made, wait)
	f.folder = missing == 0

	after := filepath.Join(v.root, "made during", "later.md")
	made = map[string]time.Time{after: time.Now()}
	err = saveNote(after, "text\n", false)
	missing, _ = t.countLost(made, wait)
	f.later = missing == 0
	return f, err
}

// saveSome saves notes all over the vault, half of them in place and half by
// replacing the file, and returns how long each took to be reported.
func saveSome(t *tool, v *tree, count int, pause, wait time.Duration) (delays []time.Duration, lost int, err error) {
	saves := make(map[string]time.Time)
	for i := range count {
		name := v.notes[(i*7919+13)%len(v.notes)]
		saves[name] = time.Now()
		err = errors.Join(err, saveNote(name, fmt.Sprintf("saved %d\n", i), i%2 == 0))
		time.Sleep(pause)
	}
	lost, _ = t.countLost(saves, wait)
	return t.listDelays(saves), lost, err
}
