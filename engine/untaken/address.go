package untaken

import (
	"cmp"
	"regexp"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/unseen"
	"vaultdispatcher/engine/wording"
)

// The parts of a form. Emphasis, a link or a quotation may begin at the word agent and at the role.
const (
	open  = "[*_`\"'<({\\[~=]*"
	joint = `(?:[ \t]*[-_:./‐-―−]+[ \t]*|[ \t]+)` + open
	named = `(\pL[\pL\pM\pN_‐-―−-]*)(:[\pL\pM\pN._-]*[\pL\pM\pN_-])?` + "[*_`\"'>)}\\]~=]*"
)

// forms find the word agent, the role and the task. A weak form is common in texts that ask no agent:
// it counts in a quote that names a role rightly. A form that asks ends in a question mark.
var forms = []struct {
	pattern      func() *regexp.Regexp
	isWeak, asks bool
}{
	{lazyregexp.New(`^@[ \t]*` + open + `(?:([\pL\x{fffd}]{4,6})` + joint + `|(?i:agent))` + named), false, false}, // @Agent-Miner, @ agent: Miner, @agentMiner
	{lazyregexp.New(`^/?((?i:agent))[-_:./‐-―−]` + named), true, false},                                            // > agent-Miner
	{lazyregexp.New(`^(?:@` + open + `|/?(?i:agent)` + joint + `)()` + named), true, true},                         // > @Miner, > agent: Miner
}

var (
	// decoration says nothing: boxes, footnotes, words of tasks in Logseq, hours, letters of a list, arrows, emphasis, symbols.
	decoration = lazyregexp.New("^(?:\\[[^\\[\\]]\\]|\\[\\^[^\\]\\s]+\\]:[ \t]*>|(?:TODO|DOING|DONE|NOW|LATER|WAITING)\\b|\\d\\d?:\\d\\d\\b|[a-z]\\)|[^\\pL\\pN<\\\\`])*$")
	callout    = lazyregexp.New(`^\[![^\]]*\][+-]?`)
	asking     = lazyregexp.New(`\pL.*[?？][\s*_)\]"”»'~=]*$`)
	silent     = lazyregexp.New(`^[\s\x{a0}\x{3000},:;.!*_\])–—，：、?？¿！。…-]*$`)
	// separators are between an address and a question: those with a space behind them, and those that begin no word.
	separators = lazyregexp.New(`^(?:[\s\x{a0}\x{3000},:;.!*_\])–—，：、-]*[\s\x{a0}\x{3000}])?[,:;)\]–—，：、]*`)
	// told matches the rest of a text behind a name in code, in a path or a link, and behind a quoted
	// person.
	told = lazyregexp.New(`^(?:[”’]?:? *(?:wrote|said|says|commented|replied|asked)\b|\(|[./@]\pL|[ \t]*[|&+*/-]*= |[:,] *["“„«‘「][^"“”„«»]*["”“»’」]$)`)
)

// read finds the asked role in the line, and the question.
func (f *found) read(roles []string) bool {
	plain, from := unseen.Plain(f.text[:min(len(f.text), mostHead)])
	base := strings.LastIndexByte(plain[:max(0, strings.IndexByte(plain, '@'))], '\n') + 1
	begin := base + note.LeadingMarks([]byte(plain[base:]))
	f.prefix, f.marks = plain[:base], plain[base:begin]
	for at, tries := begin, 0; at < len(plain) && tries < mostTries; tries++ { // an @ may be missing at the beginning
		for form := range forms {
			if f.readForm(form, plain, from, begin, at, roles) {
				return true
			}
		}
		at += 1 + strings.IndexByte(plain[at+1:]+"@", '@')
	}
	f.role = ""
	return false
}

