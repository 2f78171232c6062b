package kinds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/wording"
)

// A timeline is made of sentences with a date, and of notes that have one in their name or their
// properties, with what tells most of each.

const (
	mostEvents  = 150
	leastEvents = 2
)

// event is what happened on a day, or in a month: then Day ends there.
type event struct {
	Day      string
	Sentence material.Sentence
	Note     bool // the day is that of the note
}

var (
	isoDay   = lazyregexp.New(`\b((?:19|20)\d\d)-([01]\d)(?:-([0-3]\d))?\b`)
	dotDay   = lazyregexp.New(`\b([0-3]?\d)\.\s?([01]?\d)\.\s?((?:19|20)\d\d)\b`)
	monthDay = lazyregexp.New(`(?i)\b(?:([0-3]?\d)(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(` + monthNames + `)\.?(?:\s+([0-3]?\d)(?:st|nd|rd|th)?)?,?\s+((?:19|20)\d\d)\b`)
)

const monthNames = `jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?`

func makeTimeline(p *plan) bool {
	list := p.findEvents()
	if len(list) < leastEvents {
		return false
	}
	if n := len(list) - mostEvents; n > 0 {
		list = list[n:]
	}
	p.printEvents(list)
	return true
}

func (p *plan) printEvents(list []event) {
	year := ""
	for _, e := range list {
		if e.Day[:4] != year {
			year = e.Day[:4]
			p.print("\n## %s\n\n", year)
		}
		n := p.Notes[e.Sentence.Note]
		switch {
		case e.Sentence.Text == "":
			p.useNote(e.Sentence.Note)
			p.print("- **%s** %s\n", e.Day, n.Link(nil, n.Title))
		case e.Note:
			p.print("- **%s** %s: %s\n", e.Day, n.Link(nil, n.Title), p.quoteSentence(e.Sentence))
		default:
			said := strings.TrimLeft(strings.TrimPrefix(e.Sentence.Text, e.Day), " :–—-")
			p.print("- **%s** %s\n", e.Day, p.quotePart(said, e.Sentence))
		}
	}
	last := list[len(list)-1]
	p.Lead = fmt.Sprintf("It goes from %s to %s. Last: ", list[0].Day, last.Day)
	if n := p.Notes[last.Sentence.Note]; last.Sentence.Text == "" {
		p.Lead += n.Link(nil, n.Title) + "."
	} else {
		p.Lead += p.quoteSentence(last.Sentence)
	}
	p.Count = wording.Count(len(list), "event")
}

var timelineForm = draft.Form{
	Product: "a timeline", Item: "one event with its date", Words: 400,
	Fields: []draft.Field{{Name: "date", Meaning: "its date as the passages have it, written 2026-03-01, 2026-03 or 2026"}, {Name: "text", Meaning: "what happened, in one sentence without the date"}},
	Check: func(i draft.Item) string {
		day := i.Text["date"]
		if !isDay().MatchString(day) {
			return fmt.Sprintf("has %q for a date, which is not written like 2026-03-01", day)
		}
		return ""
	},
}

var isDay = lazyregexp.New(`^(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$`)

func fillTimeline(p *plan, parts []draft.Part) bool {
	var list []event
	for _, i := range parts[0].Items {
		list = append(list, event{Day: i.Text["date"], Sentence: sentenceOf(i, "text")})
	}
	slices.SortStableFunc(list, func(a, b event) int { return strings.Compare(a.Day, b.Day) })
	p.printEvents(list)
	return true
}

