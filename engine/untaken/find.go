package untaken

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
)

// mostMisses is how many near misses of one note are looked for a mend.
const mostMisses = 200

// mostMend is how many characters a mend may have.
const mostMend = 300

func find(src []byte, doc note.Doc, roles []string) []Row {
	tables := findTables(src)
	misses, known := findMisses(src, doc, roles, tables)
	guesses := findGuesses(src, roles, known, tables)
	odd := findDisguised(src, roles)
	rows := findWide(src, roles)
	isOdd := doc.Switch > 0 && len(doc.Markers) > 0 && !doc.Off
	if len(misses)+len(guesses)+len(rows)+len(odd) == 0 && doc.Unclosed == 0 && !isOdd {
		return nil
	}
	lines := note.Lines(src)
	fixes := make(map[int]fix)
	for line, f := range odd {
		if !known[line] {
			fixes[line] = f
		}
	}
	for _, m := range misses[:min(len(misses), mostMisses)] {
		if fixes[m.Line] = mendMiss(lines, m, roles); isDisguised(m.Text, m.Why, odd[m.Line]) {
			fixes[m.Line] = odd[m.Line]
		}
	}
	for i, g := range guesses {
		if odd[g.Line].takes == 0 {
			fixes[g.Line] = g.fix
		} else if isDisguised(lines[g.Line-1], spelling, odd[g.Line]) {
			guesses[i].why = disguised
		}
		known[g.Line] = true
	}
	mended := verify(lines, fixes)
	for _, m := range misses {
		row := rowOf(Miss, m.Line, m.Text, Why(m.Why))
		if row.Mend = mended[m.Line]; isDisguised(m.Text, m.Why, odd[m.Line]) {
			row.Reason = disguised
		}
		row.Hidden = doc.Off || isDeliberate(m.Why)
		rows = append(rows, row)
	}
	for _, g := range guesses {
		before := len(rows)
		if rows = appendMended(rows, lines, g.Line, g.why, mended); g.why == Why(note.Table) && len(rows) > before {
			rows[before].Mend = "" // the row of the table stays
		}
	}
	for line := range odd {
		if !known[line] {
			rows = appendMended(rows, lines, line, disguised, mended)
		}
	}
	if doc.Unclosed > 0 && !doc.Off {
		rows = append(rows, rowOf(Miss, doc.Unclosed, "", unclosed))
	}
	if isOdd {
		rows = append(rows, rowOf(Miss, doc.Switch, "", oddSwitch))
	}
	sortRows(rows)
	return rows
}

// findMisses returns the near misses of a note, and the lines of which something is known.
func findMisses(src []byte, doc note.Doc, roles []string, tables map[int]bool) (misses []note.NearMiss, known map[int]bool) {
	misses = slices.Concat(doc.Misses, findLookalikes(src))
	for i, m := range misses {
		if tables[m.Line] && (m.Why == note.NoQuote || m.Why == note.NotFirst) {
			misses[i].Why = note.Table
		}
	}
	misses = slices.DeleteFunc(misses, func(m note.NearMiss) bool {
		return m.Why == note.Table && !asksKnown(m.Text, roles) || m.Why == spelling && !isMeant(m.Text, roles) || linked().MatchString(m.Text) || mailed().MatchString(m.Text)
	})
	known = make(map[int]bool, len(misses)+len(doc.Markers))
	for i, m := range misses {
		known[m.Line] = true
		switch before, _, _ := strings.Cut(m.Text, note.MarkerStart); {
		case m.Why == note.InList && strings.HasSuffix(strings.TrimRight(before, " \t"), ">"):
			misses[i].Why = indented
		case asksAsTask(m):
			misses[i].Why = note.Colon
		case saysNothing(m):
			misses[i].Why = note.Empty
		}
	}
	for _, m := range doc.Markers {
		for line := m.Line; line <= max(m.Ends, m.Asked); line++ {
			known[line] = true
		}
	}
	return misses, known
}

