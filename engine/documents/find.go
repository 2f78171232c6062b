package documents

import (
	"cmp"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/tame"
	"vaultdispatcher/engine/wording"
)

// Found is a part of a document that has the words of a search.
type Found struct {
	Page
	Heading string // "" = the beginning of the document
	ID      string // of the heading
	Says    string // its sentence, item or row with most words of the search
}

// Address is where the dashboard shows the part.
func (f Found) Address() string { return Address(f.Name, f.ID) }

// Label names the part and its document.
func (f Found) Label() string {
	if f.Heading == "" {
		return f.Title
	}
	return f.Title + " › " + f.Heading
}

// part is what is below a heading of a document.
type part struct {
	Found
	text  string // a line for each sentence, item and row, without marks
	place int    // among all parts

	lowTitle, lowHeading, lowText string // in lower case
}

var (
	heading = lazyregexp.New(`<h[1-6] id="([^"]*)">`)
	endOf   = lazyregexp.New(`</(?:p|li|tr|h[1-6]|pre|summary)>|[.?!] `)
	between = lazyregexp.New(`</t[dh]> <t[dh][^>]*>`) // two cells
	tag     = lazyregexp.New(`<[^>]*>`)
)

// takeApart returns the parts of all documents.
func (s *Shelf) takeApart() (all []part) {
	for _, page := range s.Pages() {
		if page.Name == First {
			continue // it says what the others are about
		}
		_, text, err := s.readText(page.Name)
		if err != nil {
			continue
		}
		words := make(map[string]string) // of headings, by their ids
		whole := s.renderText(page.Name, text, func(p tame.Part) { words[p.ID] = p.Words })
		begins := heading().FindAllStringSubmatchIndex(whole, -1)
		add := func(id string, from, to int) {
			p := part{Found: Found{Page: page, Heading: words[id], ID: id}, text: listLines(whole[from:to]), place: len(all)}
			p.lowTitle, p.lowHeading, p.lowText = strings.ToLower(p.Title), strings.ToLower(p.Heading), strings.ToLower(p.text)
			all = append(all, p)
		}
		end := func(i int) int {
			if i < len(begins) {
				return begins[i][0]
			}
			return len(whole)
		}
		add("", 0, end(0))
		for i, at := range begins {
			add(html.UnescapeString(whole[at[2]:at[3]]), at[1], end(i+1))
		}
	}
	return all
}

// listLines returns the text of a part of a page, a line for each sentence, item and row.
func listLines(page string) string {
	page = between().ReplaceAllString(strings.Join(strings.Fields(page), " "), " · ")
	page = endOf().ReplaceAllStringFunc(page, func(end string) string { return strings.TrimSuffix(end, " ") + "\n" })
	return html.UnescapeString(tag().ReplaceAllString(page, ""))
}

// Where a word of a search is found says how well a part fits, and in its text how often, for its length, up to a number.
const inHeading, inTitle, often, length = 20, 12, 6, 600

// Find returns the parts that have the words of a query, at most so many, the best first: those with its words in their
// headings, then those with them in their text. Where none has all words, it is those with most of them.
func (s *Shelf) Find(query string, most int) (found []Found) {
	words := splitQuery(query)
	type fit struct {
		part
		words, score int
	}
	var fits []fit
	for _, p := range s.parts() {
		f := fit{part: p}
		f.words, f.score = p.weighWords(words)
		if f.words > 0 && f.words*2 >= len(words) {
			fits = append(fits, f)
		}
	}
	slices.SortFunc(fits, func(a, b fit) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place))
	})
	for _, f := range fits {
		if len(found) < most && f.words == fits[0].words {
			f.Says = f.chooseLine(words)
			found = append(found, f.Found)
		}
	}
	return found
}

// weighWords counts the words that a part has, and says how well it fits; one whose document alone has them in its title fits
// only as the beginning of it.
func (p part) weighWords(words []word) (count, score int) {
	isOwn := p.Heading == ""
	for _, w := range words {
		title, heading, text := w.countIn(p.lowTitle), w.countIn(p.lowHeading), w.countIn(p.lowText)
		switch {
		case p.Heading == "" && title > 0:
			score += inHeading + 1
		case heading > 0:
			score += inHeading
		case title > 0:
			score += inTitle
		}
		if title+heading+text > 0 {
			count++
			score += min(often*text*length/(length+len(p.lowText)), often)
		}
		isOwn = isOwn || heading+text > 0
	}
	if !isOwn {
		return 0, 0
	}
	return count, score
}

// How many characters a sentence has that tells something, and how many are shown.
const leastSaid, mostSaid = 40, 200

// chooseLine returns the sentence of a part that has most words of a search, and rather one that is long enough to tell something.
func (p part) chooseLine(words []word) (says string) {
	best := -1
	for line := range strings.Lines(p.text) {
		line = strings.TrimSpace(line)
		n := 0
		for _, w := range words {
			n += 2 * min(w.countIn(strings.ToLower(line)), 1)
		}
		if len(line) >= leastSaid {
			n++
		}
		if n > best {
			says, best = line, n
		}
	}
	return wording.Shorten(says, mostSaid)
}

// word is one word of a search.
type word struct {
	begins string // in lower case
	forms  *terms.Query
}

// splitQuery returns the words of a query that say what is looked for, or all where none does.
func splitQuery(query string) (words []word) {
	list := terms.SearchWords(query)
	if len(list) == 0 {
		list = strings.Fields(query)
	}
	for _, text := range list {
		words = append(words, word{strings.ToLower(text), terms.Parse(text)})
	}
	return words
}

// countIn says how often a text in lower case has the word, also as the beginning of a longer one; in another form it counts
// once.
func (w word) countIn(text string) (n int) {
	for at := 0; ; {
		i := strings.Index(text[at:], w.begins)
		if i < 0 {
			break
		}
		at += i
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			n++
		}
		at += len(w.begins)
	}
	if n == 0 && w.forms.Mask(text) != 0 {
		return 1
	}
	return n
}
