package copies

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/vault/noteindex"
)

// FindVersion returns the note that another one is a second version of by its name, if that note
// is there, and the program that gives such names. A note counts as gone only after the time
// settle; again is how much of it is left. FindVersion touches the disk only for such a name.
func (m *Memory) FindVersion(rel string, settle time.Duration) (original, by string, again time.Duration) {
	for _, o := range filename.Originals(rel) {
		if !o.Sure {
			continue
		}
		if m.stands(o.Rel) {
			m.notes.Edit(rel, func(s *noteState) { s.hadOriginal, s.missingSince = true, time.Time{} })
		} else if again = m.missed(rel, settle); again <= 0 {
			continue
		}
		return o.Rel, o.Program, again
	}
	m.notes.Edit(rel, func(s *noteState) { s.hadOriginal, s.missingSince = false, time.Time{} })
	return "", "", 0
}

// Forget says that a note is not there any more.
func (m *Memory) Forget(rel string) { m.notes.Edit(rel, func(s *noteState) { *s = noteState{} }) }

// missed remembers that the original of a note is missing, and returns for how long it may yet
// come back.
func (m *Memory) missed(rel string, settle time.Duration) time.Duration {
	if !m.notes.Of(rel).hadOriginal {
		return 0
	}
	if m.notes.Of(rel).missingSince.IsZero() {
		m.notes.Edit(rel, func(s *noteState) { s.missingSince = time.Now() })
	}
	return settle - time.Since(m.notes.Of(rel).missingSince)
}

// lookedFor is how long a note that is gone is looked for under another name before its copy is a
// note of its own.
const lookedFor = 20 * time.Second

// mayReturn reports whether the missing original of a known copy has been missing for less time
// than it takes to find a renamed note.
func (m *Memory) mayReturn(rel string) bool {
	if m.notes.Of(rel).lostSince.IsZero() {
		m.notes.Edit(rel, func(s *noteState) { s.lostSince = time.Now() })
	}
	return time.Since(m.notes.Of(rel).lostSince) < lookedFor
}

// stands reports whether there is a note at a path.
func (m *Memory) stands(rel string) bool {
	info, err := m.Stat(rel)
	return err == nil && !info.IsDir()
}

// Doubles are the notes that only repeat their originals: second versions by their names, and
// notes with the name of a copy whose lines are all in the original. The zero value has no notes;
// it is safe for concurrent use, and [Doubles.Has] waits for no disk.
type Doubles struct {
	mu    sync.Mutex       // guards the field below
	index *noteindex.Index // notes that may be, by each of their originals, and those that are by isDouble
}

// isDouble is a key that is no path, and isNamed begins one of a note whose name only a program
// gives to second versions of the one that follows.
const isDouble, isNamed = "\x00", "\x01"

// Update brings up to date which of some notes are doubles. stands reports whether there is a
// note, and read reads one; Update calls both only for names of copies.
func (d *Doubles) Update(notes []string, stands func(rel string) bool, read func(rel string) ([]byte, error)) {
	originals := lineSets{read: read}
	for _, rel := range notes {
		is := false
		var keys []string
		all := filename.Originals(rel)
		if len(all) > 0 && !stands(rel) {
			all = nil // a missing note is no double
		}
		for _, o := range all {
			there := stands(o.Rel)
			if there || o.Program != filename.Host { // it may yet come; of names with a hyphen there are too many
				if keys = append(keys, o.Rel); o.Sure {
					keys = append(keys, isNamed+o.Rel)
				}
			}
			is = is || there && (o.Sure || originals.hold(rel, o.Rel))
		}
		if is {
			keys = append(keys, isDouble)
		}
		d.locked(func(index *noteindex.Index) { index.Put(rel, keys) })
	}
}

func (d *Doubles) locked(do func(index *noteindex.Index)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.index == nil {
		d.index = noteindex.New()
	}
	do(d.index)
}