// findEvents are the events of the set, the oldest first.
func (p *plan) findEvents() []event {
	var list []event
	sentences := p.Sentences()
	scores := p.rankSentences(sentences).Scores
	best := make(map[int]int) // by note: what tells most of it and has no day of its own
	for i, s := range sentences {
		if p.Notes[s.Note].Rank > p.reach {
			continue
		}
		if d := findDay(material.Plain(material.Unlinked(s.Text))); d != "" && material.IsSupposed(s.Plain) {
			continue
		} else if d != "" {
			list = append(list, event{Day: d, Sentence: s})
		} else if b, there := best[s.Note]; p.tellsDay(s) && (!there || isDaily(p.Notes[s.Note].Rel) && scores[i] > scores[b]) {
			best[s.Note] = i
		}
	}
	list = append(list, p.datedSections()...)
	told, said := make(map[int]bool), make(map[string]bool)
	for _, e := range list {
		told[e.Sentence.Note], said[e.Day+e.Sentence.Text] = true, true
	}
	for n, note := range p.Notes {
		switch i, there := best[n]; {
		case note.Date == "" || note.Rank > p.reach || there && said[note.Date+sentences[i].Text]: // its heading has the day too
		case there:
			list = append(list, event{Day: note.Date, Sentence: sentences[i], Note: true})
		case !told[n]: // it says nothing in whole sentences
			list = append(list, event{Day: note.Date, Sentence: material.Sentence{Note: n, Block: material.NoBlock}, Note: true})
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { return strings.Compare(a.Day, b.Day) })
	return list
}

// isDaily reports whether the name of a note is that of a day.
func isDaily(rel string) bool { return findDay(rel[strings.LastIndexByte(rel, '/')+1:]) != "" }

// tellsDay reports whether a sentence may tell an event of its note's day. Any sentence of a daily note may. In another
// note only one of a paragraph may, and findEvents takes the first, which says what the note is.
func (p *plan) tellsDay(s material.Sentence) bool {
	note, block := p.Place(s)
	return isDaily(note.Rel) || block.Kind == material.Paragraph
}

// datedSections are the headings with a date, and the items that are hardly more than one, each with the first
// sentence below it that has none.
func (p *plan) datedSections() []event {
	var list []event
	for n, note := range p.Notes {
		if note.Rank > p.reach {
			continue
		}
		for b := range note.Blocks {
			block := &note.Blocks[b]
			parts := block.Sentences()
			if len(parts) == 0 || block.Kind == material.Row || block.Kind != material.Heading && len(strings.Fields(parts[0])) > longestDate {
				continue
			}
			day := findDay(material.Plain(parts[0]))
			if day == "" {
				continue
			}
			var below []material.Sentence
			for _, text := range parts[1:] {
				below = append(below, material.Sentence{Text: text, Plain: material.Plain(text), Note: n, Block: b})
			}
			if s, ok := findEvent(append(below, material.AnswersBelow(n, note.Blocks, b)...)); ok {
				list = append(list, event{Day: day, Sentence: s})
			}
		}
	}
	return list
}

// findEvent is the first sentence that says something and has no date of its own; one that gives an address
// only where there is no other, and never a mere label with one.
func findEvent(list []material.Sentence) (found material.Sentence, ok bool) {
	for _, s := range list {
		if findDay(s.Plain) != "" || len(strings.Fields(s.Plain)) <= longestDate {
			continue
		}
		before, _, hasAddress := strings.Cut(s.Plain, "://")
		if !hasAddress {
			return s, true
		}
		if !ok && !strings.HasSuffix(strings.TrimRight(before, "htps "), ":") {
			found, ok = s, true
		}
	}
	return found, ok
}

// longestDate is how many words a line has at most that is a date.
const longestDate = 3

// findDay is the first date of a text, as 2026-03-01 or 2026-03; "" for none.
func findDay(text string) string {
	if !strings.Contains(text, "19") && !strings.Contains(text, "20") {
		return "" // no year
	}
	best, at := "", len(text)
	try := func(m []int, year, month, day string) {
		if m == nil || m[0] >= at {
			return
		}
		if d := writeDay(year, month, day); d != "" {
			best, at = d, m[0]
		}
	}
	group := func(m []int, n int) string {
		if m == nil || m[2*n] < 0 {
			return ""
		}
		return text[m[2*n]:m[2*n+1]]
	}
	m := isoDay().FindStringSubmatchIndex(text)
	try(m, group(m, 1), group(m, 2), group(m, 3))
	m = dotDay().FindStringSubmatchIndex(text)
	try(m, group(m, 3), group(m, 2), group(m, 1))
	m = monthDay().FindStringSubmatchIndex(text)
	day := group(m, 3)
	if day == "" && m != nil && m[2] >= 0 && !strings.HasSuffix(text[:m[2]], ".") { // not "Beta 0.10 Dec 2025"
		day = group(m, 1)
	}
	try(m, group(m, 4), monthNumber(group(m, 2)), day)
	return best
}

// monthNumber is the number of a month by the letters that its names share.
func monthNumber(name string) string {
	name = strings.ToLower(name)
	if utf8.RuneCountInString(name) < 3 {
		return ""
	}
	short := string([]rune(name)[:3])
	for i, names := range []string{"jan", "feb", "mar mär", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"} {
		if strings.Contains(names, short) {
			return strconv.Itoa(i + 1)
		}
	}
	return ""
}

func writeDay(year, month, day string) string {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	switch {
	case m < 1 || m > 12 || d > 31:
		return ""
	case d == 0:
		return fmt.Sprintf("%s-%02d", year, m)
	}
	return fmt.Sprintf("%s-%02d-%02d", year, m, d)
}
