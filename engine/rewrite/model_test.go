package rewrite

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
)

// This file writes random notes of which it knows, from how it wrote them, what
// a scanner has to find and what answering has to make of them. It knows no
// Markdown and shares no code with what it is the model of.

// piece is a stretch of a note: text, or one live marker with its line end.
type piece struct {
	text        string // with line ends; of a marker only its lines, without the last end
	marker      int    // identity, from 1; 0 is text
	eol         string // of a marker's line
	first, rest string // what the lines of the marker's answer begin with
}

// section is what a user moves, edits or deletes as a whole.
type section []piece

// sheet is a note in the making.
type sheet struct {
	dice     *rand.Rand
	bom      string
	sections []section
	eol      string // of every line; empty = mixed
	markers  int
	words    int
	cut      bool // the last line end is missing
	alike    bool // equal lines may have equal neighbours, so that nothing but their order tells them apart
}

func (s *sheet) one(of ...string) string { return of[s.dice.IntN(len(of))] }

func (s *sheet) lineEnd() string {
	if s.eol != "" {
		return s.eol
	}
	return s.one("\n", "\r\n")
}

// say adds lines of text.
func (s *sheet) say(to section, lines ...string) section {
	for _, line := range lines {
		to = append(to, piece{text: line + s.lineEnd()})
	}
	return to
}

// ask adds a live marker: before stands in front of it, first and rest in front
// of its answer. Some markers are byte for byte the same.
func (s *sheet) ask(to section, before, first, rest string) section {
	s.markers++
	key := s.one("Miner", "Editor", "Miner:t-1", "miner", "Heavy-Lifter:A.b_2")
	end := s.lineEnd()
	what := s.one("again?", "what now?", fmt.Sprintf("question %d?", s.markers), fmt.Sprintf("caf\xe9 %d?", s.markers), "日本 🎉 *why* [[Link]]")
	if s.dice.IntN(3) == 0 { // a question of several lines
		what = s.one("please list", "caf\xe9 and", fmt.Sprintf("what did %d", s.markers), "is **it**")
		for range 1 + s.dice.IntN(3) {
			what += s.lineEnd() + goesOn(before) + s.one("what we", "gr\xfc\xdfe an", "[[Link]] and `code`", fmt.Sprintf("then %d", s.markers), "(so) 日本")
		}
		what += s.one("", "?", ".")
	}
	return append(to, piece{
		text: before + "@agent-" + key + " " + what, marker: s.markers, eol: end, first: first, rest: rest,
	})
}

// askAbove adds a live marker above a person's own words, which the form of the note does
// not tell from the question: they stood there first.
func (s *sheet) askAbove(to section, before string) section {
	s.markers++
	in := goesOn(before)
	to = append(to, piece{
		text: before + "@agent-Miner what about" + s.one("", fmt.Sprintf(" %d", s.markers)), marker: s.markers, eol: s.lineEnd(), first: before, rest: in,
	})
	return s.say(to, s.near(in+"words that stood here"))
}

// goesOn is what the further lines of a question begin with.
func goesOn(before string) string {
	return strings.Map(func(r rune) rune {
		if r != '>' {
			return ' '
		}
		return r
	}, before)
}

// word is a line of text that stands nowhere else in the note.
func (s *sheet) word() string {
	s.words++
	return fmt.Sprintf("%s %d", s.one("Some text", "x\xfe\xff y", "Grüße", "A `span` and *more*", "# Heading"), s.words)
}

// near is a line that stands next to a marker.
func (s *sheet) near(text string) string {
	if s.alike {
		return text
	}
	s.words++
	return fmt.Sprintf("%s %d", text, s.words)
}

