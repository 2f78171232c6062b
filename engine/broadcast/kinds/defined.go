package kinds

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
)

// This file finds what several kinds are made of: terms with what they mean, and questions with
// their answers.

// term is something that a note says the meaning of.
type term struct {
	Name, Meaning string
	At            material.Sentence
}

var (
	boldTerm  = lazyregexp.New(`^(?:\*\*|__)([^*_\n]{2,60}?):?(?:\*\*|__)\s*(?::|–|—|-|=)?\s+(\S.*)$`)
	plainTerm = lazyregexp.New(`^([\p{L}\p{N}][^.:!?|\[\]()*_<>]{1,40}?)\s*(?::| – | — )\s+(\S.*)$`)
	linkTerm  = lazyregexp.New(`^\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]\s*(?::|–|—)\s+(\S.*)$`)
	isTerm    = lazyregexp.New(`^(?:(?:An?|The|Eine?|Der|Die|Das)\s+)?(?:\*\*|__)([^*_\n]{2,50})(?:\*\*|__)\s+(?:is|are|means|refers to|ist|sind|bedeutet)\s+\S`)
)

// minMeaning is how many words a meaning has at least.
const minMeaning = 3

// noNames begin a line that says something of the text around it, and opening a condition: neither is
// the name of anything.
var (
	noNames = lazyregexp.New(`(?i)^(?:n\.?b|note|notes|todo|examples?|e\.g|tips?|hint|warning|caution|attention|important|info|fix(?:ed)?|new|update|edit|remark|see(?: also)?|usage|syntax|format|steps?|result|source|reason|present|backup|hinweis|beispiel|achtung|wichtig|tipp|siehe)$`)
	opening = lazyregexp.New(`(?i)^(?:for|if|when|while|in|on|at|to|from|with|by|after|before|as|however|but|and|or|so|this|that|these|it|we|you|i|there|then|first|finally|für|wenn|falls|bei|mit|von|aber|und|oder)\s`)
)

// tells begins what somebody is to do: it says what nothing is.
var tells = lazyregexp.New(`(?i)^(?:please|always|never|do|don't|add|allow|apply|avoid|be|build|call|change|check|choose|clean|click|configure|consider|copy|create|define|delete|download|drag|edit|enable|ensure|enter|find|follow|get|give|go|hit|hold|import|include|install|keep|learn|let|list|look|make|move|open|pass|paste|place|prefer|press|provide|put|read|remove|rename|replace|return|review|run|save|search|see|select|send|set|show|specify|start|stop|swap|take|tap|tell|test|try|turn|type|update|upload|use|visit|wait|watch|write|bitte|verwende|nutze|benutze|klicke|öffne|wähle|siehe|gehe|schreibe|nimm|lege|prüfe)\b`)

// countLetters is how many words of a text have a letter.
func countLetters(text string) (words int) {
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, unicode.IsLetter) {
			words++
		}
	}
	return words
}

// findTerms are the terms of the set, each once, in the order of the notes.
func (p *plan) findTerms() []term {
	var list []term
	seen := make(map[string]bool)
	add := func(name, meaning string, at material.Sentence) {
		name = strings.Trim(material.Plain(name), " :,;.")
		key := strings.ToLower(name)
		if seen[key] || countLetters(material.Plain(meaning)) < minMeaning || !isName(name) || tells().MatchString(material.Plain(meaning)) {
			return
		}
		seen[key] = true
		list = append(list, term{name, meaning, at})
	}
	for n := range p.Notes {
		if p.Notes[n].Rank > p.reach {
			continue
		}
		listed := countListed(p.Notes[n].Blocks)
		for b := range p.Notes[n].Blocks {
			block := &p.Notes[n].Blocks[b]
			if block.Kind != material.Item && block.Kind != material.Paragraph || block.IsTask || len(block.Sentences()) == 0 {
				continue
			}
			at := material.Sentence{Note: n, Block: b}
			first := block.Sentences()[0]
			switch {
			case boldTerm().MatchString(first):
				m := boldTerm().FindStringSubmatch(first)
				add(m[1], m[2], at)
			case linkTerm().MatchString(first):
				m := linkTerm().FindStringSubmatch(first)
				add(m[1], m[2], at)
			case isTerm().MatchString(first):
				add(isTerm().FindStringSubmatch(first)[1], first, at)
			case listed[b]:
				m := plainTerm().FindStringSubmatch(first)
				add(m[1], m[2], at)
			}
		}
	}
	return list
}

// countListed finds the items that are terms without being marked as such: most items of their section
// look alike.
func countListed(blocks []material.Block) map[int]bool {
	listed := make(map[int]bool)
	for from := 0; from < len(blocks); {
		to, items, like := from+1, 0, []int(nil)
		for to < len(blocks) && blocks[to].Kind != material.Heading {
			to++
		}
		for b := from; b < to; b++ {
			if blocks[b].Kind != material.Item {
				continue
			}
			items++
			if parts := blocks[b].Sentences(); len(parts) > 0 && !blocks[b].IsTask {
				if m := plainTerm().FindStringSubmatch(parts[0]); m != nil && len(strings.Fields(m[1])) <= 4 {
					like = append(like, b)
				}
			}
		}
		for _, b := range like {
			listed[b] = len(like) >= 2 && 2*len(like) >= items
		}
		from = to
	}
	return listed
}

