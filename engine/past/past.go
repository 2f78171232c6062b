// Package past remembers the earlier lines of the notes of a vault, once for all that ask:
//
//	look, err := memory.Read(ctx, rel, page, claims) // look.Doc has the questions, each as long as it is
//	came, err := look.Arrive(ctx, seen)             // which lines wait for a person if they are markers
//
// A note has a past while it has quotes or comes from elsewhere: of each line a hash, whether it
// was a person's own, and whether it came with the note; in order, and for a while also of lines
// that are gone. The journal keeps it, until the note has been gone for a week.
//
// # Promises
//
// It reads no note. Findings are on the disk before [Look.Arrive] or [Look.Keep] returns, and not
// before: an engine that is killed earlier looks once more as if it had not looked. Between
// [Memory.Begin] and [Memory.End] many notes are kept in one transaction. Lines that came with a
// note from elsewhere are remembered for as long as the note exists, even if it has lost them.
//
// # What others remember
//
// This memory has a note as its last look has found it, on the disk. Four rooms remember more:
// settle a question of any note, byte by byte, until it starts, so a note without quotes or
// origin has a past there too; burst the markers of the last minute, for which no later engine
// asks; copies whole notes, for a line says nothing of them; follow the places of answers, which
// the journal has, and which notes are gone at this moment. Each has one value of a note. What is
// no past is elsewhere: answers that were removed in the journal's rows of them, lines that are not
// taken up now in untaken/board, lines that a person decides in while an answer is proposed in vault.
package past

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/origin"
	"vaultdispatcher/engine/vault/noteindex"
)

