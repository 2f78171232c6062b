package untaken

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// This file finds who is asked further on in a line: behind other words of a quote, behind the question itself, in
// the cells of a table, and behind a greeting. Only an agent that somebody answers for is, since people write about agents too.

// holdsAddress reports whether an @ and the word agent stand in a line.
func holdsAddress(line []byte) bool {
	for {
		_, after, found := bytes.Cut(line, []byte("@"))
		if !found {
			return false
		}
		line = after
		if after = bytes.TrimLeft(after, " \t"); len(after) >= len("agent") && bytes.EqualFold(after[:len("agent")], []byte("agent")) {
			return true
		}
	}
}

// mostTries is how many times an @ in one line is looked at, each of which costs by the length of the line.
const mostTries = 30

// mendWithin guesses what was meant by a line, or a row of a table, that asks further on; nothing where it is a line like any
// other.
func mendWithin(line string, isRow bool, roles []string) guess {
	marks := line[:note.LeadingMarks([]byte(line))]
	isRow = isRow || strings.HasPrefix(line[len(marks):], "|")
	quoted := strings.Contains(marks, ">")
	if !isRow && !quoted && !strings.ContainsAny(line[max(0, len(line)-8):], "?？") {
		return guess{}
	}
	tries := 0
	for at, r := range line {
		if r != '@' {
			continue
		}
		if tries++; tries > mostTries {
			break
		}
		last, _ := utf8.DecodeLastRuneInString(line[:at])
		if unicode.IsLetter(last) || unicode.Is(unicode.Nd, last) || strings.ContainsRune("\\`", last) {
			continue
		}
		if g := mendNameless(line, at, marks, roles); g.takes > 0 && !isRow {
			return g
		}
		length := len(note.MarkerStart)
		if !strings.HasPrefix(line[at:], note.MarkerStart) {
			length = misspelledLength(line[at:])
		}
		if length == 0 {
			continue
		}
		parts := addressed().FindStringSubmatch(line[at+length:])
		if parts == nil || roleNamed(parts[1], roles) == "" {
			continue
		}
		request := note.MarkerStart + parts[1] + parts[2] + " "
		if !isRow && !quoted {
			return guess{fix: askApart(line[:at], marks, request, cleanRest(parts[3])), why: Why(note.NoQuote)}
		}
		if !isRow {
			return guess{fix: askBelow(line[:at], request, parts[3]), why: Why(spelling)}
		}
		cell, _, _ := strings.Cut(parts[3], "|")
		before := strings.TrimRight(line[:at], " \t>*_~=\"“„«([-")
		if question := cleanRest(cell); question != "" && (before == "" || strings.HasSuffix(before, "|") || strings.HasSuffix(before, "<br>")) {
			return guess{fix: fix{"> " + request + question, 1, 0}, why: Why(note.Table)}
		}
	}
	return guess{}
}

// askApart is the mend of a line of plain text that greets an agent and ends in a question mark; nothing where it only
// mentions one.
func askApart(before, marks, request, question string) fix {
	lead := before[len(marks):]
	if len(strings.Fields(lead)) > 3 || !strings.HasSuffix(strings.TrimRight(question, " \t*_)\"”"), "?") && !strings.HasSuffix(question, "？") || len(question) < len("why?") {
		return fix{}
	}
	return fix{cutOpening(before) + "\n" + strings.Repeat(" ", len(marks)) + "> " + request + question, 1, 1}
}

// callout is the head of a callout.
var callout = lazyregexp.New(`^\[![^\]]*\][+-]?`)

// askBelow is the mend of a line of a quote in which other text stands before a request: the request goes to the next line, or in
// front of that text where nothing but this is asked, or into its place where it says nothing.
func askBelow(before, request, rest string) fix {
	marks := before[:note.LeadingMarks([]byte(before))]
	lead, question := before[len(marks):], cleanRest(rest)
	says := func(r rune) bool { return unicode.IsLetter(r) || unicode.In(r, unicode.Nd, unicode.So) }
	if !strings.ContainsFunc(lead, says) {
		return fix{marks[:strings.LastIndex(marks, ">")+1] + " " + request + question, 1, 0}
	}
	if mark := strings.Trim(rest, " \t*_])"); !strings.ContainsFunc(mark, says) {
		head := callout().FindString(lead)
		text := strings.TrimRight(strings.Trim(lead[len(head):], " \t*_[("), ",，、")
		if text == "" {
			return fix{}
		}
		if !strings.ContainsAny(text[len(text)-1:], "?!.") {
			text += mark
		}
		if head != "" {
			return fix{marks + head + "\n" + marks + request + text, 1, 1}
		}
		return fix{marks + request + text, 1, 0}
	}
	return fix{cutOpening(before) + "\n" + marks + request + question, 1, 1}
}

// cutOpening cuts the emphasis of an address off what stands before it, and the space before that.
func cutOpening(before string) string {
	return strings.TrimRight(strings.TrimRight(before, "*_"), " \t")
}
