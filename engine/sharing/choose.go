package sharing

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note/window"
	"vaultdispatcher/engine/recall/terms"
)

// Lists are the exchanges that a history is chosen from, each list the newest first.
type Lists struct {
	Note   []journal.Exchange        // of the note
	Thread []journal.Exchange        // of the role and TaskID
	Vault  func() []journal.Exchange // exchanges that share terms with the question; nil = none
}

// worthwhile is the part of a history that has to be left for the vault to be asked for more.
const worthwhile = 16

// Choose returns the exchanges of a history in the order they were accepted: as many as
// fit into a number of bytes, first those of the note, then those of the thread, the newer
// before the older, then those that share terms with the question, the best before the
// others. One that is too long for what is left is passed over, and where hardly anything is left
// the vault is not read. may is asked of each that
// would be taken.
func Choose(from Lists, question string, bytes int, may func(journal.Exchange) bool) []journal.Exchange {
	type place struct {
		order    int64
		position int
	}
	seen, left := make(map[place]bool), bytes
	var chosen []journal.Exchange
	take := func(list []journal.Exchange) {
		for _, x := range list {
			at := place{x.Order, x.Position}
			if seen[at] || x.Size() > left {
				continue
			}
			seen[at] = true
			if may(x) {
				left -= x.Size()
				chosen = append(chosen, x)
			}
		}
	}
	take(from.Note)
	take(from.Thread)
	if from.Vault != nil && left >= bytes/worthwhile {
		take(rankByTerms(from.Vault(), question))
	}
	slices.SortFunc(chosen, func(a, b journal.Exchange) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Position, b.Position))
	})
	return chosen
}

// questionWeight is what a term counts in an earlier question or the name of its note,
// where it counts one in the answer: long answers have many words.
const questionWeight = 2

// rankByTerms returns the exchanges that share terms with a question, first those that share more and rarer ones.
// Equal ones keep their order, the newer first.
func rankByTerms(list []journal.Exchange, question string) []journal.Exchange {
	if len(terms.SearchWords(question)) == 0 {
		return nil
	}
	q := terms.Parse(question)
	type shared struct {
		journal.Exchange
		asked, answered uint64
		score           float64
	}
	var found []shared
	have := make([]int, len(q.Terms))
	for _, x := range list {
		s := shared{Exchange: x, asked: q.Mask(x.Question + "\n" + path.Base(x.File))}
		s.answered = s.asked | q.Mask(x.Answer)
		if s.answered == 0 {
			continue
		}
		found = append(found, s)
		for i := range have {
			have[i] += int(s.answered >> i & 1)
		}
	}
	for n := range found {
		s := &found[n]
		for i, of := range have {
			rarity := math.Log1p(float64(len(list)) / float64(max(of, 1)))
			s.score += rarity * float64(s.answered>>i&1+(questionWeight-1)*(s.asked>>i&1))
		}
	}
	slices.SortStableFunc(found, func(a, b shared) int { return cmp.Compare(b.score, a.score) })
	ranked := make([]journal.Exchange, len(found))
	for i, s := range found {
		ranked[i] = s.Exchange
	}
	return ranked
}

// ListWords returns what the questions of a dispatch ask about, or where they name nothing, what
// the lines around them do.
func ListWords(d journal.Dispatch) string {
	var asked, around []string
	for _, m := range d.Markers {
		asked, around = append(asked, m.Instruction), append(around, window.Surroundings(m.Context))
	}
	if text := strings.Join(asked, "\n"); len(terms.SearchWords(text)) > 0 {
		return text
	}
	return strings.Join(around, "\n")
}
