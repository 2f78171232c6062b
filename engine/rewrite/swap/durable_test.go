package swap

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// powered is the operating system's Files, and knows what a power cut would take: bytes that are not on the disk
// yet, and names. It says so where something is built on them.
type powered struct {
	Files
	unsynced []fs.FileInfo // files with bytes that are not on the disk
	folders  []string      // with names that are not
	faults   []string
}

func (p *powered) isUnsynced(name string) bool {
	fi, err := os.Lstat(name)
	return err == nil && slices.ContainsFunc(p.unsynced, func(u fs.FileInfo) bool { return os.SameFile(u, fi) })
}

func (p *powered) needSynced(what, name string) {
	if p.isUnsynced(name) {
		p.faults = append(p.faults, fmt.Sprintf("%s %s, whose bytes are not on the disk", what, filepath.Base(name)))
	}
}

func (p *powered) Create(name string) (Handle, error) {
	p.folders = append(p.folders, filepath.Dir(name))
	h, err := p.Files.Create(name)
	return &poweredHandle{h, p}, err
}

func (p *powered) Open(name string, hold Hold) (Handle, error) {
	h, err := p.Files.Open(name, hold)
	return &poweredHandle{h, p}, err
}

func (p *powered) Rename(from, to string) error {
	p.needSynced("renames", from)
	p.folders = append(p.folders, filepath.Dir(to))
	return p.Files.Rename(from, to)
}

func (p *powered) RenameNew(from, to string) error {
	p.needSynced("renames", from)
	p.folders = append(p.folders, filepath.Dir(to))
	return p.Files.RenameNew(from, to)
}

func (p *powered) Exchange(temp, note string) error {
	p.needSynced("exchanges", temp)
	err := p.Files.Exchange(temp, note)
	if err == nil {
		p.folders = append(p.folders, filepath.Dir(note))
	}
	return err
}

func (p *powered) Remove(name string) error {
	if fi, err := os.Lstat(name); err == nil {
		p.forget(fi)
	}
	return p.Files.Remove(name)
}

// wantSynced fails for each fault, and for a file that was left with bytes that are not on the disk.
func (p *powered) wantSynced(t *testing.T, path string) {
	t.Helper()
	p.needSynced("is done with", path)
	for _, fault := range p.faults {
		t.Error(fault)
	}
}

// forget is for a file whose bytes are on the disk, or that is no more.
func (p *powered) forget(fi fs.FileInfo) {
	p.unsynced = slices.DeleteFunc(p.unsynced, func(u fs.FileInfo) bool { return os.SameFile(u, fi) })
}

func (p *powered) SyncDir(name string) error {
	p.folders = slices.DeleteFunc(p.folders, func(f string) bool { return f == name })
	return p.Files.SyncDir(name)
}

// poweredHandle is an open file of a powered disk.
type poweredHandle struct {
	Handle
	disk *powered
}

func (h *poweredHandle) written() {
	if fi, err := h.Stat(); err == nil {
		h.disk.unsynced = append(h.disk.unsynced, fi)
	}
}

func (h *poweredHandle) WriteAt(b []byte, at int64) (int, error) {
	h.written()
	return h.Handle.WriteAt(b, at)
}

func (h *poweredHandle) Append(b []byte) (int64, error) {
	h.written()
	return h.Handle.Append(b)
}

func (h *poweredHandle) Truncate(size int64) error {
	h.written()
	return h.Handle.Truncate(size)
}

func (h *poweredHandle) Like(other Handle) error {
	h.written()
	if o, ok := other.(*poweredHandle); ok {
		other = o.Handle
	}
	return h.Handle.Like(other)
}

func (h *poweredHandle) Sync() error {
	if fi, err := h.Stat(); err == nil {
		h.disk.forget(fi)
	}
	return h.Handle.Sync()
}

// What an exchange has said is done, a power cut does not undo: no name is given to bytes that are not on the disk, and
// when it returns, the note's bytes and its name are.
func TestPowerCut(t *testing.T) {
	for name, files := range map[string]Files{"exchange": osFiles{}, "in place": noExchange()} {
		for shape, texts := range map[string][2]string{
			"longer": {"a\n", "a\nand more\n"}, "shorter": {"a long line\n", "a\n"}, "other": {before, after},
		} {
			t.Run(name+" "+shape, func(t *testing.T) {
				root, path := vault(t, texts[0])
				disk := &powered{Files: files}
				var log []Intention
				c := change(root, path, texts[0], texts[1], &log)
				record := c.Log
				c.Log = func(in Intention) error {
					disk.needSynced("tells the journal of", in.Temp)
					if name == "in place" && strings.HasSuffix(in.Temp, baseKind) && slices.Contains(disk.folders, filepath.Dir(in.Temp)) {
						t.Error("the journal is told of the old text, whose name is not on the disk")
					}
					return record(in)
				}
				out, err := On(disk).File(context.Background(), c)
				if err != nil || !out.Written {
					t.Fatalf("%+v, %v", out, err)
				}
				disk.wantSynced(t, path)
				if slices.Contains(disk.folders, filepath.Dir(path)) {
					t.Error("the note's name is not on the disk")
				}
				settle(t, On(disk), out, log, "")
			})
		}
	}
}

// A save that came between is kept beside the note, on the disk before anything else goes on.
func TestPowerCutBesideAnEditor(t *testing.T) {
	root, path := vault(t, before)
	disk := &powered{}
	disk.Files = hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		if read(t, path) == before {
			saveByRename(t, path, "somebody's\n")
		}
		return osFiles{}.Exchange(temp, note)
	}}
	var log []Intention
	if _, err := On(disk).File(context.Background(), change(root, path, before, after, &log)); err == nil {
		t.Fatal("the save was not noticed")
	}
	wantNote(t, path, "somebody's\n")
	if slices.Contains(disk.folders, filepath.Dir(path)) {
		t.Error("the note's name is not on the disk")
	}
	disk.wantSynced(t, path)
}

// What somebody has written into a displaced version is on the disk beside the note, with its name, before it is taken
// away where it was: it may be moved there, or copied where a file system cannot move without replacing.
func TestPowerCutOfACopy(t *testing.T) {
	for name, copied := range map[string]bool{"moved": false, "copied": true} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			if !Probe(root).Exchange {
				t.Log("nothing is displaced on this file system")
				return
			}
			var log []Intention
			out, err := On(nil).File(context.Background(), change(root, path, before, after, &log))
			if err != nil {
				t.Fatal(err)
			}
			kept := siblingTemp(out.Displaced, keptKind)
			write(t, kept, before+"late words\n")
			disk := &powered{}
			disk.Files = hooked{Files: osFiles{}, noRenameNew: copied, remove: func(name string) error {
				if name == kept && slices.Contains(disk.folders, root) {
					t.Error("the words are removed before the name of their copy is on the disk")
				}
				return osFiles{}.Remove(name)
			}}
			end, err := On(disk).Settle(log[0])
			if err != nil || end.Conflict == "" {
				t.Fatalf("%+v, %v", end, err)
			}
			wantNote(t, end.Conflict, before+"late words\n")
			disk.wantSynced(t, end.Conflict)
			if slices.Contains(disk.folders, root) {
				t.Error("the name of the copy is not on the disk")
			}
		})
	}
}
