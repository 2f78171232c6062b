package recall

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// lookDown is how far down the list of passages Explain looks.
const lookDown = 100

// Standing says how one note relates to one query.
type Standing struct {
	Indexed bool     // the note is in the index
	Large   bool     // it is too large to be read, and found by its name only
	Garbled bool     // it is no UTF-8, so words with other letters than a to z are not found
	Hidden  []string // of the missing words, those in text that is never indexed: response blocks, asking lines, comments
	Matches []string // words of the query that the note has
	Missing []string // and those it lacks
	Place   int      // of its first passage in the list, from 1; 0 = not among the first 100
}

// Explain says how a note relates to a query, for people who miss it among the
// passages found.
func (ix *Index) Explain(ctx context.Context, text, rel string) (Standing, error) {
	var s Standing
	ids, err := ix.noteIDs(ctx, rel)
	if err != nil {
		return s, fmt.Errorf("look up %s: %w", rel, err)
	}
	s.Indexed = len(ids) > 0
	dir, err := ix.disk.Open(ctx)
	if err != nil {
		return s, fmt.Errorf("open the vault: %w", err)
	}
	defer dir.Close()
	info, err := dir.StatNote(ctx, rel)
	if err != nil {
		return s, fmt.Errorf("look at the note: %w", err)
	}
	src, err := dir.ReadNote(ctx, rel)
	if err != nil {
		return s, fmt.Errorf("read the note: %w", err)
	}
	s.Large = info.Size() > notedisk.MaxNote
	q, p := terms.Parse(text), page.Parse(rel, src)
	mask := q.Mask(strings.Join(p.Names, "\n") + "\n" + strings.Join(p.Tags, "\n"))
	for _, c := range p.Chunks {
		mask |= q.Mask(strings.Join(c.Path, "\n"))
	}
	for _, b := range p.Blocks {
		mask |= q.Mask(p.Text(b))
	}
	all := uint64(1)<<len(q.Terms) - 1
	s.Matches, s.Missing = q.MissingWords(all&^mask), q.MissingWords(mask)
	s.Garbled = !utf8.Valid(src)
	s.Hidden = q.MissingWords(all &^ (q.Mask(string(src)) &^ mask))
	if !s.Indexed || mask == 0 {
		return s, nil
	}
	found, err := ix.Search(ctx, text, SearchOptions{Limit: lookDown})
	for i, f := range found {
		if f.Note == rel && s.Place == 0 {
			s.Place = i + 1
		}
	}
	return s, err
}

// Describe says in a sentence whether a search that returns so many passages finds the note, or why not.
func (s Standing) Describe(state State, limit int) string {
	switch {
	case !s.Indexed && state.Pending > 0:
		return fmt.Sprintf("The note is not indexed yet: %d of %d notes are.", state.Notes, state.Notes+state.Pending)
	case !s.Indexed:
		return "The note is not indexed yet; it will be when it is saved or the vault is compared again."
	case s.Place > 0 && s.Place <= limit:
		return fmt.Sprintf("The note is found, at place %d.", s.Place)
	case s.Place > 0:
		return fmt.Sprintf("The note stands at place %d, below the first %d; a larger limit shows it.", s.Place, limit)
	case len(s.Matches) == 0 && s.Large:
		return "The note is larger than 10 MiB and is found by its name only."
	case len(s.Matches) == 0:
		return "The note has none of the words: " + strings.Join(s.Missing, ", ") + "." + s.describeUnsaid()
	case len(s.Missing) > 0:
		return "The note is not among the first 100: it has " + strings.Join(s.Matches, ", ") + ", and lacks " + strings.Join(s.Missing, ", ") + "." + s.describeUnsaid()
	}
	return "The note has all the words, but a hundred other passages match better."
}

// describeUnsaid is what to add where a note seems to have a word that is not found.
func (s Standing) describeUnsaid() string {
	switch {
	case len(s.Hidden) > 0:
		return " Only what is never searched has " + strings.Join(s.Hidden, ", ") + ": a response block, a line that asks an agent, or a comment."
	case s.Garbled:
		return " The note is not UTF-8; saved as UTF-8, all of its words are found."
	}
	return ""
}