// readForm reads the address that has a form and begins at a byte of a plain line, whose marks end at another.
func (f *found) readForm(form int, plain string, from []int, begin, at int, roles []string) bool {
	before := plain[max(0, at-1)] | 0x20
	if at > begin && ('0' <= before && before <= '9' || 'a' <= before && before <= 'z') {
		return false // it is an address of mail
	}
	m := forms[form].pattern().FindStringSubmatchIndex(plain[at:min(at+mostAddress, len(plain))])
	if m == nil || m[2] < m[3] && wording.EditDistance(strings.ToLower(plain[at+m[2]:at+m[3]]), "agent", 2) > 1 {
		return false
	}
	written, task, end := plain[at+m[4]:at+m[5]], "", at+m[1]
	role, length, match := matchRole(written, roles)
	if length < len(written) {
		end = at + m[4] + length
	} else if m[6] >= 0 {
		task = strings.TrimRight(plain[at+m[6]:at+m[7]], "_")
	}
	tail := end + len(plain[end:]) - len(strings.TrimPrefix(plain[end:], " ")) // a space may be there by its name
	lead, rest := plain[begin:at], plain[end:tail]+f.text[from[tail]:]
	f.isDisguised = f.text[:from[begin]]+f.text[from[at]:from[tail]] != plain[:begin]+plain[at:tail]
	if f.isRow {
		lead = lead[strings.LastIndexByte(lead, '|')+1:]
		rest, _, _ = strings.Cut(rest, "|")
	}
	if f.lead = f.text[from[begin]:from[at]]; decoration().MatchString(lead) {
		f.lead = ""
	}
	f.question, f.isOpen = rest[len(separators().FindString(rest)):], strings.ContainsAny(rest, "?？")
	if silent().MatchString(f.question) {
		if f.question = ""; f.isOpen && len(task) > len(":t") { // it is a question of one word
			f.question, task = task[1:]+rest, ""
		}
	}
	f.role = role + task
	isExact := f.reason != "" && !f.isRow && strings.HasPrefix(plain[at:], note.MarkerStart+written)
	return isExact || match > 0 && !told().MatchString(rest) && f.isMeant(form, lead, match > 1, asking().MatchString(rest))
}

// isMeant reports whether the text around an address is what people write there.
func (f *found) isMeant(form int, lead string, isKnown, asks bool) bool {
	inQuote, isWeak := strings.Contains(f.marks, ">"), forms[form].isWeak
	switch {
	case strings.ContainsAny(lead, "`\\<"), isWeak && (!inQuote || !isKnown || f.question == "" || forms[form].asks && !asks):
		return false
	case f.isRow:
		return isKnown && f.question != "" && f.lead == ""
	case f.lead == "":
		return inQuote || f.question != "" || !strings.Contains(lead, "#")
	case inQuote:
		return isKnown && !isWeak || callout().FindString(lead) == strings.TrimSpace(lead)
	}
	return isKnown && asks && len(f.question) >= len("why?") && len(strings.Fields(lead)) <= 3
}

// matchRole returns the role that the beginning of a text names and the length of its name there.
// match is 2 if an agent answers that role, 1 if the name is near, and 0 otherwise.
func matchRole(text string, roles []string) (role string, length, match int) {
	isDash := func(r rune) bool { return '‐' <= r && r <= '―' || r == '−' }
	first := strings.FieldsFunc(text, isDash)[0]
	for _, as := range []string{text, strings.TrimRight(text, "_"), first} {
		name := strings.Join(strings.FieldsFunc(as, isDash), "-")
		if role = wording.Nearest(name, roles); strings.EqualFold(role, name) {
			return role, len(as), 2
		}
	}
	if role == "" {
		return first, len(first), 0
	}
	return role, len(first), 1
}

// mend makes a marker of the address. below is the text of the next line.
func (f *found) mend(below string) {
	if f.question == "" && f.lead != "" { // it is asked before
		head := callout().FindString(f.lead)
		f.question, f.lead = strings.Trim(f.lead[len(head):], " \t*_[(,，、"), head
		if f.isOpen && f.question != "" && !strings.HasSuffix(f.question, "?") {
			f.question += "?"
		}
	}
	quote := f.marks
	if i := strings.LastIndexByte(quote, '>'); i < 0 || strings.Trim(quote[i:], "> \t") != "" {
		quote = cmp.Or(quote[:i+1], quote+">") + " "
	}
	above := f.prefix
	if f.lead != "" { // which gets a line of its own
		above += f.marks + strings.TrimRight(strings.TrimRight(f.lead, "*_"), " \t") + "\n"
	}
	if f.question == "" && below != "" {
		f.takes = 2
	}
	question := cmp.Or(f.question, below, "what about this?")
	f.mended = above + quote + note.MarkerStart + f.role + " " + question
}
