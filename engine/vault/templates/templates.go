// Package templates says which folders of a vault hold templates, as the settings of its note app do: Obsidian's
// own templates and the plugins Templater and QuickAdd; and which notes are no prose.
//
//	if folder, ok := folders.Of("Meta/Templates/Daily.md"); ok { ... } // folder.Setting says so
//
// # Promises
//
// A setting counts as it is now: its file is looked at with each call, and read when it has changed. A disk that
// hangs holds up one call for at most [Patience], and the others not at all; then what was read last counts. An
// empty setting, the vault itself and a place outside of it count as no folder. Nothing is written.
package templates

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// Folder is a folder with templates.
type Folder struct {
	Path    string // in the vault, with slashes
	Setting string // the file that names it
}

// settings are the files that name folders, and the keys under which they do: one text or a list.
var settings = []struct {
	file string
	keys []string
}{
	// https://help.obsidian.md/plugins/templates
	{".obsidian/templates.json", []string{"folder"}},
	// https://github.com/SilentVoid13/Templater/blob/master/src/settings/Settings.ts; before version 1 without the s
	{".obsidian/plugins/templater-obsidian/data.json", []string{"templates_folder", "template_folder"}},
	// https://github.com/chhoumann/quickadd/blob/master/src/settings.ts, which tells of the older key too
	{".obsidian/plugins/quickadd/data.json", []string{"templateFolderPaths", "templateFolderPath"}},
}

// Patience is how long a call waits for the disk.
const Patience = time.Second

// mostBytes is how large a file of settings may be; QuickAdd has all its choices in it.
const mostBytes = 4 << 20

// Folders knows the folders of one vault. It is safe for concurrent use.
type Folders struct {
	root string
	look func(name string) (fs.FileInfo, error)
	read func(name string) ([]byte, error)

	mu    sync.Mutex // guards the fields below
	busy  bool       // a reading has not come back
	files []state    // by setting, as they were read last
}

// state is a file of settings as it was read last.
type state struct {
	size    int64
	changed time.Time
	folders []Folder
}

// New returns the folders of the vault at root. It touches nothing.
func New(root string) *Folders {
	return &Folders{root: root, look: os.Stat, read: readFile, files: make([]state, len(settings))}
}

// Of returns the folder with templates that a note is in. It touches the disk.
func (f *Folders) Of(rel string) (Folder, bool) {
	f.refresh()
	f.mu.Lock()
	defer f.mu.Unlock()
	name := fold(rel)
	for _, s := range f.files {
		for _, folder := range s.folders {
			if strings.HasPrefix(name, fold(folder.Path)+"/") {
				return folder, true
			}
		}
	}
	return Folder{}, false
}

// fold is a path as disks compare it that know no case.
func fold(rel string) string { return strings.ToLower(norm.NFC.String(rel)) }

// refresh reads what has changed. It does not wait where an earlier reading has not come back.
func (f *Folders) refresh() {
	f.mu.Lock()
	if f.busy {
		f.mu.Unlock()
		return
	}
	f.busy = true
	files := slices.Clone(f.files)
	f.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range files {
			files[i] = f.readSetting(i, files[i])
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.busy, f.files = false, files
	}()
	late := time.NewTimer(Patience)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// readSetting returns a setting as it is now. One that cannot be read, because the note app is writing it,
// says what it said before.
func (f *Folders) readSetting(i int, before state) state {
	name := filepath.Join(f.root, filepath.FromSlash(settings[i].file))
	info, err := f.look(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return state{}
	case err != nil || !info.Mode().IsRegular() || info.Size() > mostBytes: // a pipe would be waited for
		return before
	case info.Size() == before.size && info.ModTime().Equal(before.changed):
		return before
	}
	text, err := f.read(name)
	var values map[string]json.RawMessage
	if err != nil || json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &values) != nil {
		return before
	}
	now := state{size: info.Size(), changed: info.ModTime()}
	for _, key := range settings[i].keys {
		for _, folder := range textsOf(values[key]) {
			if rel, ok := clean(folder); ok {
				now.folders = append(now.folders, Folder{rel, settings[i].file})
			}
		}
	}
	return now
}

// textsOf returns the text of a value, or those of a list.
func textsOf(value json.RawMessage) (texts []string) {
	var one string
	if json.Unmarshal(value, &one) == nil {
		return []string{one}
	}
	_ = json.Unmarshal(value, &texts) // what is no text sets nothing
	return texts
}

// outside is the beginning of a path of Windows.
var outside = lazyregexp.New(`^[A-Za-z]:`)

// clean returns a path as the note app takes it, from the top of the vault whatever its slashes are
// (https://docs.obsidian.md/Reference/TypeScript+API/normalizePath); false says that it is no folder in there.
func clean(folder string) (rel string, ok bool) {
	folder = strings.NewReplacer(`\`, "/", "\u00a0", " ", "\u202f", " ").Replace(folder)
	rel = path.Clean(strings.Trim(strings.TrimSpace(folder), "/"))
	return rel, rel != "." && rel != "" && rel != ".." && !strings.HasPrefix(rel, "../") && !outside().MatchString(rel) && !strings.Contains(rel, "\x00")
}

func readFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, mostBytes))
}

// What follows says which notes are no prose, so that no answer belongs into them unless a person asks for it
// there.

// lookForSettings is how soon a note in a folder with templates is looked at again, in case the note app
// names that folder no more.
const lookForSettings = 30 * time.Second

// WhyNoProse says in one sentence why a note is not written into unasked, or nothing, and how soon that may
// be over without a change of the note; zero = never. It touches the disk.
func (f *Folders) WhyNoProse(rel string, doc note.Doc) (why string, later time.Duration) {
	switch {
	case doc.Conflict > 0:
		return fmt.Sprintf("the note is in the middle of a merge (line %d), so one side of it may go; it is asked by itself when that is resolved", doc.Conflict), 0
	case doc.Drawing:
		return "the note is a drawing (its properties have excalidraw-plugin), which an answer would change; ask in another note, or have this one asked with wiki scan", 0
	}
	if folder, ok := f.Of(rel); ok {
		return fmt.Sprintf("the note is in a folder with templates (%s names %s), and an answer would be in each note made from it; ask in one of these, or have this one asked with wiki scan",
			folder.Setting, folder.Path), lookForSettings
	}
	return "", 0
}

// IsModel reports whether what stands in a note was put there on purpose, for other notes or as a part of a
// drawing. It touches the disk.
func (f *Folders) IsModel(rel string, doc note.Doc) bool {
	_, ok := f.Of(rel)
	return ok || doc.Drawing
}
