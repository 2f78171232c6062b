package copies

import (
	"bytes"
	"context"
	"crypto/sha256"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/noteindex"
)

// No table knows every name. So a note counts as a copy of another if it comes after a question
// of that note was accepted, its name is that note's with something added, its text is much the
// same, and it has the question between the same lines. A wrong guess costs more than a second
// answer does, so each of the conditions has to hold.

const (
	lately      = 30 * 24 * time.Hour // how long an answer is remembered for this
	leastShared = 5                   // lines
	mostAdded   = 8                   // ends of a name that are tried
)

// FindAlike returns the markers of a note that were asked in its original, by that rule. A
// finding holds until the line is edited or the other note is gone, even if the lines around it
// change. It touches the disk.
func (m *Memory) FindAlike(ctx context.Context, rel string, src []byte, markers []note.Marker) (original string, alike []note.Marker, err error) {
	known, err := m.Journal.Copy(ctx, m.Root, rel)
	if err != nil {
		return "", nil, err
	}
	originals, found := shorten(rel), len(known.Markers) > 0
	if found {
		originals = []string{known.Original}
	}
	came := m.Birth(rel)
	isNew := time.Since(came) <= burst.Within
	if !found && !isNew {
		return "", nil, nil
	}
	for _, original = range originals {
		if !m.stands(original) {
			continue
		}
		var asked map[string]bool
		if isNew {
			if asked, err = m.askedAlike(ctx, original, src, came); err != nil {
				return "", nil, err
			}
		}
		for _, marker := range markers {
			if found && holds(known.Markers, marker) || asked[placed(marker.Trace())] {
				alike = append(alike, marker)
			}
		}
		if len(alike) > 0 {
			return original, alike, m.keepAlike(ctx, rel, original, known.Markers, alike)
		}
	}
	return "", nil, nil
}

// keepAlike remembers which markers of a note were found, besides those that were before.
func (m *Memory) keepAlike(ctx context.Context, rel, original string, before []byte, alike []note.Marker) error {
	now := slices.Clone(before)
	for _, a := range alike {
		if !holds(now, a) {
			now = append(now, hashOf(a)...)
		}
	}
	if len(now) == len(before) {
		return nil
	}
	return m.Journal.SetCopy(ctx, m.Root, journal.Copy{File: rel, Time: time.Now(), Original: original, Markers: now})
}

// hashOf is what is remembered of a marker: its lines.
func hashOf(marker note.Marker) []byte {
	sum := sha256.Sum256([]byte(note.UnifyLineEnds(marker.Text)))
	return sum[:]
}

// holds reports whether a marker is among those that are remembered.
func holds(hashes []byte, marker note.Marker) bool {
	want := hashOf(marker)
	for known := range slices.Chunk(hashes, len(want)) {
		if bytes.Equal(known, want) {
			return true
		}
	}
	return false
}

// placed returns one key for a line and its neighbours.
func placed(t note.Trace) string {
	return strings.Join([]string{note.UnifyLineEnds(t.Text), t.Upper, t.Lower}, "\x00")
}

// askedAlike returns the places of the questions of a note that are open or were answered lately,
// and were accepted before another one came, if that says much the same.
func (m *Memory) askedAlike(ctx context.Context, rel string, src []byte, came time.Time) (asked map[string]bool, err error) {
	open, err := m.Journal.Claims(ctx, m.Root, rel)
	if err != nil {
		return nil, err
	}
	written, err := m.Journal.WrittenInto(ctx, m.Root, rel)
	if err != nil {
		return nil, err
	}
	asked = make(map[string]bool)
	for _, c := range open {
		if !c.Accepted.After(came) {
			asked[placed(c.Trace())] = true
		}
	}
	for _, d := range written {
		if d.Created.After(came) || time.Since(d.Finished) > lately {
			continue
		}
		for _, marker := range d.Markers {
			asked[placed(marker.Trace)] = true
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	other, err := m.Read(rel)
	if err != nil || !sharesLines(src, other) {
		return nil, nil // where it cannot be read it is going
	}
	return asked, nil
}

// sharesLines reports whether at least four of five lines of a note, and not too few, are in
// another note.
func sharesLines(src, other []byte) bool {
	stands := noteindex.SetOf(linesOf(other))
	all, shared := 0, 0
	for _, line := range linesOf(src) {
		all++
		if stands[line] {
			shared++
		}
	}
	return shared >= leastShared && 5*shared >= 4*all
}

// linesOf returns the lines of a note that say something, without its properties and questions.
func linesOf(src []byte) (lines []string) {
	all := note.Lines(src)
	if properties := len(note.Properties(src)); properties > 0 {
		all = all[properties+2:]
	}
	for _, line := range all {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, note.MarkerStart) {
			lines = append(lines, line)
		}
	}
	return lines
}

// shorten returns the notes of the same folder whose names this one has with something added that
// begins with neither letter nor digit, the longest first.
func shorten(rel string) (originals []string) {
	dir, base := path.Split(rel)
	stem := filename.TrimExtension(base)
	extension := base[len(stem):]
	for end := len(stem); end > 0 && len(originals) < mostAdded; {
		last, size := utf8.DecodeLastRuneInString(stem[:end])
		end -= size
		before := stem[:end]
		if isWord(last) || unicode.IsMark(last) || before == "" || isNumbered(stem[end:]) {
			continue
		}
		if before == strings.TrimRight(before, " ") { // no name ends with a space
			originals = append(originals, dir+before+extension)
		}
	}
	return originals
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isNumbered reports whether what was added to a name is a number that no file manager gives so
// soon, or the day, week or quarter of a note that is made again and again: Weekly 48,
// 2026-01-02, Review 2026-W05. A time of day is a program's.
func isNumbered(added string) bool {
	digits := strings.Trim(added, " ()-_#.")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && len(digits) > 1 || dated().MatchString(strings.Trim(added, " -_"))
}

var dated = lazyregexp.New(`^(?:19|20)[0-9]{2}[-_. ]?(?:(?:K?W|Q)[0-9]{1,2}|[0-9]{2}[-_. ]?[0-9]{2}|[0-9]{2})$`)
