// Package cleaned says in plain words what cleaning changes in an answer, and why. [Why] is all of it. The journal keeps an
// answer as its agent gave it, so this can be told at any time.
package cleaned

import (
	"regexp"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/note/unseen"
)

// sign is what a clean answer has more of, or less, than the answer that it was made of, and why.
type sign struct {
	form   func() *regexp.Regexp
	less   bool
	reason string
}

// signs are the rows of the tables of sanitize, in plain words.
var signs = []sign{
	{lazyregexp.New(`\\@agent-`), false, "A line would have asked an agent; it is text."},
	{lazyregexp.New(`(?i)!\[[^\[\]]*\](?:\(\s*<?(?:[a-z][a-z0-9+.-]*:|[/\\]{2})|\[)|<img\s`), true, "A picture would have been loaded from the network; it is a link or text."},
	{lazyregexp.New(`(?i)<(?:/?[a-z]|!|\?)`), true, "HTML is shown as it is spelled."},
	{lazyregexp.New("(?m)^[ \\t>*+\\-.)0-9]*`{3,}[ \\t]*text_"), false, "A block of code or a diagram that a program runs, draws or loads is plain text."},
	{lazyregexp.New(`\]\\\(|\[\\\[`), false, "A link leads out of the vault, or to another program; it is text."},
	{lazyregexp.New("`[^`\\n]*\\(=|`\\([^`\\n]+\\)`|` r[ \\t#]|`[^`\\n]*\\\\=|\\$(?:dc)? =|formula: =|`\\([A-Z]+\\["), false, "Code begins as what a plugin computes in a note; brackets or a space break that."},
	{lazyregexp.New(`<\x20%|- \*-|8 <-|!! !|(?:vim?|Vim|ex|kate|variables) :|\{ \{(?:\s*#|[<%/.])|: :include|\[ \[!|< <<|<! --|% %|[!$] include`), false, "Code holds an order to a template engine, an editor, a plugin or what reads in files, or a line does; a space breaks it."},
	{lazyregexp.New(`(?m)^[ >]*(?: {4}|\t)[^ \t>]`), true, "Code that was indented by four blanks is in fences."},
	{lazyregexp.New(`\\ ?(?:(?:re)?newcommand|[gex]?def|DeclareMathOperator)\b`), true, "Macros that a formula defines are written where they are used."},
	{lazyregexp.New(`\\\{|\{\\|\{ (?:\\?\{|[>+~-]{2})|\{[^{}\n]* =|\{\}=|\{\. `), false, "Braces look like attributes, a macro or a call to some program; a backslash or a space makes them text."},
	{lazyregexp.New(`\\(?:::|/{3}|!{3}|\?{3}|\+{3}|%{3}|@{3}|;{3}|={3}|<<|!(?i:include)|/\S)`), false, "A line begins as what opens a container or reads in a file; a backslash makes it text."},
	{lazyregexp.New(`\\\\[A-Za-z]+|\\ [A-Za-z]+`), false, "An order of TeX links, loads, styles or defines; it is shown as it is spelled."},
	{lazyregexp.New(`\]\\:|\\\^`), false, "A name of a link, a footnote or a block would hold for the whole note; it is text."},
	{lazyregexp.New(`(?m)^ {0,3}\[[^\[\]^]+\]:[ \t]`), true, "Links carry their targets themselves: definitions hold for the whole note."},
	{lazyregexp.New(`(?m)^[ \t>]*\*{3}$`), false, "A rule of dashes beside text would begin a table to some; it is one of asterisks."},
	{lazyregexp.New("`[^`\\n]+\\n[^`\\n]*`"), true, "Code that goes over a line's end is on one line: some readers would end it there."},
	{lazyregexp.New(`: :(?:\W|$)`), false, "A field would have brought to life what is text in it; a space breaks it."},
}

// Why returns a sentence for each kind of change, however often it was made; nil where nothing is changed.
func Why(answer string) (sentences []string) {
	text := strings.Trim(note.UnifyLineEnds(strings.ToValidUTF8(answer, "\uFFFD")), " \t\n")
	clean := sanitize.Answer(answer, 0)
	if strings.Trim(clean, " \t\n") == text {
		return nil
	}
	if len(unseen.Drop(text)) < len(text) {
		sentences = append(sentences, "Characters that no eye sees were taken out.")
	}
	for _, s := range signs {
		more := len(s.form().FindAllStringIndex(clean, -1)) - len(s.form().FindAllStringIndex(text, -1))
		if s.less && more < 0 || !s.less && more > 0 {
			sentences = append(sentences, s.reason)
		}
	}
	if sentences == nil {
		sentences = append(sentences, "Signs that some program acts on got a backslash, a space or brackets.")
	}
	return sentences
}
