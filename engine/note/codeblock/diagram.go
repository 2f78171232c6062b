package codeblock

import (
	"regexp"
	"strings"
)

const (
	styleWords = `(?:style|classDef|linkStyle|updateElementStyle|updateRelStyle|cssClass)\b`

	// more is what a statement may begin behind but the begin of a line, and without one of its own.
	more = `[;}]\s*(?:end\b\s*)*`
)

// themeValue is a word, a number or a colour, and themeValues some of them by name.
const (
	themeValue  = `\s*(?:"(?:#?[\w .,-]*)"|'(?:#?[\w .,-]*)'|[\w.-]+)\s*`
	looks       = `(?:themeVariables|flowchart|sequence|gantt|gitGraph|mindmap|pie|state|class|er|journey|timeline|xyChart|quadrantChart|sankey|block|packet|kanban|architecture|radar|treemap|requirement)`
	themeValues = `\{(?:\s*["']?[A-Za-z0-9]+["']?\s*:` + themeValue + `,?)+\s*\}`
)

var (
	// diagramTheme is the configuration that says no more than how a diagram looks. Mermaid takes it out of the text.
	diagramTheme = expression(`%%\{\s*init\s*:\s*\{(?:\s*["']?(?:(?:theme|look|layout|logLevel)["']?\s*:` + themeValue +
		`|` + looks + `["']?\s*:\s*` + themeValues + `)\s*,?)+\s*\}\s*\}%%`)

	// diagramKind is how a diagram may begin. C4 is left out: its pictures and links
	// are arguments like others.
	diagramKind = expression(`^(?:graph|flowchart|sequenceDiagram|classDiagram|stateDiagram|erDiagram|journey|gantt|pie|quadrantChart|requirementDiagram|gitGraph|mindmap|timeline|xychart|block|sankey|packet|kanban|architecture|radar|treemap)\b`)

	// diagramTitle is the only allowed head, with a configuration like that of diagramTheme: every other key is left out.
	diagramTitle = expression(`^---[ \t]*\n(?:[ \t]*title:[ \t]*["']?[^\n"'&*!|>{}\[\]%@\x60\\#-][^\n"'{}\\]*["']?[ \t]*\n|` +
		`[ \t]*config:[ \t]*\n(?:[ \t]+(?:(?:theme|look|layout|logLevel):[ \t]*["']?[A-Za-z][\w.-]*["']?|` + looks + `:[ \t]*\n[ \t]+[A-Za-z0-9]+:[ \t]*(?:"#?[\w .-]*"|'#?[\w .-]*'|[\w.-]+)` +
		`(?:\n[ \t]{3,}[A-Za-z0-9]+:[ \t]*(?:"#?[\w .-]*"|'#?[\w .-]*'|[\w.-]+))*)[ \t]*\n)+)+[ \t]*---[ \t]*\n`)

	// diagramHTML are the allowed uses of '<': tags without attributes that are none of actingTag, types such as List<String>,
	// annotations of classes, arrows, comparisons; and of the names of characters. A name in brackets is one of these tags.
	diagramHTML = expression(`(?i)</?[a-z][\w.-]*(?:,[\w ,.-]*|\[\]| ?/)?>|&(?:quot|nbsp|copy|reg|trade|deg|euro|times|hellip|[mn]dash);|(?:&amp;)+[ ,.)"\]]|<<[a-z]+>>|<[-|=.<*o]*-|<<?[ 0-9=]|<\|`)
	namedAngle  = expression(`(?i)[&#][lg]t;`)

	// actingTag loads, links, runs, takes up what follows as no text, or hides it, even without attributes.
	actingTag = expression(`(?i)</?(?:a|animate\w*|applet|area|audio|base|body|button|canvas|datalist|desc|details|dialog|embed|foreignobject|form|frame\w*|head|html|iframe|image|img|input|link|listing|` +
		`map|marquee|math|metadata|meta|no\w+|object|optgroup|option|param|picture|plaintext|portal|rp|script|select|set|slot|source|style|svg|template|textarea|title|track|use|video|xmp)(?: ?/)?>`)

	// diagramActs matches text that loads, links or runs, at any place.
	diagramActs = expression(`(?i)%%\{|url\s*\(|image\s*\(|src\s*\(|@import|expression\s*\(|!\[|\$\$|&#|&[a-z][a-z0-9]*;|<`)

	// diagramCode is a character by its code, as Mermaid writes it; those of plainCode cannot
	// begin HTML, see namedAngle.
	diagramCode = expression(`#[0-9A-Za-z]+;[ 0-9=]?`)
	// styleEnd is a style up to the semicolon behind it, which Mermaid takes away before it reads such characters:
	// `fill:#fff;` is a colour. https://github.com/mermaid-js/mermaid/blob/develop/packages/mermaid/src/utils.ts
	styleEnd  = expression(`(style.*:\S*#.*);`)
	classEnd  = expression(`(classDef.*:\S*#.*);`)
	plainCode = expression(`^#amp; $|^#(?:quot|nbsp|62|34|35|39|40|41|44|58|59|91|93|123|124|125|[1-9][0-9]{3,5});[ 0-9=]?$`)

	diagramShape = expression(`@\{[^}]*\}?`)
	plainShape   = expression(`^@\{[\w\s:,"'.-]*\}$`)
	shapeActs    = expression(`(?i)(?:img|icon|href|link)["']?\s*:`)
	diagramStyle = expression(`(?im)^\s*(?:end\b\s*)*` + styleWords + `.*$|` + more + styleWords + `[^;\n]*`)
	unseenStyle  = expression(`(?i)display|visibility|(?:^|[^\w-])opacity\s*:\s*(?:0+|0*\.[0-2][0-9]*|0*\.|[0-9]+e-[0-9]+)%?\s*(?:[;,]|$)|font-size\s*:\s*[0-4](?:\D|$)`)
	plainStyle   = expression(`^[\s;}]*(?:end\s+)*(?:[\w \t:;,#.%*-]|rgba?\([0-9., %]*\))*$`)
)