// Journal is what a memory asks of the journal ([journal.Journal]).
type Journal interface {
	NotePast(ctx context.Context, vault, file string) (past journal.NotePast, known bool, err error)
	PastsAlike(ctx context.Context, vault string, alike []byte) ([]journal.NotePast, error)
	KeepPasts(ctx context.Context, vault string, pasts []journal.NotePast) error
	RecordMet(ctx context.Context, vault string, now time.Time, pasts []journal.NotePast) error
	ForgetPasts(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error
	Claims(ctx context.Context, vault, file string) ([]journal.Claim, error)
	WrittenInto(ctx context.Context, vault, file string) ([]journal.Dispatch, error)
}

// Options are what a memory works with.
type Options struct {
	Journal
	Root      string                // of the vault
	Untrusted []string              // patterns of notes whose markers wait
	Unpacking time.Duration         // how long another program may still be writing a note that has just appeared
	IsGone    func(rel string) bool // reports whether there is no note at a path any more
	Return    time.Duration         // how long a note that is gone may come back under another name
}

// Memory is the past of the notes of one vault. One goroutine at a time uses it, except
// IsUntrusted and Forget.
type Memory struct {
	Options
	isBatch bool                        // every note is being read: rows are kept together
	pending map[string]journal.NotePast // rows to be kept
	old     func() map[string]bool      // notes that were there before, while every note is being read once; nil otherwise
	notes   noteindex.States[string, noteState]
	early   int              // markers that have started before the vault was met
	names   *noteindex.Index // of the notes that are gone, those that may come back under another name
}

// noteState is what is known of a note besides its lines, for as long as the engine runs.
type noteState struct {
	isGone bool // it has a past
	early  int  // markers that have started before the vault was met
}

// New returns the memory of a vault.
func New(o Options) *Memory {
	return &Memory{Options: o, pending: make(map[string]journal.NotePast), names: noteindex.New()}
}

// mostTogether is how many notes are kept in one transaction.
const mostTogether = 500

// Look is a look at a note.
type Look struct {
	Doc     note.Doc // with questions that have all their lines and no other
	Foreign bool     // it seems to come from elsewhere

	memory    *Memory
	rel       string
	src       []byte
	isQuoting bool             // it has lines that are to be remembered
	row       journal.NotePast // as the journal has it
	isKnown   bool             // the journal has it
	previous  Lines            // of the note, and of notes that it may have been
}

// IsUntrusted reports whether the markers that come with a note wait for a person.
func (m *Memory) IsUntrusted(rel string, page *note.Page) bool {
	return glob.Match(m.Untrusted, rel) || origin.IsClipped(page)
}

// Read finds the questions of a note and leaves in each what is the question's.
func (m *Memory) Read(ctx context.Context, rel string, page *note.Page, claims []journal.Claim) (*Look, error) {
	l := &Look{memory: m, rel: rel, src: page.Text, Doc: page.Doc(), isQuoting: bytes.IndexByte(page.Text, '>') >= 0, Foreign: m.IsUntrusted(rel, page)}
	if !l.isQuoting && !l.Foreign {
		return l, nil
	}
	var err error
	if l.row, l.isKnown, err = m.read(ctx, rel); err != nil {
		return l, err
	}
	l.previous = Decode(l.row.Lines)
	if !l.isKnown && len(l.Doc.Markers) > 0 {
		if l.previous, err = m.addRenamed(ctx, rel, l.previous); err != nil {
			return l, err
		}
	}
	l.Doc = cutOwnWords(l.previous, page, textsOf(claims), l.isKnown)
	return l, nil
}

// Keep remembers the present note, without asking where it came from.
func (l *Look) Keep(ctx context.Context) error {
	if !l.isQuoting {
		return nil
	}
	return l.keep(ctx, l.row, l.previous.update(l.src, l.Doc.Markers, l.row.Kind == journal.ForUntrusted))
}

func (l *Look) keep(ctx context.Context, row journal.NotePast, lines Lines) error {
	m := l.memory
	row.File, row.Lines, row.Alike, row.IsGone = l.rel, lines.Bytes(), alikeOf(row.Kind, lines), false
	isSame := l.isKnown && l.row.Kind == row.Kind && l.row.Arrival.Equal(row.Arrival) && bytes.Equal(l.row.Lines, row.Lines) && !l.row.IsGone
	if isSame = isSame || !l.isKnown && len(row.Lines) == 0 && row.Kind == ""; !isSame {
		m.pending[l.rel] = row
	}
	if m.isBatch && (isSame || len(m.pending) < mostTogether) {
		return nil
	}
	return m.flush(ctx)
}

// read returns what is remembered of a note.
func (m *Memory) read(ctx context.Context, rel string) (row journal.NotePast, known bool, err error) {
	if row, known = m.pending[rel]; known {
		return row, true, nil
	}
	return m.Journal.NotePast(ctx, m.Root, rel)
}

// flush keeps what is to be kept, also what could not be kept before.
func (m *Memory) flush(ctx context.Context) error {
	if len(m.pending) == 0 {
		return nil
	}
	err := m.KeepPasts(ctx, m.Root, slices.Collect(maps.Values(m.pending)))
	if err == nil {
		clear(m.pending)
	}
	return err
}

// anyNote is the key of all notes that are gone.
const anyNote = ""

// addRenamed adds to the lines of a note that is not known what was in notes that have gone
// lately: in all when they are very few, else in those that have its name, and most of its path,
// when they are few.
func (m *Memory) addRenamed(ctx context.Context, rel string, lines Lines) (Lines, error) {
	const veryFew, few = 8, 100
	m.names.DropOlder(time.Now().Add(-m.Return))
	from := m.names.With(anyNote, "")
	if len(from) > veryFew {
		from = nil
		for ends := noteindex.Ends(rel); len(ends) > 1 && len(from) == 0; ends = ends[1:] {
			from = m.names.With(anyNote, ends[0])
		}
	}
	if len(from) > few {
		return lines, nil
	}
	for gone := range from {
		row, _, err := m.read(ctx, gone)
		if err != nil {
			return lines, err
		}
		lines = lines.with(Decode(row.Lines))
	}
	return lines, nil
}

// Depart notes that a note is gone whose folder has answered.
func (m *Memory) Depart(ctx context.Context, rel string) error {
	_, known, err := m.read(ctx, rel)
	if known && err == nil {
		m.depart(rel)
	}
	return err
}

func (m *Memory) depart(rel string) {
	now := time.Now()
	m.names.DropOlder(now.Add(-m.Return))
	m.notes.Edit(rel, func(s *noteState) { s.isGone = true })
	m.names.PutAt(rel, []string{anyNote}, now)
}

// Begin is called before every note is read once: one of the remembered notes that went unnoticed may have come back
// under another name. before are the notes that were there before.
func (m *Memory) Begin(remembered map[string]uint64, notes, before []string) {
	m.isBatch, m.old = true, sync.OnceValue(func() map[string]bool { return noteindex.SetOf(before) })
	there := noteindex.SetOf(notes)
	for rel := range remembered {
		if !there[rel] {
			m.depart(rel)
		}
	}
}

// IsOld reports whether every note is being read once, and this one was there before.
func (m *Memory) IsOld(rel string) bool { return m.old != nil && m.old()[rel] }

// End is called when every note was read once.
func (m *Memory) End(ctx context.Context) error {
	m.isBatch, m.old = false, nil
	return m.flush(ctx)
}

// Forget forgets notes that have been gone for as long as keep. The caller has seen that the
// folder answers; isGone may touch the disk.
func (m *Memory) Forget(ctx context.Context, now time.Time, keep time.Duration, isGone func(rel string) bool) error {
	return m.ForgetPasts(ctx, m.Root, now, keep, isGone)
}

// ParseAsAsked finds the questions of a note that may never have been looked at: they are as long
// as the asked ones, which are given by their first line ([note.FoldHead]).
func ParseAsAsked(page *note.Page, claims []journal.Claim, asked map[string]map[string]bool) note.Doc {
	held := textsOf(claims)
	heads := make(map[string]bool)
	for _, m := range page.Doc().Markers {
		if head := note.FoldHead(m.Text); m.Ends > m.Line && !heads[head] {
			heads[head] = true
			held = slices.AppendSeq(held, maps.Keys(asked[head]))
		}
	}
	return cutOwnWords(Lines{}, page, held, false)
}

// cutOwnWords leaves in each question what is the question's, by the lines that were in the
// note before.
func cutOwnWords(before Lines, page *note.Page, held []string, known bool) note.Doc {
	if own := before.ownWords(page.Text, page.Doc().Markers, held, known); own != nil {
		return page.Cut(own)
	}
	return page.Doc()
}

func textsOf(claims []journal.Claim) []string {
	texts := make([]string, len(claims))
	for i, c := range claims {
		texts[i] = c.Marker.Text
	}
	return texts
}
