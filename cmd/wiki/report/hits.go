// Package report prints the results of commands as lines for a person. It makes no calls; with --json the same values
// are printed as they are.
package report

import (
	"fmt"
	"io"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/wording"
)

// PrintHits prints passages, and why each was found where its words do not say so.
func PrintHits(w io.Writer, hits []api.Hit) {
	if len(hits) == 0 {
		printable.Fprintln(w, "no passage matches")
	}
	for i, h := range hits {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printable.Fprintf(w, "%s%s\n", wikilink.WithoutLabel(h.Link), whyFound(h))
		for line := range strings.Lines(string(WrapText(w, h.Text, 2))) {
			printable.Fprintf(w, "  %s\n", printable.Text(strings.TrimRight(line, "\n")))
		}
	}
}

// whyFound says what a passage has of the query beside all its words in the text.
func whyFound(h api.Hit) string {
	var parts []string
	if h.Matched > 0 && h.Matched < h.Terms {
		parts = append(parts, fmt.Sprintf("%d of %s", h.Matched, wording.Count(h.Terms, "word")))
	}
	for _, in := range []struct {
		terms int
		place string
	}{{h.InTitle, "in its title"}, {h.InHeading, "in its heading"}, {h.InTags, "in its tags"}} {
		switch {
		case in.terms > 0 && h.Terms == 1:
			parts = append(parts, in.place)
		case in.terms > 0:
			parts = append(parts, fmt.Sprintf("%d %s", in.terms, in.place))
		}
	}
	if h.Similarity > 0 {
		parts = append(parts, fmt.Sprintf("near in meaning (%.2f)", h.Similarity))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + strings.Join(parts, ", ")
}
