package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/source"
)

// saves are the ways in which programs bring a new text to a note, as the file
// operations that they were seen to make.
var saves = map[string]func(path, text string) error{
	"in place, as VS Code, nano and Obsidian": func(path, text string) error {
		return os.WriteFile(path, []byte(text), 0o644)
	},
	"vim, backupcopy=yes": func(path, text string) error {
		old, err := os.ReadFile(path)
		return first(err,
			func() error { return tryOut(path) },
			func() error { return os.WriteFile(path+"~", old, 0o644) },
			func() error { return os.WriteFile(path, []byte(text), 0o644) },
			func() error { return os.Remove(path + "~") })
	},
	"vim, backupcopy=no": func(path, text string) error {
		return first(tryOut(path),
			func() error { return os.Rename(path, path+"~") },
			func() error { return os.WriteFile(path, []byte(text), 0o644) },
			func() error { return os.Remove(path + "~") })
	},
	"vim, backupcopy=auto in a folder where no backup can be made": func(path, text string) error {
		return first(tryOut(path), func() error { return os.WriteFile(path, []byte(text), 0o644) })
	},
	"emacs": func(path, text string) error {
		lock, auto := beside(path, ".#%s"), beside(path, "#%s#")
		hold := func() error { return os.Symlink("user@host.1:2", lock) }
		if runtime.GOOS == "windows" { // where it makes a file
			hold = func() error { return os.WriteFile(lock, []byte("user@host.1:2"), 0o644) }
		}
		return first(hold(),
			func() error { return os.WriteFile(auto, []byte(text), 0o644) },
			func() error { return os.Rename(path, path+"~") },
			func() error { return os.WriteFile(path, []byte(text), 0o644) },
			func() error { return os.Remove(auto) },
			func() error { return os.Remove(lock) })
	},
	"sed -i": func(path, text string) error {
		return replaced(filepath.Join(filepath.Dir(path), "sedAb3xYz"), path, text)
	},
	"temporary file and rename": func(path, text string) error {
		return replaced(path+".tmp", path, text)
	},
	"Syncthing": func(path, text string) error {
		old := filepath.Join(filepath.Dir(path), ".stversions", filepath.Base(path))
		return first(os.MkdirAll(filepath.Dir(old), 0o755),
			func() error { return os.WriteFile(beside(path, ".syncthing.%s.tmp"), []byte(text), 0o644) },
			func() error { return os.Rename(path, old) },
			func() error { return os.Rename(beside(path, ".syncthing.%s.tmp"), path) })
	},
	"rsync -t, with the old time": func(path, text string) error {
		before, err := os.Stat(path)
		part := beside(path, ".%s.aB3dE6")
		return first(err,
			func() error { return os.WriteFile(part, []byte(text), 0o600) },
			func() error { return os.Chtimes(part, before.ModTime(), before.ModTime()) },
			func() error { return os.Rename(part, path) })
	},
	"in place, with the old time": func(path, text string) error {
		before, err := os.Stat(path)
		return first(err,
			func() error { return os.WriteFile(path, []byte(text), 0o644) },
			func() error { return os.Chtimes(path, before.ModTime(), before.ModTime()) })
	},
	"git checkout": func(path, text string) error {
		lock := filepath.Join(filepath.Dir(path), ".git", "index.lock")
		return first(os.MkdirAll(filepath.Dir(lock), 0o755),
			func() error { return os.WriteFile(lock, nil, 0o644) },
			func() error { return os.Remove(path) },
			func() error { return os.WriteFile(path, []byte(text), 0o644) },
			func() error { return os.Rename(lock, filepath.Join(filepath.Dir(lock), "index")) })
	},
	"empty first, then piece by piece": func(path, text string) error {
		if err := os.Truncate(path, 0); err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		for _, c := range []byte(text) {
			if _, err := f.Write([]byte{c}); err != nil {
				return err
			}
		}
		return f.Close()
	},
	"exchange through a hard link": func(path, text string) error {
		return first(os.WriteFile(path+".new", []byte(text), 0o644),
			func() error { return os.Remove(path) },
			func() error { return os.Link(path+".new", path) },
			func() error { return os.Remove(path + ".new") })
	},
}

// Each way of saving, many times on the same note.
func TestSaves(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		for name, save := range saves {
			t.Run(name, func(t *testing.T) {
				v := watched(t, t.TempDir(), mode)
				v.write("dir/n.md", "start")
				v.until("the new note", func() bool { return v.sees("dir/n.md", "start") })
				for i := range 30 {
					text := fmt.Sprintf("text %02d", i) // always of the same size
					must(t, save(v.path("dir/n.md"), text))
					v.until(text, func() bool { return v.sees("dir/n.md", text) })
				}
				v.settled()
				v.stop()
				for _, e := range v.events {
					if e.Path != "dir/n.md" {
						t.Errorf("reported %s", e.Path)
					}
				}
			})
		}
	})
}

// Of each way of saving every message is lost, and the comparison that nothing asks
// for finds it.
func TestSavesOfWhichNothingIsTold(t *testing.T) {
	t.Parallel()
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			v := newVault(t, t.TempDir(), func(o *Options) { o.Rescan = 5 * time.Millisecond })
			v.w.opener = func(string, *source.Hints, *slog.Logger) (source.Source, error) { return deaf{}, nil }
			v.write("dir/n.md", "start")
			v.start()
			v.waitReady()
			for i := range 5 {
				text := fmt.Sprintf("text %02d", i)
				must(t, save(v.path("dir/n.md"), text))
				v.until(text, func() bool { return v.sees("dir/n.md", text) })
			}
			v.settled()
			if s := v.w.Stats(); s.Source != "deaf" || s.Rescans == 0 {
				t.Errorf("found by other means: %+v", s)
			}
		})
	}
}

// tryOut makes the file by which vim finds out whether it may write.
func tryOut(path string) error {
	probe := filepath.Join(filepath.Dir(path), "4913")
	return first(os.WriteFile(probe, nil, 0o644), func() error { return os.Remove(probe) })
}

func replaced(draft, path, text string) error {
	return first(os.WriteFile(draft, []byte(text), 0o644), func() error { return os.Rename(draft, path) })
}

// beside is a name in the folder of path, made of its base.
func beside(path, format string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(format, filepath.Base(path)))
}

// first goes through steps until one fails. Windows refuses some of them for as long
// as somebody reads the note; programs made for it try again.
func first(err error, steps ...func() error) error {
	for _, step := range steps {
		if err != nil {
			return err
		}
		deadline := time.Now().Add(patience)
		for err = step(); inUse(err) && time.Now().Before(deadline); err = step() {
			<-time.After(time.Millisecond)
		}
	}
	return err
}

// inUse reports whether Windows has said that a file is in use, or that a name is
// there which is being deleted.
func inUse(err error) bool {
	if runtime.GOOS != "windows" {
		return false
	}
	const accessDenied, sharingViolation, fileExists, alreadyExists = 5, 32, 80, 183
	for _, code := range []syscall.Errno{accessDenied, sharingViolation, fileExists, alreadyExists} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}
