//go:build peers

package watchbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"vaultdispatcher/engine/watch"
)

// running is a watcher of ours in this process.
type running struct {
	w    watch.Watcher
	stop func() error
}

// runWatcher starts a watcher and returns when it is ready.
func runWatcher(w watch.Watcher) *running {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, func(watch.Event) {}) }()
	<-w.Ready()
	for w.Stats().State != watch.Watching {
		time.Sleep(time.Millisecond)
	}
	return &running{w, func() error { cancel(); return <-done }}
}

const between = time.Second // two comparisons, about

// measureSweeps measures a comparison of the whole vault in which nothing differs, and a
// walk that stats every note and compares nothing; the best of some rounds. It is
// the comparison that nothing asked for: one that was makes every watch anew.
func measureSweeps(root, mode string, rounds int) (us, walk time.Duration, err error) {
	w, err := watch.New(watch.Options{Root: root, Mode: mode, Rescan: between})
	if err != nil {
		return 0, 0, err
	}
	r := runWatcher(w)
	us, walk = time.Hour, time.Hour
	for range rounds {
		before := w.Stats().Rescans
		for w.Stats().Rescans == before {
			time.Sleep(time.Millisecond)
		}
		us = min(us, w.Stats().ScanTook)
		time.Sleep(between / 2) // so that neither finds more at hand than the other
		took, e := walkAll(root)
		walk, err = min(walk, took), errors.Join(err, e)
	}
	return us, walk, errors.Join(err, r.stop())
}

func walkAll(root string) (time.Duration, error) {
	begun := time.Now()
	err := filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_, err = d.Info()
		}
		return err
	})
	return time.Since(begun), err
}

// measureUncached measures a tree that is mounted through FUSE without any cache.
func (b *bench) measureUncached(root string, measure func(at string) error) error {
	at, err := os.MkdirTemp(b.dir, "fuse")
	if err != nil {
		return err
	}
	cmd := exec.Command(b.loopback, root, at)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	for !isMounted(at) {
		select {
		case err := <-gone:
			return fmt.Errorf("mounting through FUSE: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	err = measure(at)
	if e := exec.Command("umount", "-l", at).Run(); e != nil {
		cmd.Process.Kill()
		err = errors.Join(err, e)
	}
	<-gone
	return err
}

func isMounted(at string) bool {
	var here, parent syscall.Stat_t
	return syscall.Stat(at, &here) == nil && syscall.Stat(filepath.Dir(at), &parent) == nil && here.Dev != parent.Dev
}

// bytesPerNote returns what each note takes in memory, beside the bytes of its name.
func bytesPerNote(v *tree) (float64, error) {
	before := liveBytes()
	w, err := watch.New(watch.Options{Root: v.root, Mode: watch.ModeFsnotify})
	if err != nil {
		return 0, err
	}
	// The second run remembers no reports of the first: what a while without
	// changes leaves.
	if err := runWatcher(w).stop(); err != nil {
		return 0, err
	}
	r := runWatcher(w)
	names := 0
	for _, name := range v.notes {
		names += len(filepath.Base(name))
	}
	bytes := float64(liveBytes()-before) - float64(names)
	runtime.KeepAlive(v)
	return bytes / float64(len(v.notes)), r.stop()
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
