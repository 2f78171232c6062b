package proposal

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/note/merge"
)

// Line is a line of a diff as a person reads it.
type Line struct {
	Kind, Sign string // removed, added, around, or place: where the lines that follow it are
	Parts      []Part
}

// Part is a piece of a line; Changed are the words that its counterpart does not have.
type Part struct {
	Text    string
	Changed bool
}

// Lines reads a unified diff. Where removed lines and those in their place have words in common, the others are marked.
func Lines(diff string) (lines []Line) {
	var gone, come []string
	end := func() {
		inGone, inCome := compare(gone, come)
		lines = append(append(lines, cut("removed", "-", gone, inGone)...), cut("added", "+", come, inCome)...)
		gone, come = nil, nil
	}
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "-"):
			if come != nil {
				end()
			}
			gone = append(gone, line[1:])
		case strings.HasPrefix(line, "+"):
			come = append(come, line[1:])
		default:
			end()
			kind := "place"
			if strings.HasPrefix(line, " ") {
				kind, line = "around", line[1:]
			} else {
				line = placeOf(line)
			}
			lines = append(lines, Line{kind, "", []Part{{Text: line}}})
		}
	}
	end()
	return lines
}

var hunk = regexp.MustCompile(`^@@ -(\d+)[ ,].*@@$`)

// placeOf is the head of some lines in words: where they are in the note as it is now.
func placeOf(head string) string {
	if at := hunk.FindStringSubmatch(head); at != nil {
		return "line " + at[1]
	}
	return strings.Trim(head, "@ ")
}

// compare says of each word of two texts whether the other one does not have it, or nothing where they have too little in
// common: then the marks would say nothing.
func compare(gone, come []string) (inGone, inCome []bool) {
	a, b := words(strings.Join(gone, "\n")), words(strings.Join(come, "\n"))
	inGone, inCome, ok := merge.Changed(a, b)
	common := 0
	for i, changed := range inGone {
		if first, _ := utf8.DecodeRuneInString(a[i]); !changed && isWord(first) {
			common++
		}
	}
	all := min(countWords(a), countWords(b))
	if !ok || common == 0 || common*2 < all {
		return nil, nil
	}
	return inGone, inCome
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func countWords(list []string) (n int) {
	for _, word := range list {
		if first, _ := utf8.DecodeRuneInString(word); isWord(first) {
			n++
		}
	}
	return n
}

// words cuts a text into words and what is between them.
func words(text string) (list []string) {
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text)
		}
		list, text = append(list, text[:n]), text[n:]
	}
	return list
}

// cut makes lines of the words of some, with those that are changed apart.
func cut(kind, sign string, texts []string, changed []bool) (lines []Line) {
	at := 0
	for _, text := range texts {
		line := Line{Kind: kind, Sign: sign}
		for _, word := range words(text) {
			is := at < len(changed) && changed[at]
			if at++; len(line.Parts) > 0 && line.Parts[len(line.Parts)-1].Changed == is {
				line.Parts[len(line.Parts)-1].Text += word
			} else {
				line.Parts = append(line.Parts, Part{word, is})
			}
		}
		at++ // the line end
		lines = append(lines, line)
	}
	return lines
}