// section adds a random one between blank lines and lines that name it, so that
// its markers can be told from equal ones wherever it goes.
func (s *sheet) section() section {
	to := s.say(nil, s.word(), "")
	switch s.dice.IntN(16) {
	case 0, 1, 2:
		to = s.ask(to, s.one("> ", ">", ">  ", "   > ", ">\t"), "", "")
	case 3:
		to = s.ask(s.ask(to, "> ", "", ""), "> ", "", "")
	case 4: // somebody's quote: the answer stays in it
		to = s.say(to, s.one("> [!note] Title", "> A quote."), s.near("> of two lines"))
		to = s.ask(to, "> ", "> ", "> ")
		if last := to[len(to)-1].text; s.dice.IntN(2) == 0 && strings.HasSuffix(last, "?") {
			to = s.say(to, s.near("> goes on."))
		} else {
			to = s.say(to, s.near(s.one("> \u2014 goes on.", "> \"goes on.", "> | goes on.", "> - goes on.")))
		}
	case 5: // the inner quote goes, the outer stays
		to = s.say(to, s.near("> outer text"), ">")
		to = s.ask(to, "> > ", "> ", "> ")
		to = s.say(to, ">", s.near("> more of it"))
	case 6:
		mark := s.one("- ", "* ", "1. ", "10) ")
		in := strings.Repeat(" ", len(mark))
		to = s.say(to, s.near(mark+"item"), "")
		to = s.ask(to, in+"> ", in, in)
		to = s.say(to, "", s.near(in+"more of the item"))
	case 7:
		mark := s.one("- ", "+ ", "1. ")
		to = s.ask(to, mark+"> ", mark, strings.Repeat(" ", len(mark)))
	case 8:
		to = s.say(to, "- one", s.near("  - two"), "")
		to = s.ask(to, "    > ", "    ", "    ")
	case 10:
		to = s.askAbove(to, s.one("> ", "> > ", "- > "))
	case 9:
		to = s.say(to, "> text of a quote", ">", s.near("> - item"), ">")
		to = s.ask(to, ">   > ", ">   ", ">   ")
	default:
		to = s.decoy(to)
	}
	return s.say(to, "", s.word(), "")
}

// decoy adds what looks like a marker and is none.
func (s *sheet) decoy(to section) section {
	fence := s.one("```", "~~~~", "`````")
	no := "> @agent-Miner " + s.one("hidden", "again?", "what now?")
	switch s.dice.IntN(11) {
	case 0:
		return s.say(to, fence+s.one("", "go", " text"), no, fence)
	case 1:
		return s.say(to, "> "+fence, "> "+no, "> "+fence)
	case 2:
		return s.say(to, "- item", "", "  "+fence, "  "+no, "  "+fence)
	case 3:
		return s.say(to, "<!--", no, "-->")
	case 4:
		return s.say(to, "%%", no, "%%")
	case 5:
		return s.say(to, "$$", no, "$$")
	case 6:
		return s.say(to, "<!-- agent-response -->", no, "an older answer", "<!-- /agent-response -->")
	case 7:
		return s.say(to, "    "+no)
	case 8:
		return s.say(to, "@agent-Miner no quote", "\\@agent-Miner escaped", "see `> @agent-Miner a span`")
	case 9:
		return s.say(to, "> text, then @agent-Miner in its middle", "> \\@agent-Miner escaped", "> @agent-Miner: a colon", "> @agent-Miner")
	}
	return s.say(to, s.one("| a | b |", "***", "- [ ] todo", "[link](x.md)"))
}

func newSheet(dice *rand.Rand) *sheet {
	s := &sheet{dice: dice, eol: []string{"\n", "\n", "\r\n", ""}[dice.IntN(4)], cut: dice.IntN(3) == 0, alike: dice.IntN(3) == 0}
	if dice.IntN(5) == 0 {
		s.bom = "\xef\xbb\xbf"
	}
	if dice.IntN(5) == 0 {
		s.sections = append(s.sections, s.say(nil, "---", "title: x", s.one("a: b", "> @agent-Miner property"), "---", ""))
	}
	for range 1 + dice.IntN(7) {
		s.sections = append(s.sections, s.section())
	}
	if s.cut && dice.IntN(2) == 0 { // the note ends with a marker that has no line end
		s.sections = append(s.sections, s.ask(s.say(nil, s.word(), ""), "> ", "", ""))
	}
	return s
}