// diagramRule says what is looked for in a kind of diagram: the words by which a statement links or calls (none where lines are
// text), the styles, and the bodies of members, which are text too.
type diagramRule struct{ orders, styles, members func() *regexp.Regexp }

// diagramRules are the kinds that have an order; the others have ruleOfText.
// https://github.com/mermaid-js/mermaid/tree/develop/packages/mermaid/src/diagrams, in each parser
var (
	diagramRules = map[string]diagramRule{
		"graph":           {orderOf(``, `click`), diagramStyle, nil},
		"flowchart":       {orderOf(``, `click`), diagramStyle, nil},
		"gantt":           {expression(`(?i)[\s;}]click\s+\S+\s+(?:href|call)\b`), diagramStyle, nil}, // behind a word that ends by itself, too
		"sequenceDiagram": {orderOf(`(?i)`, `links?|properties|details`), diagramStyle, nil},
		"classDiagram":    {orderOf(``, `click|link|callback`), diagramStyle, expression("(?m)^[ \t]*class[ \t]+[^\\s{}\"`]+[ \t]*\\{[^{}\"`]*\\}")},
		// No sign parts its statements.
		"stateDiagram": {expression(`(?i)[\s;}]click\s+\S+\s+(?:href|")`), expression(`(?im)[\s;}]` + styleWords + `.*$`), nil},
	}
	ruleOfText = diagramRule{styles: diagramStyle}
)

func orderOf(flags, words string) func() *regexp.Regexp {
	return expression(flags + `(?m)(?:^\s*(?:(?:end|[a-z]+Diagram)\b\s*)*|` + more + `)(?:` + words + `)(?:[\s"]|$)`)
}

// isPlain reports whether a diagram of the kind has no order, and no style but plain ones.
func (d diagramRule) isPlain(s string) bool {
	if !allMatch(s, d.styles(), func(style string) bool { return plainStyle().MatchString(style) && !unseenStyle().MatchString(style) }) {
		return false
	}
	if d.members != nil {
		s = d.members().ReplaceAllString(s, "")
	}
	return d.orders == nil || !d.orders().MatchString(s)
}

// IsPlainDiagram reports whether the text of a diagram draws and does nothing else: it has no link, click, picture or
// HTML but plain tags, no configuration such as a style sheet, and no drawing that does not end. https://mermaid.js.org/config/directives.html,
// https://mermaid.js.org/syntax/flowchart.html#interaction
func IsPlainDiagram(s string) bool {
	whole := s
	s = strings.TrimLeft(diagramTheme().ReplaceAllString(s, ""), " \t\n")
	s = s[len(diagramTitle().FindString(s)):]
	first := strings.TrimLeft(s, " \t\n")
	for strings.HasPrefix(first, "%%") && !strings.HasPrefix(first, "%%{") {
		_, first, _ = strings.Cut(first, "\n")
		first = strings.TrimLeft(first, " \t\n")
	}
	html := namedAngle().ReplaceAllStringFunc(s, func(name string) string { return map[byte]string{'l': "<", 'g': ">"}[name[1]|0x20] })
	kind := diagramKind().FindString(first)
	if kind == "" || !drawsSoon(kind, whole) || actingTag().MatchString(html) || diagramActs().MatchString(diagramHTML().ReplaceAllString(html, " ")) {
		return false
	}
	coded := classEnd().ReplaceAllString(styleEnd().ReplaceAllString(html, "$1"), "$1")
	if !allMatch(coded, diagramCode(), func(code string) bool { return plainCode().MatchString(code) }) ||
		!allMatch(s, diagramShape(), func(shape string) bool { return plainShape().MatchString(shape) && !shapeActs().MatchString(shape) }) {
		return false
	}
	rule, ok := diagramRules[kind]
	if !ok {
		rule = ruleOfText
	}
	return rule.isPlain(s)
}

func allMatch(s string, what *regexp.Regexp, isPlain func(string) bool) bool {
	for _, found := range what.FindAllString(s, -1) {
		if !isPlain(found) {
			return false
		}
	}
	return true
}
