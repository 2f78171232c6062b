package engine

import (
	"cmp"
	"slices"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/recall"
)

// ranked is a passage and its place among those of its vault.
type ranked struct {
	vault string
	rank  int
	recall.Passage
}

// pickBest returns so many of the passages of all vaults: the first of each vault, then
// the second, and of these before others what has more of the query. Scores are not
// compared, because a word that is rare in one vault is common in the other.
func pickBest(found []ranked, limit int) []ranked {
	slices.SortStableFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.Share, a.Share), cmp.Compare(b.Near, a.Near))
	})
	return found[:min(len(found), limit)]
}

func toHits(found []ranked) []api.Hit {
	list := make([]api.Hit, len(found))
	for i, p := range found {
		list[i] = api.Hit{
			Vault: p.vault, Note: p.Note, Heading: p.Heading, Link: p.Link,
			Text: p.Text, Matched: p.Matched, Terms: p.Terms, Near: p.Near,
			InTitle: p.InTitle, InHeading: p.InHeading, InTags: p.InTags,
		}
	}
	return list
}
