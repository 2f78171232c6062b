package untaken

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// guess is a line that only nearly looks like a marker, and what was meant.
type guess struct {
	fix
	Line int
	why  string
}

// findGuesses looks at the lines of a note that nothing else says anything about.
func findGuesses(src []byte, roles []string, known, tables map[int]bool) (found []guess) {
	if !mayAsk(src) {
		return nil
	}
	lines := note.Lines(src)
	for i, line := range lines {
		if known[i+1] || !isInviting([]byte(line)) || linked().MatchString(line) {
			continue
		}
		var g guess
		if !tables[i+1] {
			g = mendLine(line, roles)
		}
		if g.takes == 0 {
			g = mendWithin(line, tables[i+1], roles)
		}
		if g.takes == 0 && !tables[i+1] && holdsAddress([]byte(line)) && !strings.Contains(line, "#") {
			g = mendTwo(lines, i+1, roles)
		}
		if g.takes > 0 {
			g.Line = i + 1
			if found = append(found, g); len(found) == mostMisses {
				break
			}
		}
	}
	return found
}

// mayAsk reports whether a line of a note may be a guess, or asks in vain for lines that end
// as no other's do. Most notes have none.
func mayAsk(src []byte) bool {
	if bytes.IndexByte(src, '@') < 0 && !bytes.Contains(src, []byte("gent")) && !bytes.Contains(src, []byte("＠")) {
		return false
	}
	if bytes.IndexByte(src, '\r') >= 0 {
		return true
	}
	for line := range bytes.Lines(src) {
		if isInviting(line) {
			return true
		}
	}
	return false
}

// isInviting reports whether a line begins as an address may, or has one further on.
func isInviting(line []byte) bool {
	start := line[note.LooseMarks(line):]
	switch {
	case holdsAddress(line):
		return true
	case len(start) < len("@agnt"):
		return false
	case start[0]|0x20 == 'a':
		return bytes.EqualFold(start[:5], []byte("agent"))
	}
	first, _ := utf8.DecodeRune(start)
	return strings.ContainsRune("@＠/＞»“”‘’[#\"'`_&\\", first)
}

// approach takes apart the beginning of a line: quote and list marks as people and editors write
// them, other marks, an @ or the slash of a chat, a word like agent, what joins it to the role, and all
// after that. Other marks are boxes, the words of tasks in Logseq, hours, arrows, emphasis, quotation marks and symbols.
var approach = lazyregexp.New(`^((?:[ \t>＞»]|&gt;|\\>|(?:[*+\-]|\d{1,9}[.)])[ \t])*)` +
	`((?:(?:\[[^\[\]]\]|#{1,6}|==|~~|[-=]>|(?:TODO|DOING|DONE|NOW|LATER|WAITING)\b|\d{1,2}:\d\d\b|[a-z]\)|` +
	`[*_"“”„'‘’‚«»(（「『\[•‣–—―→⇒\x{fe0f}\x{200d}\x{1f3fb}-\x{1f3ff}\p{So}])[ \t]*){0,6}[ \t>]*)` +
	`([@＠/]?)[ \t]*(.*)$`)

// footnote is how a footnote begins: with Markdown alone it is text before the >, with footnotes the
// quote is at the end of the page (https://help.obsidian.md/syntax#Footnotes).
var footnote = lazyregexp.New(`^ {0,3}\[\^[^\]\s]+\]:[ \t]*`)

// What emphasis, a link or a quotation puts between an @ and the word agent, and behind the role.
const (
	opening = "*_`\"'<({[~="
	closing = "*_`\"'>)}]~="
)

// mendLine guesses what was meant by a line that is no marker; nothing where it is a line like any
// other.
func mendLine(line string, roles []string) guess {
	if head, rest := cutCallout(line, roles); head != "" {
		g := mendLine(rest, roles)
		g.text, g.at = head+"\n"+g.text, 1
		return g
	}
	label := footnote().FindString(line)
	parts := approach().FindStringSubmatch(line[len(label):])
	if parts == nil {
		return guess{}
	}
	marks, at, text := parts[1], parts[3] != "", parts[4]
	bare := strings.TrimLeft(text, opening)
	isOpened := at && parts[3] != "/" && bare != text
	if isOpened {
		text = bare
	}
	quoted := strings.ContainsAny(marks, ">＞»") || strings.Contains(marks, "&gt;")
	role, rest, why := readAddress(text, at, quoted || strings.Contains(" "+parts[2], " >"), roles)
	isPath := parts[3] == "/" && (!quoted || strings.Contains(strings.Fields(text + " -")[0], "/"))
	if isOpened {
		role = strings.TrimRight(role, "_")
		if behind := strings.TrimLeft(rest, closing); cleanRest(behind) != behind { // not of the question
			rest = cleanRest(behind)
		}
	}
	name, _, _ := strings.Cut(role, ":")
	isNoted := label == "" || strings.Contains(parts[1], ">") || roleNamed(name, roles) != "" && asking().MatchString(rest)
	isCode := !quoted && strings.TrimLeft(marks, " \t") == "" && (len(marks) > 3 || strings.Contains(marks, "\t"))
	isShown := strings.ContainsAny(parts[2], "#\"“„«‘'「『")
	if role == "" || rest == "" || isPath || !isNoted || why == unnamed && (isCode || isShown) {
		return guess{}
	}
	switch {
	case label != "":
		why = "it is in a footnote; ask in a block quote of its own"
	case why == unnamed: // which says more than a sentence about the quote
	case !quoted:
		why = Why(note.NoQuote)
	case !strings.Contains(marks, ">") || strings.Contains(marks, "&gt;") || strings.Contains(marks, `\>`):
		why = "a block quote begins with a plain >"
	}
	marks = strings.NewReplacer("&gt;", ">", `\>`, ">", "＞", ">", "»", ">").Replace(marks)
	if !strings.Contains(marks, ">") {
		marks = indentless(marks) + "> "
	}
	marks = marks[:strings.LastIndex(marks, ">")+1] + " "
	return guess{fix{marks + note.MarkerStart + role + " " + rest, 1, 0}, 0, why}
}

