// Package questions says which lines of a note are its questions: [Memory.Read] parses a note,
// and [ParseAsAsked] one that nobody may have looked at.
//
// A question may go on for several lines, and a person's own words may stand below it. What was
// in the note before tells one from the other. The journal keeps that for each note with quotes,
// and for notes that are gone until they cannot come back under another name.
//
// # Promises
//
// It reads no note. What it remembers is on the disk before Read returns, except between
// [Memory.Begin] and [Memory.End], when many notes are kept in one transaction.
package questions

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/standing"
	"vaultdispatcher/engine/vault/noteindex"
)

// Journal is what a memory asks of the journal ([journal.Journal]).
type Journal interface {
	StandingLines(ctx context.Context, vault, file string) (lines []byte, known bool, err error)
	StandingSums(ctx context.Context, vault string) (map[string]uint64, error)
	KeepStanding(ctx context.Context, vault string, notes map[string][]byte) error
}

// Memory is what a vault has to remember for that. One goroutine at a time uses it.
type Memory struct {
	journal  Journal
	root     string
	isGone   func(rel string) bool
	keepFor  time.Duration     // the lines of a note that is gone
	together bool              // every note is being read: what is to be kept is kept together
	old      map[string]bool   // meanwhile, the notes that stood there before
	pending  map[string][]byte // what is to be kept, by note; nil forgets it
	gone     map[string]bool   // notes that are gone, of which lines are kept
	names    *noteindex.Index  // the same notes
	swept    time.Time         // when the oldest of them was gone
}

// New returns the memory of the vault at root. isGone reports whether there is no note at a path
// any more, and keepFor is how long one that is gone may come back under another name.
func New(j Journal, root string, isGone func(rel string) bool, keepFor time.Duration) *Memory {
	return &Memory{journal: j, root: root, isGone: isGone, keepFor: keepFor, pending: make(map[string][]byte), gone: make(map[string]bool), names: noteindex.New()}
}

// mostTogether is how many notes' lines are kept in one transaction.
const mostTogether = 500

// Read parses a note and leaves in each question what is the question's. It
// remembers the lines of the note as they are now.
func (q *Memory) Read(ctx context.Context, rel string, src []byte, claims []journal.Claim) (note.Doc, error) {
	doc := note.Parse(src)
	if bytes.IndexByte(src, '>') < 0 {
		return doc, nil
	}
	before, known, err := q.readStanding(ctx, rel)
	if err != nil {
		return doc, err
	}
	lines := standing.Read(before)
	if !known && len(doc.Markers) > 0 {
		if lines, err = q.addRenamed(ctx, rel, lines); err != nil {
			return doc, err
		}
	}
	doc = cutOwnWords(lines, src, doc, textsOf(claims), known)
	after := lines.Update(src, doc.Markers).Bytes()
	isKnown := known && bytes.Equal(before, after) || !known && len(after) == 0
	if !isKnown {
		q.pending[rel] = append([]byte{}, after...) // not nil
	}
	if q.together && (isKnown || len(q.pending) < mostTogether) {
		return doc, nil
	}
	return doc, q.flushStanding(ctx)
}

// readStanding returns what is remembered of the lines of a note.
func (q *Memory) readStanding(ctx context.Context, rel string) (lines []byte, known bool, err error) {
	if lines, known = q.pending[rel]; known {
		return lines, lines != nil, nil
	}
	return q.journal.StandingLines(ctx, q.root, rel)
}

// flushStanding keeps what is to be kept, also what could not be kept before.
func (q *Memory) flushStanding(ctx context.Context) error {
	err := q.journal.KeepStanding(ctx, q.root, q.pending)
	if err == nil {
		clear(q.pending)
	}
	return err
}

// anyNote is the key of all notes that are gone.
const anyNote = ""

// addRenamed adds to the lines of a note that is not known what stood in notes that are
// gone: in all when they are very few, else in those that have its name, and most of its path, when they are few.
func (q *Memory) addRenamed(ctx context.Context, rel string, lines standing.Lines) (standing.Lines, error) {
	const veryFew, few = 8, 100
	from := q.gone
	if len(from) > veryFew {
		from = nil
		for ends := noteindex.Ends(rel); len(ends) > 1 && len(from) == 0; ends = ends[1:] {
			from = q.names.With(anyNote, ends[0])
		}
	}
	if len(from) > few {
		return lines, nil
	}
	for gone := range from {
		before, known, err := q.readStanding(ctx, gone)
		if err != nil {
			return lines, err
		}
		if known {
			lines = lines.With(standing.Read(before))
		}
	}
	return lines, nil
}

// Depart notes that a note is gone, also where it fails. The lines of those that are gone for so long
// that they cannot come back under another name are forgotten.
func (q *Memory) Depart(ctx context.Context, rel string) error {
	if time.Since(q.swept) > q.keepFor {
		for gone := range q.gone {
			if q.isGone(gone) {
				q.pending[gone] = nil
			}
		}
		clear(q.gone)
		q.names = noteindex.New()
	}
	if len(q.gone) == 0 {
		q.swept = time.Now()
	}
	q.gone[rel] = true
	q.names.Put(rel, []string{anyNote})
	if q.together {
		return nil
	}
	return q.flushStanding(ctx)
}

// Begin is called before every note is read once: what went while nobody looked may
// have come back under another name. standing are those of the notes that were there before.
func (q *Memory) Begin(ctx context.Context, notes, standing []string) error {
	there := make(map[string]bool, len(notes))
	for _, rel := range notes {
		there[rel] = true
	}
	known, err := q.journal.StandingSums(ctx, q.root)
	if err != nil {
		return err
	}
	q.together, q.old = true, make(map[string]bool, len(standing))
	for _, rel := range standing {
		q.old[rel] = true
	}
	for rel := range known {
		if !there[rel] {
			err = q.Depart(ctx, rel)
		}
	}
	return err
}

// IsOld reports whether every note is being read once, and this one stood there before.
func (q *Memory) IsOld(rel string) bool { return q.old[rel] }

// End is called when every note was read once.
func (q *Memory) End(ctx context.Context) error {
	q.together, q.old = false, nil
	return q.flushStanding(ctx)
}

// ParseAsAsked parses a note that nobody may have looked at: its questions are as long as
// those that were asked, which are given by their first line ([note.FoldHead]).
func ParseAsAsked(src []byte, claims []journal.Claim, asked map[string]map[string]bool) note.Doc {
	doc := note.Parse(src)
	held := textsOf(claims)
	heads := make(map[string]bool)
	for _, m := range doc.Markers {
		if head := note.FoldHead(m.Text); m.Ends > m.Line && !heads[head] {
			heads[head] = true
			held = slices.AppendSeq(held, maps.Keys(asked[head]))
		}
	}
	return cutOwnWords(standing.Lines{}, src, doc, held, false)
}

// cutOwnWords leaves in each question what is the question's, by the lines that stood in the
// note before.
func cutOwnWords(before standing.Lines, src []byte, doc note.Doc, held []string, known bool) note.Doc {
	if own := before.OwnWords(src, doc.Markers, held, known); own != nil {
		return note.ParseCut(src, own)
	}
	return doc
}

func textsOf(claims []journal.Claim) []string {
	texts := make([]string, len(claims))
	for i, c := range claims {
		texts[i] = c.Marker.Text
	}
	return texts
}
