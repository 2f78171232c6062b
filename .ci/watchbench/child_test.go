//go:build peers

package watchbench

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"vaultdispatcher/engine/watch"
)

// runChild runs one of the Go watchers in a process of its own: it prints "ready" with
// its milliseconds and those of CPU time since it began, and then a path for each
// event.
func runChild(name, root string) error {
	switch name {
	case bare:
		return watchBare(root)
	case ours:
		return watchOurs(root, watch.ModeFsnotify)
	case oursPolling:
		return watchOurs(root, watch.ModePoll)
	}
	return fmt.Errorf("no watcher is called %s", name)
}

var say struct {
	sync.Mutex
	out *bufio.Writer
}

func sayLine(line string) {
	say.Lock()
	defer say.Unlock()
	if say.out == nil {
		say.out = bufio.NewWriter(os.Stdout)
	}
	say.out.WriteString(line + "\n")
	say.out.Flush()
}

// start is when a watcher began, and the CPU time of the process until then.
type start struct {
	at   time.Time
	busy time.Duration
}

func beginStart() start { return start{time.Now(), cpuTime()} }

func (s start) sayReady() {
	took, cpu := time.Since(s.at), cpuTime()-s.busy
	sayLine(fmt.Sprintf("ready %f %f", took.Seconds()*1000, cpu.Seconds()*1000))
}

// cpuTime returns the CPU time that the process has used, in user and kernel mode.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // there is no such error on Linux
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func watchOurs(root, mode string) error {
	begun := beginStart()
	w, err := watch.New(watch.Options{Root: root, Mode: mode})
	if err != nil {
		return err
	}
	go func() {
		<-w.Ready()
		begun.sayReady()
	}()
	return w.Run(context.Background(), func(e watch.Event) {
		if e.Via != watch.ViaStart && e.Kind == watch.Changed {
			sayLine(filepath.Join(root, e.Path))
		}
	})
}

// watchBare is the least one can do with fsnotify: a watch on each folder there
// is, and on those that come.
func watchBare(root string) error {
	begun := beginStart()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	if err := addAll(w, root); err != nil {
		return err
	}
	begun.sayReady()
	for {
		select {
		case e := <-w.Events:
			if e.Has(fsnotify.Create) {
				if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
					addAll(w, e.Name) // an error: it has gone again
					continue
				}
			}
			if e.Has(fsnotify.Create) || e.Has(fsnotify.Write) {
				sayLine(e.Name)
			}
		case err := <-w.Errors:
			fmt.Fprintln(os.Stderr, "fsnotify:", err)
		}
	}
}

func addAll(w *fsnotify.Watcher, root string) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return w.Add(p)
	})
}