// appendMended appends the row of a line that is a marker when it is mended.
func appendMended(rows []Row, lines []string, line int, why string, mended map[int]string) []Row {
	if mended[line] == "" {
		return rows
	}
	row := rowOf(Miss, line, lines[line-1], why)
	row.Mend = mended[line]
	return append(rows, row)
}

// isAboutName reports whether a line is no marker because of how it goes on behind "@agent-".
func isAboutName(reason note.Reason) bool {
	return reason == note.NoSpace || reason == note.Colon || reason == note.BadRole
}

// fix is what a person may have meant: the text in the place of so many lines, and in which of its
// lines the marker begins.
type fix struct {
	text  string
	takes int
	at    int
}

// verify returns the mends of the lines that are markers when all are mended.
func verify(lines []string, fixes map[int]fix) map[int]string {
	var b strings.Builder
	expected := make(map[int]int) // line of the mended note, by line
	written := 0
	for i := 0; i < len(lines); {
		f, ok := fixes[i+1]
		if !ok || f.takes == 0 {
			b.WriteString(lines[i] + "\n")
			written, i = written+1, i+1
			continue
		}
		expected[i+1] = written + f.at + 1
		b.WriteString(f.text + "\n")
		written, i = written+1+strings.Count(f.text, "\n"), i+f.takes
	}
	mended := make(map[int]string)
	if len(expected) == 0 {
		return mended
	}
	isMarker := make(map[int]bool)
	for _, m := range note.Parse([]byte(b.String())).Markers {
		isMarker[m.Line] = true
	}
	for line, at := range expected {
		if isMarker[at] {
			mended[line] = shortenLines(fixes[line].text)
		}
	}
	return mended
}

// shortenLines is a mend as a row has it: without what a terminal obeys but for its line ends.
func shortenLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		plain := strings.TrimLeft(line, " ")
		lines[i] = line[:len(line)-len(plain)] + wording.Line(plain)
	}
	return wording.Shorten(strings.Join(lines, "\n"), mostMend)
}

// linked is a link to a note whose name asks.
var linked = lazyregexp.New(`\[\[[^\]]*[@＠﹫](?i:agent)-[^\]]*[ #|][^\]]*\]\]|\[[^\]]*[@＠﹫](?i:agent)-[^\]]* [^\]]*\]\([^)]*\)`)

// mailed is an address of mail.
var mailed = lazyregexp.New(`^[^@]*[\pL\pN]@agent-[\w-]*\.\pL`)

// addressed takes apart what begins with the name of a role: role, task and the rest.
var addressed = lazyregexp.New(`^[ \t\[]*(\pL[\pL\pM\pN_-]*)(:[\pL\pM\pN._-]*[\pL\pM\pN_-])?(.*)$`)

// asksKnown reports whether a cell of a line asks a role that somebody answers: tables list names of many kinds.
func asksKnown(line string, roles []string) bool {
	_, after, _ := strings.Cut(line, note.MarkerStart)
	parts := addressed().FindStringSubmatch(after)
	if parts == nil {
		return false
	}
	cell, _, _ := strings.Cut(parts[3], "|")
	return roleNamed(parts[1], roles) != "" && cleanRest(cell) != ""
}

// asksAsTask reports whether a question of one word follows the colon of a task directly.
func asksAsTask(m note.NearMiss) bool {
	_, after, _ := strings.Cut(m.Text, note.MarkerStart)
	parts := addressed().FindStringSubmatch(after)
	return m.Why == note.NoSpace && parts != nil && len(parts[2]) > len(":t") && strings.ContainsAny(parts[3], "?？") && saysNothing(m)
}

// saysNothing reports whether nothing but punctuation follows the role in a line.
func saysNothing(m note.NearMiss) bool {
	_, after, _ := strings.Cut(m.Text, note.MarkerStart)
	parts := addressed().FindStringSubmatch(after)
	return (m.Why == note.NoSpace || m.Why == note.Colon) && parts != nil && strings.Trim(cleanRest(parts[3]), "?？¿!！.。…") == ""
}