// Has reports whether a note was one at the last update.
func (d *Doubles) Has(rel string) (is bool) {
	d.locked(func(index *noteindex.Index) { is = slices.Contains(index.Keys(rel), isDouble) })
	return is
}

// Of returns the notes that may be a double of this note, now or after the note has changed, and
// those of them that are by a name that only a program gives.
func (d *Doubles) Of(original string) (notes, named []string) {
	d.locked(func(index *noteindex.Index) {
		notes = slices.Collect(maps.Keys(index.With(original, "")))
		named = slices.Collect(maps.Keys(index.With(isNamed+original, "")))
	})
	return notes, named
}

// lineSets are the lines of some notes, so that one with many copies is read once for all of
// them.
type lineSets struct {
	read func(rel string) ([]byte, error)
	sets []lineSet // the latest last
}

// lineSet are the lines of a note; nil is one that cannot be read.
type lineSet struct {
	rel   string
	lines []string // sorted
}

// mostSets is how many are kept at once: a note with copies may be one itself, and copies follow
// each other.
const mostSets = 4

// hold reports whether another note has each line of a note. Questions do not count, since the
// other note may have their answers instead.
func (s *lineSets) hold(rel, original string) bool {
	others := s.linesOf(original)
	if others == nil {
		return false
	}
	src, err := s.read(rel)
	if err != nil {
		return false
	}
	for _, line := range note.Lines(src) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, note.MarkerStart) {
			if _, stands := slices.BinarySearch(others, line); !stands {
				return false
			}
		}
	}
	return true
}

// linesOf returns the lines of a note; nil is one that cannot be read.
func (s *lineSets) linesOf(rel string) []string {
	if i := slices.IndexFunc(s.sets, func(l lineSet) bool { return l.rel == rel }); i >= 0 {
		return s.sets[i].lines
	}
	var lines []string
	if src, err := s.read(rel); err == nil {
		lines = []string{}
		for _, line := range note.Lines(src) {
			lines = append(lines, strings.TrimSpace(line))
		}
		slices.Sort(lines)
	}
	s.sets = append(s.sets[max(0, len(s.sets)-mostSets+1):], lineSet{rel, lines})
	return lines
}

// Names finds the files of a folder under other names. It walks the folder once, and only when it
// is asked about a file that has several; one goroutine at a time uses it.
type Names struct {
	root   string
	wanted func(rel string) bool
	walked bool
	files  map[fileID]string // those with several names, and the first that was found of each
}

// FindNames returns what finds those names in the folder at root that are wanted; nil wants none.
func FindNames(root string, wanted func(rel string) bool) *Names {
	return &Names{root: root, wanted: wanted}
}

// Of returns a wanted name of a file, or nothing.
func (n *Names) Of(info os.FileInfo) string {
	if !hasLinks(info) {
		return ""
	}
	if !n.walked {
		n.walked, n.files = true, make(map[fileID]string)
		_ = filepath.WalkDir(n.root, n.visitFile) // unreadable files are left out
	}
	id, _ := identify(info)
	return n.files[id]
}

// NameOf returns a wanted name of the file that has this name in the folder, or the name itself.
func (n *Names) NameOf(rel string) string {
	if n.wanted == nil {
		return rel
	}
	info, err := os.Lstat(filepath.Join(n.root, filepath.FromSlash(rel)))
	if err != nil {
		return rel
	}
	return cmp.Or(n.Of(info), rel)
}

func (n *Names) visitFile(name string, entry fs.DirEntry, err error) error {
	rel, _ := filepath.Rel(n.root, name) // it is in there
	rel = filepath.ToSlash(rel)
	if err != nil || !entry.Type().IsRegular() || !n.wanted(rel) {
		return nil
	}
	info, err := entry.Info()
	if err != nil || !hasLinks(info) {
		return nil
	}
	if id, _ := identify(info); n.files[id] == "" {
		n.files[id] = rel
	}
	return nil
}
