package terms

import (
	"regexp"
	"strings"
)

// acts matches how a question begins that asks how to do something, or who does it, up to the word for that.
var acts = expression(`(?i)^\W*(?:(?:wie|wer) (?:kann|können|muss|müssen|soll|sollte|darf|hat|haben|hatte|wird|wurde)\b.* (\pL+)\W*$|` +
	`(?:how (?:to|do|does|can|could|should|must)|who (?:can|could|should|must|may|will|would|has|have|had)|who) (?:(?:i|you|we|one) )?(\pL+)|` +
	`(?:comment|cómo|qui (?:a|ont|doit|peut|va)|qui|quién|wer) (\pL+)|wie (\pL+) (?:ich|man|wir|du)\b|` +
	`what (?:does|do|did) (?:(?:the|an?|my|our|your) )?[\pL'’]+(?: [\pL'’]+)? (\pL+)\W*$)`)

// wordOf is where the word of a question begins that a form has in a group, and that is none of some; -1 for none.
func wordOf(question string, form *regexp.Regexp, none map[string]bool) int {
	at := form.FindStringSubmatchIndex(question)
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 && !none[folded(question[at[i]:at[i+1]])] {
			return at[i]
		}
	}
	return -1
}

var counted = expression(`(?i)^\W*(?:how (?:many|much)|wie ?viele?|combien d[e'’])[ ]?`)

// markCounted marks the words of the thing that a question wants counted.
func markCounted(text string, list []Term, places [][2]int, isOther []bool) {
	at := counted().FindStringIndex(text)
	for i, found := 0, false; at != nil && i < len(list); i++ {
		switch {
		case places[i][0] < at[1], isOther[i] && !found:
		case isOther[i], found && strings.TrimSpace(textBetween(text, places[i-1], places[i])) != "":
			return
		default:
			list[i].isCounted, found = true, true
		}
	}
}

// markObject marks what an act is done to: the last of the words of the subject that follow one another behind the
// act, or before it where it comes last.
func markObject(text string, list []Term, places [][2]int, isOther []bool, act int) {
	at := -1
	for i := range list {
		if act < 0 || isOther[i] || places[i][0] == act {
			continue
		}
		isNext := at >= 0 && at == i-1 && strings.TrimSpace(textBetween(text, places[at], places[i])) == ""
		if at < 0 || isNext || places[i][0] < act || places[at][0] < act {
			at = i
		}
	}
	if at >= 0 {
		list[at].isObject = true
	}
}

// The shape of a text has a letter for each word: A for the act, M for who does it, O for the object, t for other words of the question,
// s for stop words, b, i and u for those below, x for all others; and a sign where a clause ends.
var (
	byWords = Set("by von vom durch par por")
	itWords = Set("it them es ihn")
	unsaid  = Set("to let lets zu um de the a an our my der die das den le la les") // before a verb: no doer is named, or the word is a noun

	made   = expression(`(?:ment|ion|ance|ing|ung)s?$`) // nouns made of verbs: "development" says not who develops
	makers = expression(`(?:er|or|eur)s?$`)

	howShapes = expression(`A[tsbiu]*O(?:[^x]|$)|O[tsbiu]*A`)
	whoShapes = expression(`[AMOtsbix]A[tsbiu]*O(?:[^x]|$)|O[tsiu]*b[^.:]*A|O[tsiu]*Ab`)
	// Of the object that the names say.
	doShapes = expression(`(?:^|[.:])[stiu]*O`) // what a thing does is said where a clause begins with it
	howNamed = expression(`Ai`)
	whoNamed = expression(`(?:^|\.)[AM]:|Ab`)
)

// thus gives a reason, and too often none to be favoured for it.
var thus = expression(`(?i)\bthus\b`)

