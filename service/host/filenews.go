package host

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// fileNews hears of changes of one file, on Linux and where the system tells of all of them. It belongs to one goroutine.
type fileNews struct {
	hints *source.Hints // what is told
	file  string
	log   *slog.Logger

	folder string        // in which the file is, after links
	name   string        // of the file there
	id     disk.Ident    // of the folder
	source source.Source // of the folder; nil = nobody tells of changes there
}

func newFileNews(file string, log *slog.Logger) *fileNews {
	return &fileNews{hints: source.NewHints(), file: file, log: log}
}

// listen reports whether changes of the file are told. It begins to listen where the folder is another one than
// before; then what changed until now counts as told.
func (n *fileNews) listen() bool {
	file, err := filepath.EvalSymlinks(n.file)
	if err != nil {
		return false
	}
	n.name = filepath.Base(file)
	folder := filepath.Dir(file)
	entry, err := disk.Inspect(folder)
	if err != nil {
		return false
	}
	if folder == n.folder && entry.ID == n.id {
		return n.source != nil
	}
	n.close()
	n.folder, n.id = folder, entry.ID
	if runtime.GOOS != "linux" { // elsewhere all files of the folder would be open, or all below it be told of
		return false
	}
	if mount, err := disk.FindMount(folder); err != nil || mount.Ejects || disk.Classify(mount) != disk.Trusted {
		return false
	}
	if n.source, err = openFolder(folder, entry.ID, n.hints, n.log); err != nil {
		n.log.Debug("the folder of the configuration is polled", "folder", folder, "error", err)
		return false
	}
	n.hints.AddAll()
	return true
}

// openFolder opens a source for a folder without those below it.
func openFolder(folder string, id disk.Ident, hints *source.Hints, log *slog.Logger) (source.Source, error) {
	src, err := source.Open(folder, hints, log)
	if err != nil {
		return nil, err
	}
	if folders, ok := src.(source.FolderSource); ok {
		err = folders.Arm("", id, true)
		if _, refused := folders.Watches(); err == nil && refused > 0 {
			err = errors.New("the system has no watch left")
		}
	}
	if err != nil {
		src.Close()
		return nil, err
	}
	return src, nil
}

// takeNews reports whether what was told may be of the file. A folder that went away is listened in anew.
func (n *fileNews) takeNews() bool {
	paths, all := n.hints.Take()
	what, isFolder := paths[""]
	if what == source.Subtree {
		n.close()
	}
	_, isFile := paths[n.name]
	return all || isFolder || isFile
}

// close ends the listening.
func (n *fileNews) close() {
	if n.source != nil {
		n.source.Close()
	}
	n.source, n.folder = nil, ""
}

// fileState is what decides whether a file is read again: what a save changes, and whether others may write it. The
// zero value is that of an absent file.
type fileState struct {
	changed time.Time
	size    int64
	foreign string
}

func statFile(file string) fileState {
	info, err := os.Stat(file)
	if err != nil {
		return fileState{}
	}
	state := fileState{changed: info.ModTime(), size: info.Size()}
	if err := config.CheckOwner(file); err != nil {
		state.foreign = err.Error()
	}
	return state
}
