package note

import (
	"slices"
	"strings"
)

// bookkeeping are the keys of properties that Logseq has for itself
// (https://github.com/logseq/docs/blob/master/pages/Properties.md), and drawers the beginnings of its other such lines,
// which are those of Org (https://orgmode.org/manual/Drawers.html).
var (
	bookkeeping = []string{"id", "collapsed", "heading", "created-at", "updated-at", "public", "exclude-from-graph-view"}
	drawers     = []string{"#+BEGIN_", "#+END_", ":LOGBOOK:", "CLOCK: [", ":END:"}
)

// IsBookkeeping reports whether a line, without what Markdown has before its text, is one that an outliner has for
// itself. Properties that say something are text.
func IsBookkeeping(line string) bool {
	key, _, ok := strings.Cut(line, ":: ")
	if !ok {
		key, ok = strings.CutSuffix(line, "::")
	}
	return ok && slices.Contains(bookkeeping, strings.ToLower(key)) ||
		slices.ContainsFunc(drawers, func(begins string) bool { return strings.HasPrefix(line, begins) })
}
