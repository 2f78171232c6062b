package kinds

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/wording"
)

// An audio overview is a briefing that is read aloud: the same sentences, by note or section, in their order. Its
// turns are what is spoken, and its text is what can be read along.

const (
	usualAudio     = 300 // words
	leastAudio     = 3   // sentences
	wordsPerMinute = 150
	longestTurn    = 600 // bytes, so that a change has few to speak anew
)

// Turn is what one voice says at a time.
type Turn struct {
	Voice int // the number of the voice, from 0
	Text  string
}

func makeAudio(p *plan) bool {
	list := p.Sentences()
	if len(list) < leastAudio {
		return false
	}
	chosen, scores := p.choose(list, usualAudio)
	p.Lead = p.quoteSentence(list[bestOf(scores, chosen, 1)[0]])
	p.printParts(list, chosen)
	part, section := "", ""
	for _, i := range chosen {
		_, block := p.Place(list[i])
		if next := asHeading(p.partOf(list[i])); next != part {
			part, section = next, next
			p.say(0, part, true)
		}
		if next := asHeading(block.Heading()); next != "" && next != section {
			section = next
			p.say(0, section, true)
		}
		p.say(0, list[i].Plain, false)
	}
	p.Count = wording.Count(len(chosen), "sentence") + ", " + tellMinutes(p.Turns)
	return true
}

// say adds a sentence to what a voice says, in its turn or in a new one.
func (p *plan) say(voice int, text string, anew bool) {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’»)`))
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if !strings.ContainsRune(".!?。！？…:;", end) {
		text += "."
	}
	n := len(p.Turns)
	if anew || n == 0 || p.Turns[n-1].Voice != voice || len(p.Turns[n-1].Text)+len(text) > longestTurn {
		p.Turns = append(p.Turns, Turn{voice, text})
		return
	}
	p.Turns[n-1].Text += " " + text
}

// tellMinutes is about how long turns take.
func tellMinutes(turns []Turn) string {
	words := 0
	for _, t := range turns {
		words += wording.Words(t.Text)
	}
	if seconds := words * 60 / wordsPerMinute; seconds < 90 {
		return fmt.Sprintf("about %d seconds", max(5, (seconds+2)/5*5))
	}
	return "about " + wording.Count((words+wordsPerMinute/2)/wordsPerMinute, "minute")
}