// isName reports whether a text may be a term: short, with letters, no date or time.
func isName(name string) bool {
	if noNames().MatchString(name) || opening().MatchString(name) {
		return false
	}
	letters := 0
	for _, r := range name {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2 && letters*2 >= utf8.RuneCountInString(name) && len(strings.Fields(name)) <= 6 && !strings.ContainsAny(name, "?!/\\{}=_")
}

var (
	copula = lazyregexp.New(`(?i)^(.{1,80}?)\s(?:is|are|was|were|means|mean|refers to|describes|denotes|ist|sind|war|waren|bedeutet|bezeichnet)\s\S`)
	itself = lazyregexp.New(`(?i)^(?:it|this|they|these|that|es|dies|das|sie)\b`)
	isKind = lazyregexp.New(`^(?i:an?|the|any|one of|eine?r?|der|die|das)\s+\S`)
)

// saysWhat reports whether a sentence says what a title means: it is about the title, or about it, or is a phrase of
// what kind of thing it is.
func saysWhat(title, sentence string) bool {
	m := copula().FindStringSubmatch(sentence)
	if m == nil {
		return isKind().MatchString(sentence)
	}
	if itself().MatchString(m[1]) {
		return true
	}
	subject := strings.ToLower(m[1])
	for word := range strings.FieldsFuncSeq(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if word = strings.TrimSuffix(word, "s"); utf8.RuneCountInString(word) > 2 && strings.Contains(subject, word) {
			return true
		}
	}
	return false
}

// titleTerms are the notes of the set by their titles, each with its first sentence, where that says what it is.
func (p *plan) titleTerms() []term {
	var list []term
	taken := make(map[int]bool)
	for _, s := range p.Sentences() {
		n := p.Notes[s.Note]
		if taken[s.Note] || n.Rank > p.reach {
			continue
		}
		taken[s.Note] = true
		if n.Date == "" && isName(n.Title) && saysWhat(n.Title, s.Plain) {
			list = append(list, term{n.Title, s.Text, s})
		}
	}
	return list
}

// question is something asked in a note, with what stands there for an answer.
type question struct {
	Text    string
	Answers []material.Sentence
	Day     string // it was asked on; "" where the note asks
	ByAgent bool   // an agent answered
}

var spoken = lazyregexp.New(`(?i)^(?:\*\*)?(?:q|question|frage)(?:\*\*)?\s*[:.]\s*(?:\*\*)?\s*`)
var reply = lazyregexp.New(`(?i)^(?:\*\*)?(?:a|answer|antwort)(?:\*\*)?\s*[:.]\s*(?:\*\*)?\s*`)

// mostAnswer is how many sentences of an answer are quoted.
const mostAnswer = 3

// findQuestions are the questions of the set that something stands below.
func (p *plan) findQuestions() []question {
	var list []question
	seen := make(map[string]bool)
	for n := range p.Notes {
		if p.Notes[n].Rank > p.reach {
			continue
		}
		blocks := p.Notes[n].Blocks
		for b, block := range blocks {
			if !strings.ContainsAny(block.Text, "?？") {
				continue
			}
			text := spoken().ReplaceAllString(material.Tidy(block.Text), "")
			asked := asFront(text)
			if !strings.HasSuffix(asked, "?") && !strings.HasSuffix(asked, "？") || len(asked) > 200 || len(material.Split(text)) > 1 || seen[asked] || !isAsked(asked) {
				continue
			}
			q := question{Text: asked, Answers: answersBelow(n, blocks, b)}
			if len(q.Answers) > 0 {
				seen[asked] = true
				list = append(list, q)
			}
		}
	}
	return list
}

// isAsked reports whether a text that ends in a question mark asks: the name of a setting may do so too.
func isAsked(text string) bool {
	return strings.Contains(text, " ") || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) })
}

// answersBelow are the first sentences behind block b that belong to it: below a heading those of its
// section, below another line those of the same section up to the next question.
func answersBelow(note int, blocks []material.Block, b int) []material.Sentence {
	var list []material.Sentence
	under := len(blocks[b].Path)
	for i := b + 1; i < len(blocks) && len(list) < mostAnswer; i++ {
		block := blocks[i]
		if block.Kind == material.Heading && (len(block.Path) <= under || blocks[b].Kind != material.Heading) {
			break
		}
		if block.Kind == material.Row || block.Kind == material.Heading {
			continue
		}
		for _, text := range material.Split(reply().ReplaceAllString(block.Text, "")) {
			plain := material.Plain(text)
			if strings.HasSuffix(plain, "?") {
				return list
			}
			if len(list) < mostAnswer && len(strings.Fields(plain)) >= 2 && !strings.HasSuffix(plain, ":") {
				list = append(list, material.Sentence{Text: text, Plain: plain, Note: note, Block: i})
			}
		}
		if blocks[b].Kind != material.Heading {
			break // an answer in the line below is that line
		}
	}
	return list
}

// factsOf are the properties of a note that say something of its subject, with a value as it is read.
func factsOf(n material.Note) (list []material.Property) {
	for _, p := range n.Properties {
		if value := material.Plain(p.Value); !isHousekeeping(p.Key) && value != "" && !strings.Contains(value, "://") {
			list = append(list, material.Property{Key: p.Key, Value: value})
		}
	}
	return list
}
