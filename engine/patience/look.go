package patience

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Entry is what a look at a path has found.
type Entry struct {
	Named  string      // as it was asked for
	Path   string      // without links, as far as it is there
	Info   fs.FileInfo // nil where Err or Silent says why
	Err    error
	Silent bool // its disk has not responded, so nothing is known of it
}

// Look looks at paths side by side, each as [Await] does.
func Look(paths ...string) []Entry {
	found := make([]Entry, len(paths))
	for i, look := range beginLooks(paths) {
		found[i] = <-look
	}
	return found
}

// FirstThere is the first of the paths that is there and whose disk responds; ok says whether one is.
func FirstThere(paths ...string) (first Entry, ok bool) {
	for _, look := range beginLooks(paths) {
		if e := <-look; e.Info != nil {
			return e, true
		}
	}
	return first, false
}

func beginLooks(paths []string) []chan Entry {
	looks := make([]chan Entry, len(paths))
	for i, path := range paths {
		looks[i] = make(chan Entry, 1)
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), Of(DiskTime))
			defer cancel()
			e, responds := AwaitAt(ctx, path, func() Entry { return lookAt(path) })
			if !responds {
				e = Entry{Named: path, Path: path, Silent: true}
			}
			looks[i] <- e
		}()
	}
	return looks
}

func lookAt(path string) Entry {
	e := Entry{Named: path, Path: path}
	if e.Info, e.Err = os.Stat(path); e.Err != nil {
		return e
	}
	_ = os.SameFile(e.Info, e.Info) // Windows identifies a file when it is compared first: now, see https://go.dev/src/os/types_windows.go
	if real, err := filepath.EvalSymlinks(path); err == nil {
		e.Path = real
	}
	if !e.Info.IsDir() {
		return e
	}
	if folder, err := os.Open(path); err == nil { // the system may know a folder without its disk
		_, _ = folder.Readdirnames(1)
		_ = folder.Close()
	}
	return e
}
