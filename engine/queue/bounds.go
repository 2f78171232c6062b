package queue

import (
	"strings"
	"time"
	"unicode"

	"vaultdispatcher/engine/agent"
)

// This file bounds the text of a worker: it is another machine, and the journal and the notices hold
// its words.

const (
	longestReply  = 8 << 20            // of what a worker sends, unpacked
	longestDetail = 8 << 10            // of the last words of an agent
	longestCut    = 256 << 10          // of what it said beside an answer
	longestLine   = 300                // of a reason, in characters
	longestLimit  = 7 * 24 * time.Hour // of an agent that was asked too much
)

// cutToBounds returns as much of a result as is believed.
func (r result) cutToBounds(now time.Time) result {
	r.Worker, r.Reply.Sources, r.Reply.Usage = keepOneLine(r.Worker), nil, boundUsage(r.Reply.Usage)
	r.Reply.Thoughts = cutText(r.Reply.Thoughts, longestCut)
	if r.Failure == nil {
		return r
	}
	f := *r.Failure
	f.Reason, f.Program, f.Usage = keepOneLine(f.Reason), keepOneLine(f.Program), boundUsage(f.Usage)
	f.Detail, f.Tries = cutText(f.Detail, longestDetail), max(0, f.Tries)
	f.Unread, f.Cut = cutText(f.Unread, longestCut), cutText(f.Cut, longestCut)
	if most := now.Add(longestLimit); f.Expiry.After(most) {
		f.Expiry = most
	}
	r.Failure = &f
	return r
}

// cutText returns a text of at most so many bytes.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// cutToBounds returns as much of what was said as is believed.
func (s said) cutToBounds() said {
	s.Worker, s.Tell = keepOneLine(s.Worker), keepOneLine(s.Tell)
	return s
}

func boundUsage(u agent.Usage) agent.Usage {
	return agent.Usage{Model: keepOneLine(u.Model), Input: max(0, u.Input), Output: max(0, u.Output), Cost: max(0, u.Cost)}
}

// keepOneLine returns a text as one short line.
func keepOneLine(text string) string {
	if most := 4 * longestLine; len(text) > most { // as many bytes as the characters may have
		text = text[:most]
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if letters := []rune(text); len(letters) > longestLine {
		text = string(letters[:longestLine-1]) + "…"
	}
	return strings.TrimSpace(text)
}
