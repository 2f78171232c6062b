// Package report prints the results of commands as lines for a person. It makes no calls; with --json the same values
// are printed as they are.
package report

import (
	"fmt"
	"io"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
)

// matchPlaces returns where the note has the matched terms that the quoted text lacks.
func matchPlaces(h api.Hit) string {
	var list []string
	for _, in := range []struct {
		terms int
		place string
	}{{h.InTitle, "title"}, {h.InHeading, "heading"}, {h.InTags, "tags"}} {
		if in.terms > 0 {
			list = append(list, fmt.Sprintf("%d in the %s", in.terms, in.place))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ", " + strings.Join(list, ", ")
}

// PrintHits prints passages, and why each was found.
func PrintHits(w io.Writer, hits []api.Hit) {
	if len(hits) == 0 {
		printable.Fprintln(w, "no passage matches")
	}
	for i, h := range hits {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printable.Fprintf(w, "%s  %s\n", h.Link, whyFound(h))
		for line := range strings.Lines(h.Text) {
			printable.Fprintf(w, "  %s\n", printable.Text(strings.TrimRight(line, "\n")))
		}
	}
}

// whyFound says what a passage has of the query: its words, its meaning.
func whyFound(h api.Hit) string {
	switch {
	case h.Matched == 0 && h.Similarity > 0:
		return fmt.Sprintf("near in meaning (%.2f)", h.Similarity)
	case h.Similarity > 0:
		return fmt.Sprintf("matches %d of %d terms%s, near in meaning (%.2f)", h.Matched, h.Terms, matchPlaces(h), h.Similarity)
	}
	return fmt.Sprintf("matches %d of %d terms%s", h.Matched, h.Terms, matchPlaces(h))
}
