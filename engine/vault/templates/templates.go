// Package templates says which notes of a vault are templates, by the settings of its note app and the
// notes themselves. engine/note/apps describes these settings and signs.
//
//	if t, ok := list.Of("Meta/Templates/Daily.md"); ok { ... } // t.Setting says so
//	part, ok := templates.FindParts(page).At(m.Line)            // a question is in a part that is one
//
// # Promises
//
// A setting always counts in its current form: its file is looked at with each call, and read when it
// has changed. A disk that hangs holds up one call for at most [patience.DiskTime], and the others not
// at all; then the last reading counts. An empty setting, the vault itself and a place outside of it
// do not count. Nothing is written.
package templates

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"vaultdispatcher/engine/note/apps"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/patience"
)

// Named is a template, or a folder with templates, that settings name.
type Named struct {
	Path    string // in the vault, with slashes
	Setting string // the file that names it
	IsNote  bool   // it is a note, with .md or without
}

// place is where a template is, or a folder of them.
type place struct {
	Named
	isLink bool // no note was there, so Obsidian takes it for a link, which may leave the first folders out
}

// holds reports whether a note is the template or in the folder.
func (t place) holds(rel string) bool {
	if t.IsNote {
		note, template := filename.TrimExtension(fold(rel)), filename.TrimExtension(fold(t.Path))
		return note == template || t.isLink && strings.HasSuffix(note, "/"+template)
	}
	return strings.HasPrefix(fold(rel), fold(t.Path)+"/")
}

// mostBytes is how large a file of settings may be; QuickAdd has all its choices in it.
const mostBytes = 4 << 20

// Templates knows what the settings of one vault name. It is safe for concurrent use.
type Templates struct {
	root string
	look func(name string) (fs.FileInfo, error)
	read func(name string) ([]byte, error)

	mu    sync.Mutex // guards the fields below
	busy  bool       // a reading has not come back
	files []state    // by setting, as they were read last
}

// state is the last reading of a file of settings.
type state struct {
	size    int64
	changed time.Time
	named   []place
}

// New returns the templates of the vault at root. It touches nothing.
func New(root string) *Templates {
	return &Templates{root: root, look: os.Stat, read: readFile, files: make([]state, len(apps.Settings()))}
}

// Of returns what of the settings a note is, or is in. It touches the disk.
func (f *Templates) Of(rel string) (Named, bool) {
	f.refresh()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.files {
		if i := slices.IndexFunc(s.named, func(t place) bool { return t.holds(rel) }); i >= 0 {
			return s.named[i].Named, true
		}
	}
	return Named{}, false
}

// fold is a path as disks compare it that know no case.
func fold(rel string) string { return strings.ToLower(norm.NFC.String(rel)) }

// refresh reads what has changed. It does not wait where an earlier reading has not come back.
func (f *Templates) refresh() {
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
	late := time.NewTimer(patience.DiskTime)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// readSetting returns the current setting. If it cannot be read, because the note app is writing it,
// the last reading counts.
func (f *Templates) readSetting(i int, before state) state {
	setting := apps.Settings()[i]
	name := filepath.Join(f.root, filepath.FromSlash(setting.File))
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
	var values any
	if err != nil || json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &values) != nil {
		return before
	}
	now := state{size: info.Size(), changed: info.ModTime()}
	for i, key := range slices.Concat(setting.Folders, setting.Notes) {
		key, sub, _ := strings.Cut(key, "/")
		for _, text := range textsUnder(values, key, nil) {
			if rel, ok := clean(text); ok {
				isNote := i >= len(setting.Folders)
				now.named = append(now.named, place{Named{path.Join(rel, sub), setting.File, isNote}, isNote && !f.isThere(rel)})
			}
		}
	}
	return now
}

// isThere reports whether a template is where its path says, with .md or without. Otherwise the app follows it as a link:
// https://github.com/liamcain/obsidian-daily-notes-interface/blob/main/src/vault.ts (getTemplateInfo)
func (f *Templates) isThere(rel string) bool {
	return slices.ContainsFunc([]string{rel, rel + ".md"}, func(name string) bool {
		info, err := f.look(filepath.Join(f.root, filepath.FromSlash(name)))
		return err == nil && info.Mode().IsRegular()
	})
}

// textsUnder adds to texts those that a value has under a key, at any depth: a text each, or the texts of a list.
func textsUnder(value any, key string, texts []string) []string {
	switch value := value.(type) {
	case []any:
		for _, part := range value {
			texts = textsUnder(part, key, texts)
		}
	case map[string]any:
		for name, part := range value {
			if name != key {
				texts = textsUnder(part, key, texts)
				continue
			}
			for _, text := range listOf(part) {
				if text, ok := text.(string); ok {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

// listOf returns a list as it is, and any other value as a list of one.
func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
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

// IsModel reports whether a person put the text of a note there on purpose, for other notes or as a
// part of a drawing. It touches the disk.
func (f *Templates) IsModel(rel string, doc note.Doc) bool {
	_, ok := f.Of(rel)
	return ok || doc.Drawing
}