// pieces is the whole note. A missing last line end is taken off here.
func (s *sheet) pieces() []piece {
	all := slices.Concat(s.sections...)
	if s.cut && len(all) > 0 {
		last := &all[len(all)-1]
		last.eol = ""
		if last.marker == 0 {
			last.text = strings.TrimRight(last.text, "\r\n")
		}
	}
	return all
}

// bytes is the note with those of its markers answered that have a block.
func (s *sheet) bytes(blocks map[int]string) []byte {
	var b bytes.Buffer
	b.WriteString(s.bom)
	above := "\n"
	for _, p := range s.pieces() {
		answer, answered := blocks[p.marker]
		if p.marker == 0 || !answered {
			b.WriteString(p.text + p.eol)
		} else {
			eol := p.eol
			if eol == "" {
				eol = endOf(p.text[:strings.LastIndexAny(p.text, "\r\n")+1], above)
			}
			b.WriteString(p.first + "<!-- agent-response -->" + eol)
			for line := range strings.Lines(answer) {
				line = p.rest + strings.TrimSuffix(line, "\n")
				if line == p.rest {
					line = strings.TrimRight(line, " \t")
				}
				b.WriteString(line + eol)
			}
			b.WriteString(p.rest + "<!-- /agent-response -->" + p.eol)
		}
		above = endOf(p.text+p.eol, above)
	}
	return b.Bytes()
}

func endOf(line, otherwise string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return otherwise
}

// live are the markers that stand in the note, but for those answered.
func (s *sheet) live(answered map[int]string) (list []piece) {
	for _, p := range s.pieces() {
		if _, gone := answered[p.marker]; p.marker > 0 && !gone {
			list = append(list, p)
		}
	}
	return list
}

// edit does what a user does between question and answer. What it adds brings no
// markers, and a marker whose line it changes is gone for its dispatch.
func (s *sheet) edit() {
	n := len(s.sections)
	at := s.dice.IntN(n)
	front := strings.HasPrefix(s.sections[0][0].text, "---")
	if front && at == 0 {
		return
	}
	switch s.dice.IntN(6) {
	case 0:
		s.sections = slices.Insert(s.sections, at, s.say(nil, s.word(), "", s.word(), ""))
	case 1:
		if n > 2 && !s.cut {
			s.sections = slices.Delete(s.sections, at, at+1)
		}
	case 2: // a section is moved; the last stays where a line end may be missing
		to := s.dice.IntN(n)
		if !s.cut && !(front && to == 0) {
			moved := s.sections[at]
			s.sections = slices.Insert(slices.Delete(s.sections, at, at+1), to, moved)
		}
	case 3: // a question is worded anew
		for i, p := range s.sections[at] {
			if p.marker > 0 {
				s.markers++
				s.sections[at] = slices.Clone(s.sections[at])
				s.sections[at][i].text += fmt.Sprintf(" edited %d", s.markers)
				s.sections[at][i].marker = s.markers
				return
			}
		}
	case 4: // the line above a question is worded anew; the one below still tells which it is, unless it is a question too
		for i, p := range s.sections[at][1:] {
			if p.marker > 0 && s.sections[at][i].marker > 0 {
				return
			}
		}
		s.sections[at] = slices.Clone(s.sections[at])
		s.sections[at][0] = piece{text: s.word() + s.lineEnd()}
	}
}

// remembered is what the journal keeps of every marker of a note.
func remembered(src []byte, pieces []piece) map[int]Place {
	places := make(map[int]Place)
	var live []piece
	for _, p := range pieces {
		if p.marker > 0 {
			live = append(live, p)
		}
	}
	for i, m := range parsed(src, live) {
		if i < len(live) {
			places[live[i].marker] = place(m, "")
		}
	}
	return places
}

// parsed is what the scanner finds when it knows how long each question is.
func parsed(src []byte, live []piece) []note.Marker {
	lines := make(map[int]int)
	for i, m := range note.Parse(src).Markers {
		if i < len(live) {
			lines[m.Line] = note.CountLines(live[i].text)
		}
	}
	return note.NewPage(src).Cut(func(m note.Marker) int { return lines[m.Line] }).Markers
}
