package copies

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/filename"
)

// FindVersion returns the note of which another one is a second version by its name, if it is there, and the program that gives
// such names. The note is not believed to be gone before it has been for the time settle; again is how much of that is left.
// It touches the disk where the name is such a one.
func (m *Memory) FindVersion(rel string, settle time.Duration) (original, by string, again time.Duration) {
	for _, o := range filename.Originals(rel) {
		if !o.Sure {
			continue
		}
		if m.stands(o.Rel) {
			m.stood(rel)
		} else if again = m.missed(rel, settle); again <= 0 {
			continue
		}
		return o.Rel, o.By, again
	}
	delete(m.missing, rel)
	return "", "", 0
}

// Forget says that a note is not there any more.
func (m *Memory) Forget(rel string) {
	delete(m.missing, rel)
	delete(m.lost, rel)
	delete(m.came, rel)
}

// stood remembers that the original of a note stands.
func (m *Memory) stood(rel string) {
	if m.missing == nil {
		m.missing = make(map[string]time.Time)
	}
	m.missing[rel] = time.Time{}
}

// missed remembers that the original of a note does not stand any more, and returns for how long it may yet come back.
func (m *Memory) missed(rel string, settle time.Duration) time.Duration {
	since, known := m.missing[rel]
	switch {
	case !known:
		return 0
	case since.IsZero():
		since = time.Now()
		m.missing[rel] = since
	}
	return settle - time.Since(since)
}

// lookedFor is how long a note that is gone is looked for under another name before its copy is a note of its own.
const lookedFor = 20 * time.Second

// mayReturn reports whether the original of a known copy, which does not stand, has been looked for no longer than a rename takes
// to be found.
func (m *Memory) mayReturn(rel string) bool {
	if m.lost == nil {
		m.lost = make(map[string]time.Time)
	}
	if m.lost[rel].IsZero() {
		m.lost[rel] = time.Now()
	}
	return time.Since(m.lost[rel]) < lookedFor
}

// IsNamed reports whether a note has a name that a program gives to second versions of another one.
func IsNamed(rel, original string) bool {
	return slices.ContainsFunc(filename.Originals(rel), func(o filename.Original) bool { return o.Sure && o.Rel == original })
}

// stands reports whether there is a note at a path.
func (m *Memory) stands(rel string) bool {
	info, err := m.Stat(rel)
	return err == nil && !info.IsDir()
}

// Doubles are the notes that say nothing which their originals do not: second versions by their names, and those
// with the name of a copy all of whose lines stand in the original. Its zero value has none; it is safe for concurrent use,
// and [Doubles.Has] waits for no disk.
type Doubles struct {
	mu   sync.Mutex                 // guards the fields below
	are  map[string]bool            // notes that are
	may  map[string]map[string]bool // notes that may be, by each of their originals
	hold map[string][]string        // the originals of these
}

// Update brings up to date which of some notes are. stands reports whether there is a note, and read reads one; they are
// called for names of copies only.
func (d *Doubles) Update(notes []string, stands func(rel string) bool, read func(rel string) ([]byte, error)) {
	originals := lineSets{read: read}
	for _, rel := range notes {
		is := false
		var held []string
		all := filename.Originals(rel)
		if len(all) > 0 && !stands(rel) {
			all = nil // what is gone is none of any
		}
		for _, o := range all {
			there := stands(o.Rel)
			if there || o.By != filename.Host { // it may yet come; of names with a hyphen there are too many
				held = append(held, o.Rel)
			}
			is = is || there && (o.Sure || originals.hold(rel, o.Rel))
		}
		d.keep(rel, held, is)
	}
}

// keep remembers a note with the originals it may have, and whether it is a double.
func (d *Doubles) keep(rel string, originals []string, is bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.are == nil {
		d.are, d.may, d.hold = make(map[string]bool), make(map[string]map[string]bool), make(map[string][]string)
	}
	for _, o := range d.hold[rel] {
		if delete(d.may[o], rel); len(d.may[o]) == 0 {
			delete(d.may, o)
		}
	}
	delete(d.hold, rel)
	delete(d.are, rel)
	if len(originals) > 0 {
		d.hold[rel] = originals
	}
	for _, o := range originals {
		if d.may[o] == nil {
			d.may[o] = make(map[string]bool)
		}
		d.may[o][rel] = true
	}
	if is {
		d.are[rel] = true
	}
}

// Has reports whether a note was one at the last update.
func (d *Doubles) Has(rel string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.are[rel]
}

// Of returns the notes that may be one of this note: what they are may be another thing when it has changed.
func (d *Doubles) Of(original string) (notes []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for rel := range d.may[original] {
		notes = append(notes, rel)
	}
	return notes
}

// lineSets are the lines of some notes, so that one with many copies is read once for all of them.
type lineSets struct {
	read func(rel string) ([]byte, error)
	of   map[string]map[string]bool
}

// mostSets is how many are kept at once: a note with copies may be one itself, and copies follow each other.
const mostSets = 4

// hold reports whether each line of a note stands in another one. Questions do not count, for there they
// may have their answers.
func (s *lineSets) hold(rel, original string) bool {
	stands := s.linesOf(original)
	if stands == nil {
		return false
	}
	src, err := s.read(rel)
	if err != nil {
		return false
	}
	for _, line := range note.Lines(src) {
		if line = strings.TrimSpace(line); line != "" && !stands[line] && !strings.Contains(line, note.MarkerStart) {
			return false
		}
	}
	return true
}

// linesOf returns the lines of a note; nil is one that cannot be read.
func (s *lineSets) linesOf(rel string) map[string]bool {
	lines, known := s.of[rel]
	if known {
		return lines
	}
	if src, err := s.read(rel); err == nil {
		lines = make(map[string]bool)
		for _, line := range note.Lines(src) {
			lines[strings.TrimSpace(line)] = true
		}
	}
	if len(s.of) >= mostSets {
		s.of = nil
	}
	if s.of == nil {
		s.of = make(map[string]map[string]bool, mostSets)
	}
	s.of[rel] = lines
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
		_ = filepath.WalkDir(n.root, n.visitFile) // what cannot be read is left out
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
