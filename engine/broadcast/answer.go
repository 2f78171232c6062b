package broadcast

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/broadcast/shelf"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/wording"
)

// This file words the answers.

const signature = "*Put together by the built-in Broadcaster from sentences of your notes; it asked no model.*"

// offerTime is how long other kinds are tried for one that found too little.
const offerTime = time.Second

// mostNamed is how many notes an answer names.
const mostNamed = 12

// nothingMade begins every answer that has nothing made: the only one that words it.
func nothingMade(why string, values ...any) string {
	return "**Nothing was made.** " + fmt.Sprintf(why, values...)
}

// refuseOrder says what cannot be made, or nothing.
func refuseOrder(o order.Order) string {
	_, isThere := kinds.Find(o.Kind)
	switch {
	case o.Unknown != "":
		return nothingMade("“%s” is no kind that there is. There are: %s.", quoteWords(o.Unknown), listKinds(true))
	case o.Foreign != "":
		return nothingMade("“%s” is not among what the Broadcaster makes; ask a role with an agent for it. What it can make: %s; for example `briefing of [[Note]]`.", quoteWords(o.Foreign), listKinds(true))
	case terms.IsOfTime(o.Prose):
		return nothingMade("Notes of a time cannot be chosen here; name a note, a folder, a tag or what the notes are about.")
	case o.Length != "":
		return nothingMade("“%s” is no length. Lengths are: `short`, `medium`, `long`, a number of words up to 10000 (`200 words`), or minutes (`5min`).", quoteWords(o.Length))
	case o.Kind != "" && !isThere:
		return nothingMade("The Broadcaster cannot make %s yet. What it can make: %s; for example `briefing of [[Note]]`.", strings.ReplaceAll(o.Kind, "-", " "), listKinds(true))
	}
	return ""
}

// listKinds names the kinds, with or without those that only an agent can make.
func listKinds(all bool) string {
	var names []string
	for _, k := range kinds.All {
		if k.NeedsAgent() && !all {
			continue
		}
		names = append(names, strings.ToLower(k.Title))
	}
	return strings.Join(names, ", ")
}

// tellAlso names the parts of an order that were not followed: a second kind, and words without a known meaning.
func tellAlso(o order.Order) (text string) {
	if o.Second != "" {
		text = fmt.Sprintf("One line makes one thing; ask for `%s` on a line of its own.\n\n", strings.ReplaceAll(o.Second, "-", " "))
	}
	if left := quoteWords(o.Rest); left != "" {
		text += fmt.Sprintf("“%s” was not understood: it names no kind, no option and no source.\n\n", left)
	}
	return text
}

// quoteWords returns one line of a user's text without its markup, at most 80 characters, for a sentence of the
// answer. It keeps underscores between letters, which mark nothing
// (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis).
func quoteWords(text string) string {
	runes := []rune(wording.Shorten(wording.Line(text), 80))
	isLetter := func(i, step int) bool {
		for i += step; i >= 0 && i < len(runes) && runes[i] == '_'; {
			i += step
		}
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	var b strings.Builder
	for i, r := range runes {
		if r == '_' && isLetter(i, -1) && isLetter(i, 1) || !strings.ContainsRune("[]|`*_<>#^%!", r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// tellTooLittle says what a kind looked for, and which kinds have something.
func tellTooLittle(kind kinds.Kind, set *material.Set) string {
	var where []string
	for _, n := range set.Notes {
		where = append(where, n.Link(nil, n.Title))
	}
	text := nothingMade("“%s” looks for %s", kind.Title, kind.LooksFor)
	if len(where) > 0 {
		text += "; there are too few in " + joinNames(where) + "."
	} else {
		text += ", and there is no note to look in."
	}
	var others []string
	begun := time.Now()
	for _, k := range kinds.All {
		if time.Since(begun) > offerTime {
			break
		}
		if _, ok := k.Make(set, kinds.Options{}); ok && k.Name != kind.Name {
			others = append(others, strings.ToLower(k.Title))
		}
	}
	if len(others) > 0 {
		text += " There is enough for: " + strings.Join(others, ", ") + "."
	}
	return text + tellLeft(set.Omitted)
}

// tellMade embeds what was made, and says of what.
func tellMade(kind kinds.Kind, set *material.Set, made kinds.Made, placed shelf.Placed, sound, remark string) string {
	var b strings.Builder
	if placed.Note == "" {
		b.WriteString("*A trial: no file was written.*\n\n")
	} else {
		embed := strings.TrimSuffix(placed.Note, ".md")
		if i := slices.IndexFunc(placed.Files, func(f string) bool { return path.Ext(f) == ".canvas" }); i >= 0 {
			embed = placed.Files[i]
		}
		embed = cmp.Or(sound, embed)
		fmt.Fprintf(&b, "![[%s]]\n\n", embed)
	}
	count, of := made.Count, wording.Count(len(made.Used), "note")
	if count != of {
		count += " from " + of
	}
	lead := made.Lead
	if last, _ := utf8.DecodeLastRuneInString(lead); unicode.IsLetter(last) || unicode.IsDigit(last) {
		lead += "."
	}
	fmt.Fprintf(&b, "**%s: %s**, %s. %s", kind.Title, quoteWords(set.Title), count, lead)
	if len(placed.Files) > 0 || sound != "" {
		var files []string
		for _, f := range append([]string{placed.Note}, placed.Files...) {
			files = append(files, "[["+strings.TrimSuffix(f, ".md")+"|"+path.Base(f)+"]]")
		}
		b.WriteString(" Files: " + strings.Join(files, ", ") + ".")
	}
	var links []string
	for _, n := range made.Used {
		links = append(links, set.Notes[n].Link(nil, set.Notes[n].Title))
	}
	b.WriteString("\n\nSources: " + joinNames(links) + "." + tellLeft(set.Omitted) + "\n\n" + remark)
	return b.String()
}

// leftOut is what was found and is not quoted.
func leftOut(set *material.Set, made kinds.Made) []material.Left {
	left := slices.Clone(set.Omitted)
	for i, n := range set.Notes {
		if !slices.Contains(made.Used, i) {
			left = append(left, material.Left{Rel: n.Rel, Reason: "nothing of it was taken"})
		}
	}
	return left
}

// listLeft returns lines for the front matter: the first sources left out for each reason, and how many more there
// are.
func listLeft(left []material.Left) []string {
	var lines []string
	named := make(map[string]int)
	for _, l := range left {
		if named[l.Reason]++; named[l.Reason] <= mostNamed {
			lines = append(lines, l.Rel+": "+l.Reason)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(named)) {
		if n := named[why] - mostNamed; n > 0 {
			lines = append(lines, fmt.Sprintf("%d more: %s", n, why))
		}
	}
	return lines
}

// tellLeft returns a sentence that names the sources left out, by their reasons.
func tellLeft(left []material.Left) string {
	if len(left) == 0 {
		return ""
	}
	reasons := make(map[string][]string)
	var order []string
	for _, l := range left {
		if reasons[l.Reason] == nil {
			order = append(order, l.Reason)
		}
		reasons[l.Reason] = append(reasons[l.Reason], quoteWords(strings.TrimSuffix(strings.Replace(l.Rel, ".md#", " › ", 1), ".md")))
	}
	var parts []string
	for _, why := range order {
		parts = append(parts, joinNames(reasons[why])+" ("+quoteWords(why)+")")
	}
	return " Left out: " + strings.Join(parts, "; ") + "."
}

func joinNames(list []string) string {
	if n := len(list) - mostNamed; n > 0 {
		return strings.Join(list[:mostNamed], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ")
}
