// Package teaser tells in one line what an answer says, or how a presentation begins.
//
// A line is as it is read, without the signs of markdown, and has at most 160 characters.
package teaser

import (
	"cmp"
	"math/bits"
	"strings"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/wording"
)

const length = 160

// source is a sign of an object, or several in brackets, each in the place of a link.
var source = lazyregexp.New(`\s*\((?:\x{fffc}(?:, )?)+\)|\s*\x{fffc}`)

// withoutSources is a text without links that only number where a sentence was taken from.
func withoutSources(text string) string {
	return source().ReplaceAllString(wikilink.Replace(text, func(l wikilink.Link) string {
		if l.Label != "" && strings.Trim(l.Label, "0123456789") == "" {
			return "\ufffc"
		}
		return text[l.Start:l.End]
	}), "")
}

// field is a property of a note; unread is a line that tells nothing: a heading, code, a table, where a quote is from,
// where more is, and what the Miner says of itself.
var (
	field  = lazyregexp.New(`^\pL[\pL\pN _-]*: `)
	unread = lazyregexp.New("^(?:$|#|\\*\\*From your notes|```|<!--|\\||— \\[\\[|Also in: |\\*Quoted by the built-in Miner)")
)

// OfAnswer is the line of an answer that has most words of its question.
// Of properties without any of those words it is all of them.
func OfAnswer(question, answer string) (says string) {
	asked, best, fields := terms.Parse(question), -1, []string(nil)
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.TrimLeft(line, " \t>-+"))
		if unread().MatchString(line) {
			continue
		}
		plain := material.Plain(strings.TrimPrefix(withoutSources(line), "* "))
		if field().MatchString(plain) {
			fields = append(fields, plain)
		}
		if n := bits.OnesCount64(asked.Mask(plain)); n > best && plain != "" {
			says, best = plain, n
		}
	}
	if best == 0 && len(fields) > 0 && says == fields[0] {
		says = strings.Join(fields, " · ")
	}
	return wording.Shorten(wording.Line(cmp.Or(says, answer)), length)
}

var codeOrQuote = lazyregexp.New("(?m)^```[^`]*(?:```)?|^>.*$|^#[^# ].*$|^\\?$|^From your notes$|^## Where it stands$")

// OfWork is how a work begins, without code, the answers of a quiz, tags and sources.
func OfWork(begins string) string {
	begins, _, _ = strings.Cut(codeOrQuote().ReplaceAllString(begins, ""), "## Sources")
	var parts []string
	for line := range strings.Lines(withoutSources(begins)) {
		if strings.HasPrefix(line, "|") {
			line = cells(line)
		}
		if line = material.Plain(strings.Trim(line, " \t\n#-+")); line != "" {
			parts = append(parts, line)
		}
	}
	return wording.Shorten(strings.Join(parts, " · "), length)
}

// cells are those of a row of a table; the row below its head has none.
func cells(row string) string {
	var list []string
	for cell := range strings.SplitSeq(row, "|") {
		if cell = strings.Trim(cell, " -:\n"); cell != "" {
			list = append(list, cell)
		}
	}
	return strings.Join(list, ", ")
}