// mendMiss guesses what was meant by a line that is no marker.
func mendMiss(lines []string, m note.NearMiss, roles []string) fix {
	line := lines[m.Line-1]
	if m.Why == spelling {
		if f := mendLine(line, roles).fix; f.takes > 0 {
			return f
		}
		return mendTwo(lines, m.Line, roles).fix
	}
	before, after, _ := strings.Cut(line, note.MarkerStart)
	parts := addressed().FindStringSubmatch(after)
	if parts == nil {
		parts = []string{"", "", "", after}
	}
	rest := strings.TrimLeft(parts[3], " \t\u00a0\u3000")
	request := note.MarkerStart + parts[1] + parts[2] + " "
	switch m.Why {
	case note.NoQuote:
		if next := textBelow(lines, m.Line); cleanRest(rest) == "" && next != "" {
			return fix{indentless(before) + "> " + request + next, 2, 0}
		}
		return fix{indentless(before) + "> " + request + cleanRest(rest), 1, 0}
	case note.Colon: // what stood behind it is no task then
		return fix{before + note.MarkerStart + parts[1] + " " + cleanRest(parts[2]+rest), 1, 0}
	case note.NoSpace:
		if joined := addressed().FindStringSubmatch(strings.TrimLeft(rest, "‐‑‒–—―−－")); joined != nil && roleNamed(parts[1]+"-"+joined[1], roles) != "" {
			return fix{before + note.MarkerStart + parts[1] + "-" + joined[1] + joined[2] + " " + cleanRest(joined[3]), 1, 0}
		}
		return fix{before + request + cleanRest(rest), 1, 0}
	case indented:
		return fix{strings.TrimLeft(line, " \t"), 1, 0}
	case note.BadRole:
		const odd = " \t*_`\"'<({[#@-–—"
		if parts = addressed().FindStringSubmatch(strings.TrimLeft(after, odd)); parts != nil && roleNamed(parts[1], roles) != "" {
			return fix{before + note.MarkerStart + parts[1] + parts[2] + " " + cleanRest(strings.TrimLeft(parts[3], "*_`\"'>)}]")), 1, 0}
		}
	case note.Confusable:
		if meant := nearest(parts[1], roles); meant != "" {
			return fix{before + note.MarkerStart + meant + parts[2] + " " + cleanRest(rest), 1, 0}
		}
	case note.InList:
		quote := strings.LastIndex(before, ">")
		return fix{before[:quote+1] + " " + request + rest, 1, 0}
	case note.Code:
		if line != strings.TrimLeft(line, " \t") && rest != "" {
			return fix{strings.TrimLeft(line, " \t"), 1, 0}
		}
	case note.Empty:
		if text := textBelow(lines, m.Line); text != "" {
			return fix{before + request + text, 2, 0}
		}
		if strings.ContainsAny(rest, "?？") { // a role is asked about the lines around the question too
			return fix{before + request + "what about this?", 1, 0}
		}
	case note.NotFirst:
		return askBelow(before, request, parts[3])
	}
	return fix{}
}

// textBelow is what the line below a line, which is counted from 1, says; nothing where it asks itself.
func textBelow(lines []string, line int) string {
	if line >= len(lines) || strings.Contains(lines[line], "@") {
		return ""
	}
	return lines[line][note.LeadingMarks([]byte(lines[line])):]
}

// indentless is the beginning of a line that is to be quoted: without the space that would make
// it code.
func indentless(before string) string {
	if strings.TrimLeft(before, " \t") == "" {
		return ""
	}
	return before
}

// separators are what people put between an address and a question: those with a space behind them, and those that begin no word.
var separators = lazyregexp.New(`^(?:[\s\x{a0}\x{3000},:;.!*_\])–—，：、-]*[\s\x{a0}\x{3000}])?[,:;)\]–—，：、]*`)

// cleanRest is a question without what stood between it and its address; "" where it says nothing.
func cleanRest(rest string) string {
	said := strings.TrimLeft(rest, " \t,:;.!*_])-–—，：、\u00a0\u3000")
	if strings.Trim(said, "?？") == "" {
		return said
	}
	return rest[len(separators().FindString(rest)):]
}
