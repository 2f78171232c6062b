package material

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/wikilink"
)

// Term is something that a note says the meaning of.
type Term struct {
	Name, Meaning string
	Sentence      Sentence
}

var (
	boldTerm  = lazyregexp.New(`^(?:\*\*|__)([^*_\n]{1,59}?[^*_\n.!?]):?(?:\*\*|__)\s*(?::|–|—|-|=)?\s+(\S.*)$`)
	plainTerm = lazyregexp.New(`^([\p{L}\p{N}][^.:!?|\[\]()*_<>]{1,40}?)\s*(?::| – | — )\s+(\S.*)$`)
	meaning   = lazyregexp.New(`^\s*(?::|–|—)\s+(\S.*)$`) // behind a term that is a link
	isTerm    = lazyregexp.New(`^(?:(?:An?|The|Eine?|Der|Die|Das)\s+)?(?:\*\*|__)([^*_\n]{2,50})(?:\*\*|__)\s+(?:is|are|means|refers to|ist|sind|bedeutet)\s+\S`)
)

// minMeaning is how many words a meaning has at least.
const minMeaning = 3

// noNames begin a line that says something of the text around it, or are stressed words of a sentence, and opening a condition: neither is
// the name of anything.
var (
	noNames = lazyregexp.New(`(?i)^(?:n\.?b|note|notes|todo|examples?|e\.g|tips?|hint|warning|caution|attention|important|info|fix(?:ed)?|new|update|edit|remark|see(?: also)?|usage|syntax|format|steps?|result|source|reason|present|backup|i|you|we|us|he|she|it|they|them|not|no|all|any|only|never|always|must|should|may|ich|du|wir|ihr|sie|nicht|kein|keine|alle|nur|nie|immer|muss|hinweis|beispiel|achtung|wichtig|tipp|siehe)$`)
	opening = lazyregexp.New(`(?i)^(?:for|if|when|while|in|on|at|to|from|with|by|after|before|as|however|but|and|or|so|this|that|these|it|we|you|i|there|then|first|finally|how|what|why|where|getting|wip|für|wenn|falls|bei|mit|von|aber|und|oder)\s`)
)

// amount matches a condition such as "fewer than 3 years", which is no name of anything.
var amount = lazyregexp.New(`(?i)^(?:\pL+ (?:than |als |de )?)?\d+\+? ?(?:years?|months?|weeks?|days?|hours?|minutes?|people|persons?|percent|jahren?|monaten?|wochen?|tagen?|stunden?|minuten?|personen|prozent|ans?|mois|semaines?|jours?|heures?|años?|meses|semanas?|días?|horas?)$`)

// tells matches the beginning of an instruction, which defines nothing.
var tells = lazyregexp.New(`(?i)^(?:please|always|never|do|don't|add|allow|apply|avoid|be|build|call|change|check|choose|clean|click|configure|consider|copy|create|define|delete|download|drag|edit|enable|ensure|enter|find|follow|get|give|go|hit|hold|import|include|install|keep|learn|let|list|look|make|move|open|pass|paste|place|prefer|reload|rewrite|press|provide|put|read|remove|rename|replace|return|review|run|save|search|see|select|send|set|show|specify|start|stop|swap|take|tap|tell|test|try|turn|type|update|upload|use|visit|wait|watch|write|bitte|verwende|nutze|benutze|klicke|öffne|wähle|siehe|gehe|schreibe|nimm|lege|prüfe)\b`)

// joins matches a text that continues a sentence, or is an aside, so that the words before it are no term.
var joins = lazyregexp.New(`(?i)^(?:(?:and|or|but|to|of|in|on|for|with|by|und|oder|et|ou|y|o)\s|[,;]|\[[^\]]*\]\([^)]*\)\s+[—–-]|\([^)]*\)\W*$)`)

// countLetters is how many words of a text have a letter.
func countLetters(text string) (words int) {
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, unicode.IsLetter) {
			words++
		}
	}
	return words
}

