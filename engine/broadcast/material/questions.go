package material

import (
	"strings"
	"unicode"

	"vaultdispatcher/engine/lazyregexp"
)

// Question is a question in a note, with the text there that answers it.
type Question struct {
	Text    string
	Answers []Sentence
	Day     string // it was asked on; "" where the note asks
	ByAgent bool   // an agent answered
}

var spoken = lazyregexp.New(`(?i)^(?:\*\*)?(?:q|question|frage)(?:\*\*)?\s*[:.]\s*(?:\*\*)?\s*`)
var reply = lazyregexp.New(`(?i)^(?:\*\*)?(?:a|answer|antwort)(?:\*\*)?\s*[:.]\s*(?:\*\*)?\s*`)

// announces begins a sentence that only says what follows it.
var announces = lazyregexp.New(`(?i)^(?:here(?:[’']s| is| are)|below (?:is|are|you)|the following|hier (?:ist|sind)|voici|he aquí|a continuación)\s`)

// mostAnswer is how many sentences of an answer are quoted.
const mostAnswer = 3

// Questions returns the questions of the set with text below them.
func (s *Set) Questions(reach Rank) []Question {
	var list []Question
	seen := make(map[string]bool)
	for n := range s.Notes {
		if s.Notes[n].Rank > reach {
			continue
		}
		blocks := s.Notes[n].Blocks
		for b, block := range blocks {
			if !strings.ContainsAny(block.Text, "?？") {
				continue
			}
			text := spoken().ReplaceAllString(Tidy(block.Text), "")
			asked := PlainQuestion(text)
			if !strings.HasSuffix(asked, "?") && !strings.HasSuffix(asked, "？") || len(asked) > 200 || len(Split(text)) > 1 || seen[asked] || !isAsked(asked) {
				continue
			}
			q := Question{Text: asked, Answers: AnswersBelow(n, blocks, b)}
			if len(q.Answers) > 0 && isAnswered(blocks, b) {
				seen[asked] = true
				list = append(list, q)
			}
		}
	}
	return list
}

// isAnswered reports whether the block behind a question is its answer: behind an item that is one below it, or one that says
// so. Else the item is one of a list of questions.
func isAnswered(blocks []Block, b int) bool {
	if blocks[b].Kind != Item {
		return true
	}
	next := blocks[b+1]
	return next.Kind == Item && next.Depth > blocks[b].Depth || reply().MatchString(next.Text)
}

// isAsked reports whether a text that ends in a question mark asks: the name of a setting may do so too.
func isAsked(text string) bool {
	return strings.Contains(text, " ") || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) })
}

// AnswersBelow are the first sentences behind block b that belong to it: below a heading those of its
// section, below another line those of the same section up to the next question.
func AnswersBelow(note int, blocks []Block, b int) []Sentence {
	var list []Sentence
	under := len(blocks[b].Path)
	for i := b + 1; i < len(blocks) && len(list) < mostAnswer; i++ {
		block := blocks[i]
		if block.Kind == Heading && (len(block.Path) <= under || blocks[b].Kind != Heading) {
			break
		}
		if block.Kind == Row || block.Kind == Heading {
			continue
		}
		for _, text := range Split(reply().ReplaceAllString(block.Text, "")) {
			plain := Plain(text)
			if strings.HasSuffix(plain, "?") {
				return list
			}
			if len(list) < mostAnswer && len(strings.Fields(plain)) >= 2 && !strings.HasSuffix(plain, ":") && !announces().MatchString(plain) {
				list = append(list, Sentence{Text: text, Plain: plain, Note: note, Block: i})
			}
		}
		if blocks[b].Kind != Heading {
			break // an answer in the line below is that line
		}
	}
	return list
}