// mendTwo is mendLine for a line whose question stands on the line below.
func mendTwo(lines []string, number int, roles []string) (g guess) {
	if next := textBelow(lines, number); next != "" && !coded().MatchString(next) {
		if g = mendLine(lines[number-1]+" "+next, roles); g.takes > 0 {
			g.takes = 2
		}
	}
	return g
}

// roleNamed is the one of roles that a name is in any case, or "".
func roleNamed(name string, roles []string) string {
	if i := slices.IndexFunc(roles, func(r string) bool { return strings.EqualFold(r, name) }); i >= 0 {
		return roles[i]
	}
	return ""
}

// readAddress reads who is asked behind an @ or without one, and what; nothing where nobody is.
func readAddress(text string, at, quoted bool, roles []string) (role, rest, why string) {
	for _, word := range []int{5, 4, 6} { // agent, and with a letter less or more
		address, joined, ok := cutWord(text, word)
		if !ok {
			continue
		}
		parts := addressed().FindStringSubmatch(address)
		if parts == nil {
			continue
		}
		// Words that merely begin like an address are many: agent-based, @agents of change, @agent_smith.
		known := roleNamed(parts[1], roles) != ""
		if joined != "-" && assigned().MatchString(parts[3]) {
			continue
		}
		if at && (known || joined == "-" || joined != "" && nearest(parts[1], roles) != "") || quoted && known && joined != "" && word == 5 && (!labelled().MatchString(text) || asking().MatchString(parts[3])) {
			return parts[1] + parts[2], cleanRest(parts[3]), Why(spelling)
		}
	}
	if word := agentWords().FindString(text); at && word != "" {
		parts := addressed().FindStringSubmatch(text[len(word):])
		isWord := strings.HasSuffix(word, " ") && !quoted // some agents, an agency
		isOther := otherWords().MatchString(word)
		if parts != nil && !isOther && roleNamed(parts[1], roles) != "" && !assigned().MatchString(parts[3]) && (!isWord || asking().MatchString(parts[3])) {
			return parts[1] + parts[2], cleanRest(parts[3]), Why(spelling)
		}
	}
	if parts := addressed().FindStringSubmatch(text); at && quoted && parts != nil {
		name := roleNamed(parts[1], roles)
		if name == "" && utf8.RuneCountInString(parts[1]) > 3 && asking().MatchString(parts[3]) {
			name = nearlyNamed(parts[1], roles)
		}
		if name != "" && !quoting().MatchString(parts[3]) {
			return name + parts[2], cleanRest(parts[3]), Why(spelling)
		}
	}
	if role, rest = readNameless(text, roles); at && role != "" {
		return role, rest, unnamed
	}
	return "", "", ""
}

// agentWords is the word agent with other endings, in other languages, and what joins it to a role.
var agentWords = lazyregexp.New(`^(?i:agent\pL{1,3}|агент\pL{0,3}|ajan|ejen|πράκτορα\pL?|代理人?|智能体|エージェント|에이전트|एजेंट|وكيل)` +
	`[ \t]*[-_:./ \x{2010}-\x{2015}\x{2212}\x{ff0d}][ \t]*`)

// otherWords begin like the word agent too.
var otherWords = lazyregexp.New(`^(?i:agentur|agentic)`)

// cutWord cuts off a word of n letters that is agent but for one of them, and what joins it to the
// role: "-" for a dash right between the two.
func cutWord(text string, n int) (rest, joined string, ok bool) {
	letters := []rune(text[:min(len(text), 40)])
	if len(letters) <= n || distance(strings.ToLower(string(letters[:n])), "agent", 2) > 1 {
		return "", "", false
	}
	rest = text
	for range n { // a byte that is no UTF-8 is a letter of one byte
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	joint := joints().FindString(rest)
	if dash().MatchString(joint) {
		return rest[len(joint):], "-", true
	}
	if joined = strings.TrimSpace(joint); dash().MatchString(joined) {
		joined = " - "
	}
	return rest[len(joint):], joined, true
}

// isMeant reports whether a line in which "@agent-" is misspelt asks somebody: what is right but for
// its letters or its dash does, and any other spelling that names a role that somebody answers, or
// nearly does.
func isMeant(line string, roles []string) bool {
	_, after, _ := strings.Cut(line, "@")
	after = strings.TrimLeft(after, " \t")
	word := len("agent")
	if len(after) > word+1 && after[word]|0x20 == 's' {
		word++
	}
	for n := word; n >= len("agent"); n-- { // the s may be of the role
		if len(after) < n {
			continue
		}
		rest := after[n:]
		joint := joints().FindString(rest)
		parts := addressed().FindStringSubmatch(rest[len(joint):])
		if dash().MatchString(joint) || parts != nil && (nearest(parts[1], roles) != "" || slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(r, parts[1]) })) {
			return true
		}
	}
	return false
}

// dash is a hyphen or what keyboards make of it, without space around it.
var dash = lazyregexp.New(`^[-\x{2010}-\x{2015}\x{2212}\x{ff0d}]$`)

// joints are what people write for the hyphen.
var joints = lazyregexp.New(`^[ \t]*[-_:./\x{2010}-\x{2015}\x{2212}\x{ff0d}]?[ \t]*`)
