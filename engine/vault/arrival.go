package vault

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"
	"sort"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// A marker in a note from elsewhere may be another person's words. So what came
// with a note that is not trusted waits for the user, and what the user writes into it
// later does not. The journal remembers the lines such a note had.

// Why markers are held, in words a person reads.
const (
	cameWithNote  = "brought by a note from elsewhere (wiki.untrusted, or a source or url in its properties)"
	cameWithVault = "written before the vault was first watched"
)

// ownLines is how many other new lines a person writes along with a marker between
// two looks; with more of them it was not written but brought.
const ownLines = 3

// unpackingTime is how long a note that has just appeared may go on being written by
// whoever brought it, a sync program or a clipper: four times as long as a line
// settles, which is 10 s.
func (v *Vault) unpackingTime() time.Duration { return 4 * v.settling.wait }

// lineSet is the hashes of lines, sorted and without repetition.
type lineSet []byte

const hashSize = 8

func hashLine(line []byte) []byte {
	sum := sha256.Sum256(bytes.TrimSpace(line))
	return sum[:hashSize]
}

// linesOf returns the non-blank lines of a note.
func linesOf(src []byte) lineSet {
	var lines [][]byte
	for line := range bytes.Lines(src) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, hashLine(line))
		}
	}
	return setOf(lines)
}

func setOf(lines [][]byte) lineSet {
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(slices.CompactFunc(lines, bytes.Equal), nil)
}

func (s lineSet) splitLines() [][]byte {
	return slices.Collect(slices.Chunk([]byte(s), hashSize))
}

func (s lineSet) lineAt(i int) []byte { return s[i*hashSize : (i+1)*hashSize] }

func (s lineSet) hasLine(hash []byte) bool {
	_, found := sort.Find(len(s)/hashSize, func(i int) int { return bytes.Compare(hash, s.lineAt(i)) })
	return found
}

// withoutLines returns the lines that are not in old. Both are sorted, so one walk does.
func (s lineSet) withoutLines(old lineSet) (rest lineSet) {
	i, j := 0, 0
	for i < len(s)/hashSize {
		order := 1
		if j < len(old)/hashSize {
			order = bytes.Compare(old.lineAt(j), s.lineAt(i))
		}
		switch {
		case order < 0:
			j++
		case order == 0:
			i++
		default:
			rest = append(rest, s.lineAt(i)...)
			i++
		}
	}
	return rest
}

// markerLines returns the marker lines of a note.
func markerLines(markers []note.Marker) lineSet {
	lines := make([][]byte, len(markers))
	for i, m := range markers {
		lines[i] = hashLine([]byte(m.Text))
	}
	return setOf(lines)
}

// newArrival is what is remembered of a note from elsewhere that is seen first. All
// its lines came with it, also those that are no markers yet: one may become a
// marker when the text around it changes.
func newArrival(rel string, now time.Time, src []byte) journal.Arrival {
	lines := linesOf(src)
	return journal.Arrival{File: rel, Seen: now, Reason: cameWithNote, Lines: lines, Came: lines}
}

// growArrival updates what is remembered of a note: new lines came as well if it is
// still young, or if they are more than a person writes at once.
func growArrival(a journal.Arrival, young bool, src []byte, markers []note.Marker) journal.Arrival {
	lines := linesOf(src)
	fresh := lines.withoutLines(a.Lines)
	others := fresh.withoutLines(markerLines(markers))
	if young || len(others) > ownLines*hashSize {
		a.Came = setOf(append(lineSet(a.Came).splitLines(), fresh.splitLines()...))
	}
	a.Lines = lines
	return a
}

// findRenamed is newArrival for a note that may be a known one under a new name: one that
// had the same lines and is gone. Then no line comes with it that had not come before.
// The caller holds mu.
func (v *Vault) findRenamed(ctx context.Context, s Save, src []byte, markers []note.Marker) (journal.Arrival, error) {
	now := newArrival(s.Rel, s.Seen, src)
	if len(markers) == 0 {
		return now, nil
	}
	alike, err := v.opts.Journal.Alike(ctx, v.Root, now.Lines)
	if err != nil {
		return now, err
	}
	for _, a := range alike {
		if v.isGone(a.File) {
			a.File = s.Rel
			return a, nil
		}
	}
	return now, nil
}

// isUntrusted reports whether the markers that come with a note wait for a person.
func (v *Vault) isUntrusted(rel string, src []byte) bool {
	return config.Match(v.opts.Config.Untrusted, rel) || note.Clipped(src)
}

// recordArrival returns the lines of a note whose markers wait for a person, and why; it remembers the note as it is now. The caller holds mu.
func (v *Vault) recordArrival(ctx context.Context, s Save, src []byte, doc note.Doc) (waits lineSet, reason string, err error) {
	untrusted := v.isUntrusted(s.Rel, src)
	if !untrusted && len(doc.Markers) == 0 {
		return nil, "", nil
	}
	a, known, err := v.opts.Journal.Arrival(ctx, v.Root, s.Rel)
	if err != nil {
		return nil, "", err
	}
	next := a
	switch {
	case untrusted && !known:
		if next, err = v.findRenamed(ctx, s, src, doc.Markers); err != nil {
			return nil, "", err
		}
	case untrusted:
		if v.departed[s.Rel] {
			a.Seen = s.Seen // whoever brings it back may bring other lines
			delete(v.departed, s.Rel)
		}
		next = growArrival(a, s.Seen.Sub(a.Seen) < v.unpackingTime(), src, doc.Markers)
	case !known && !v.met && len(doc.Markers) > FewMarkers:
		next = journal.Arrival{File: s.Rel, Seen: s.Seen, Reason: cameWithVault, Came: markerLines(doc.Markers)}
	}
	if !bytes.Equal(next.Lines, a.Lines) || !bytes.Equal(next.Came, a.Came) {
		err = v.opts.Journal.Arrive(ctx, v.Root, next)
	}
	return next.Came, next.Reason, err
}