// Terms returns the terms of the set, each once, in the order of the notes.
func (s *Set) Terms(reach Rank) []Term {
	var list []Term
	seen := make(map[string]bool)
	add := func(name, meaning string, at Sentence) {
		name = strings.Trim(Plain(name), " :,;.")
		key := strings.ToLower(name)
		if joins().MatchString(meaning) || leadsOn(meaning) || seen[key] || countLetters(Plain(meaning)) < minMeaning || !isName(name) || tells().MatchString(Plain(meaning)) {
			return
		}
		seen[key] = true
		list = append(list, Term{name, meaning, at})
	}
	for n := range s.Notes {
		if s.Notes[n].Rank > reach {
			continue
		}
		listed := countListed(s.Notes[n].Blocks)
		for b := range s.Notes[n].Blocks {
			block := &s.Notes[n].Blocks[b]
			if block.Kind != Item && block.Kind != Paragraph || block.IsTask || len(block.Sentences()) == 0 {
				continue
			}
			at := Sentence{Note: n, Block: b}
			first := block.Sentences()[0]
			link, isLink := wikilink.At(first)
			if m := isTerm().FindStringSubmatch(first); m != nil {
				add(m[1], first, at)
			} else if m := boldTerm().FindStringSubmatch(first); m != nil {
				add(m[1], m[2], at)
			} else if m := meaning().FindStringSubmatch(first[link.End:]); m != nil && isLink && !link.IsEmbed && !IsPointers(block.Heading()) {
				add(cmp.Or(link.Label, link.To), m[1], at)
			} else if listed[b] {
				m := plainTerm().FindStringSubmatch(first)
				add(m[1], m[2], at)
			}
		}
	}
	return list
}

// countListed finds the items that are terms without being marked as such: most items of their section
// look alike.
func countListed(blocks []Block) map[int]bool {
	listed := make(map[int]bool)
	for from := 0; from < len(blocks); {
		to, items, like := from+1, 0, []int(nil)
		for to < len(blocks) && blocks[to].Kind != Heading {
			to++
		}
		for b := from; b < to; b++ {
			if blocks[b].Kind != Item {
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
	if noNames().MatchString(name) || opening().MatchString(name) || amount().MatchString(name) {
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
	copula   = lazyregexp.New(`(?i)^(.{1,80}?)\s(?:is|are|was|were|means|mean|refers to|describes|denotes|ist|sind|war|waren|bedeutet|bezeichnet)\s\S`)
	itself   = lazyregexp.New(`(?i)^(?:it|this|they|these|that|es|dies|das|sie)\b`)
	thisPage = lazyregexp.New(`(?i)^(?:this|diese[rs]?) (?:page|note|document|article|section|recipe|guide|seite|notiz|abschnitt)\b`)
	isKind   = lazyregexp.New(`^(?i:an?|the|any|one of|eine?r?|der|die|das)\s+\S`)
)

var (
	bracketed = lazyregexp.New(`\s*\([^()]*\)|\s(?:or|also called|oder)\s.*`)
	articles  = lazyregexp.New(`^(?:an?|the|eine?|der|die|das)$`)
	moreover  = lazyregexp.New(`(?i)^\s\S+\s(?:now|not|also|still|currently|only|always|made|used|nun|nicht|auch|noch|nur|immer|(?:hard|easy|difficult|fun|good|great|schwer|leicht|schwierig) (?:to|zu))\b`) // says what is true of it, not what it is
)

// saysWhat reports whether a sentence defines a title: its subject has the words of the title alone or is a word for it, or it is a phrase
// that names a kind of thing.
func saysWhat(title, sentence string) bool {
	m := copula().FindStringSubmatch(sentence)
	if m == nil {
		return isKind().MatchString(sentence)
	}
	if thisPage().MatchString(m[1]) {
		return false
	}
	if itself().MatchString(m[1]) {
		return true
	}
	subject := bracketed().ReplaceAllString(m[1], "")
	subject = subject[strings.LastIndex(subject, ", ")+1:] // In mathematics, a group (or set) is ...
	found := false
	for word := range strings.FieldsFuncSeq(strings.ToLower(subject), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if articles().MatchString(word) {
			continue
		}
		if !strings.Contains(strings.ToLower(title), strings.TrimSuffix(word, "s")) {
			return false
		}
		found = true
	}
	return found && !moreover().MatchString(sentence[len(m[1]):])
}

// numbered are titles that file a note, such as those of decisions.
var numbered = lazyregexp.New(`^\d+[-_. ]`)

// Titles returns the notes of the set by their titles, each with its first sentence, where that says what it is. Below a
// heading of its own a phrase says what the heading is.
func (s *Set) Titles(reach Rank) []Term {
	var list []Term
	taken := make(map[int]bool)
	for _, first := range s.Sentences() {
		n := s.Notes[first.Note]
		if taken[first.Note] || n.Rank > reach {
			continue
		}
		taken[first.Note] = true
		if n.Date == "" && isName(n.Title) && !numbered().MatchString(n.Title) && !strings.HasPrefix(first.Text, "[[") && saysWhat(n.Title, first.Plain) &&
			(copula().MatchString(first.Plain) || len(n.Blocks[first.Block].Path) == 0) {
			list = append(list, Term{n.Title, first.Text, first})
		}
	}
	return list
}