// Asked for the most or the least, an answer has a word for a limit or a comparison.
var (
	asksMost = expression(`(?i)\b(?:the|at) (?:most|least)\b|\b(?:am|das) (?:meiste|wenigste)n?\b|\b(?:le|au) (?:plus|moins)\b|\b(?:lo|el|la|los|las) (?:más|menos)\b`)
	most     = expression(`(?i)\b(?:most|least|max|min|mindest|limit|exceed|(?:more|less) than|h(?:ö|oe)chst|meist|wenigst|mehr als|plus|moins|plafond|más|menos|máxim|mínim)|上限|最`)
)

// States reports whether a text or its names say of the object of a question how or where its act is done, or who does it: with no other word
// between them in one clause, or in names of nothing else; and that they say why, where that is asked, or what is the most. A question
// for no act is not judged otherwise.
func (q *Query) States(text string, names []string) bool {
	all := strings.Join(append(names, text), "\n")
	if q.AsksReason && !q.HasFavouredWord(all) && !thus().MatchString(all) || q.asksMost && !most().MatchString(all) {
		return false
	}
	switch {
	case q.asksWhere && q.object == 0:
		shape, _ := q.shapeOf(text)
		return whereNamed().MatchString(shape)
	case q.act == 0 && !q.asksDoing && !q.asksWhere, q.object == 0:
		return true
	}
	how, named := q.shapesOfAnswers()
	var said uint64 // by names that have only words of the question
	for _, name := range names {
		shape, mask := q.shapeOf(name)
		if how().MatchString(shape) {
			return true
		}
		if !strings.Contains(shape, "x") {
			said |= mask
		}
	}
	shape, _ := q.shapeOf(text)
	isNamed := said&q.act != 0 || plainActs[q.actWord]
	if q.asksWhere {
		isNamed = (said&q.act != 0 || keptActs[q.actWord]) && aPath().MatchString(text)
	}
	return how().MatchString(shape) || said&q.object != 0 && (isNamed || named().MatchString(shape))
}

// shapesOfAnswers returns the shapes of what answers by itself, and of what answers below names that say the object.
func (q *Query) shapesOfAnswers() (whole, named func() *regexp.Regexp) {
	switch {
	case q.asksWhere && (q.act == 0 || keptActs[q.actWord]):
		return keptShapes, keptNamed
	case q.asksWhere:
		return whereShapes, whereNamed
	case q.asksDoing:
		return doShapes, howNamed
	case q.asksWho:
		return whoShapes, whoNamed
	}
	return howShapes, howNamed
}

// shapeOf returns the shape of a text and the terms in it.
func (q *Query) shapeOf(text string) (string, uint64) {
	var shape []byte
	var mask uint64
	end := 0
	scanTokens(text, func(t token) {
		if gap := text[min(end, t.start):t.start]; end > 0 && strings.ContainsAny(gap, ":.?!;,\n|(") {
			shape = append(shape, map[bool]byte{true: ':', false: '.'}[strings.Contains(gap, ":")])
		}
		end = t.end
		letter, bit := q.letterOf(string(t.text))
		shape, mask = append(shape, letter), mask|bit
	})
	return string(shape), mask
}

// letterOf returns the letter of a word in a shape and its term, if it says that one.
func (q *Query) letterOf(word string) (byte, uint64) {
	bit := q.termBit([]byte(word))
	switch {
	case bit != 0 && bit == q.act:
		is := func(noun func() *regexp.Regexp) bool {
			return q.asksWho && noun().MatchString(word) && !noun().MatchString(q.actWord)
		}
		switch {
		case is(made):
			return 'x', 0
		case is(makers):
			return 'M', bit
		}
		return 'A', bit
	case bit&q.object != 0:
		return 'O', bit
	case bit != 0:
		return 't', bit
	case q.asksWhere && whereLetter(q.language, word) != 0:
		return whereLetter(q.language, word), 0
	case byWords[word]:
		return 'b', 0
	case itWords[word]:
		return 'i', 0
	case unsaid[word]:
		return 'u', 0
	case stopWords[word] || q.isAsking(word):
		return 's', 0
	}
	return 'x', 0
}
