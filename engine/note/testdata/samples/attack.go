package samples

import (
	"math/rand/v2"
	"strings"
)

// The grammar of [Attack]: forms with places for parts. %t is a target, %a a group of attributes, %w a word, %s a space of
// Unicode, %c code, %m an order of TeX, %n a name of a container or macro, %x another form or a word, %p a run of one sign.
var attackForms = []string{
	// CommonMark
	"![%x](%t)", "[%x](%t)", "![%x][r]", "[%x][r]", "[r]", "![r]", "[r]: %t", "[r]:\n%t '%x'", "<%t>", "![%x](<%t> \"%x\")", "[%x](%s%t%s'%w')", "[![%x](%t)](%t)", "[%x](\n%t)",
	"<img%ssrc=%t>", "<img\nsrc=\"%t\" onerror=x>", "<%w%sonclick=x>", "<script%s>x</script>", "<iframe src='%t'></iframe>", "<svg/onload=x>", "<a%shref='%t'>%x</a>", "<b %a>%x</b>", "<!-- %x -->", "<?%x?>", "<!X %x>", "<![CDATA[%x]]>", "<details%sopen>\n\n%x\n\n</details>",
	"`%c`", "``%c`%x``", "`%x", "```%n\n%x\n```", "~~~ %n %a\n%x", "```%n %a\n%x\n```", "    %x", "# %x", "%x\n===", "- %x", "> %x", "1. %x", "| %x | %x |\n|---|---|\n| %x | %x |", "%x\n:-:\n`%x | %x`", "***%x***", "*%x", "\\%x", "%x\\\n%x", "&#33;[%x](%t)", "&%w;",
	// extensions
	"%x{%a}", "{%a}", "{:%a}", "[%x]{%a}", "# %x {%a}", "`%c`{%a}", "%x%s{%s%a%s}", "![%x](a.png){%a}", "$%m{%x}$ {%a}", "| %x {%a} |\n|---|\n\n{%a}", "- %x {%a}", "```js {%a}\n%x\n```", "**%x**{%a}", "***\n{%a}", "[%x](a.md){%a}", "> %x\n{%a}",
	"%p %n\n%x\n%p", "%p{%a}\n%x", "%p%s%n %a\n%x\n%p", "%p[%x]{%a}", ":%n[%x]{%a}", "::%n[%x]{%a}", ":::%n[%x]{%a}\n%x\n:::", ":%n{%a}", "::%n{%a}", ":%n[%x]", "::%n", ":::%s%n",
	"[^%w]: %x", "[^%w]", "^[%x]", "*[%w]: %x", "%w\n: %x", "%w\n~ %x", "~%x~", "^%x^", "==%x==", "++%x++", "~~%x~~", "[[%t]]", "![[%t]]", "[[%x|%t]]", "[[toc]]", "- [ ] %x", "[%w:: %x]", "(%w:: %x)", "%w:: %x", "@[%n](%t)", "@[%x]{%a}", "[@%w]", "@%w",
	"{{%n %x}}", "{%% %n %x %%}", "{{< %n %x >}}", "{!%t!}", "{#%w}", "{=%n}", "<%% %x %%>", "${%x}", "{[%x]}", "<<[%t]", "--8<-- \"%t\"", "!!!include(%t)!!!", "@import \"%t\"", "@startuml\n%x\n@enduml", "!include %t", "%%[%x](%t)", "#+%n: %x", "[:%n {%a}]", "@@%n: %x@@", "%[%x](%t)",
	"$%m{%t}{%x}$", "$$\n%m{%x}\n$$", "\\(%m{%x}\\)", "\\[%m{%t}\\]", "%m{%t}", "\\begin{%n}%x\\end{%n}", "$`%m{%x}`$", "$5 %x and US$6", "```math\n%m{%t}{%x}\n```", "$%x", "$$%x",
	"---\n%w: %x\n---", "---\n%x\n---", "- - --\n%x\n\n%x\n-----", "%x  %w\n--- ----\n%x  %c", "+-------------------------+\n| %x |\n+-------------------------+", "| `%w\n| %c`", "a) `%w\nb) %c`", "(@) %x", "#. %x", "`%w\n%c`", "`%c`{=%n}", "```{=%n}\n%x\n```", "+++\n%w = '%x'\n+++", "<<%n(%x)>>", "((%x))", "||%x||", "%x ^%w", "vim: set %w:",
}

var (
	attackTargets = []string{"https://evil.example/x.png", "javascript:x", "JaVaScRiPt:x", "data:text/html,x", "file:///etc/passwd", "//evil.example/x", "\\\\evil\\x", "obsidian://x", "../../x", "/etc/passwd", "secret.md", "a.png", "vbscript:x", "java&#115;cript:x", "javascript&colon;x", "&#x6a;avascript:x", "javascript\t:x", "%6aavascript:x", "emjs:x", "x-y:z", "mailto:a@b", "http:x", "a\"onclick=\"x", "a'onclick='x", "#x\" onclick=\"x", "data:image/svg+xml;base64,PHN2Zz4=", "/\\evil.example"}
	attackAttrs   = []string{"onclick=x", "style=\"background:url(//e)\"", "#id", ".cls", "src=//e/x", "href=javascript:x", "onclick='x'", "onclick=\"x\" .a", "#id onclick=x", "=html", ".a #b c=d", "width=1 onload=x", "data-x=y", ":.a", "id=b", "class=a", "ab=#c", "ab=..c", "target=_blank", "onmouseover = x", "hidden", ".a inert", "%w=%t"}
	attackWords   = []string{"x", "a", "word", "two words", "id", "é", "字", "!", "=", ":", "|", "(", ")", "]", "[", "{", "}", "<", ">", "\"", "'", "`", "$", "*", "_", "\\", "&lt;", "&#123;", "&quot;", "#", "^", "~", "//", "@", ".", ""}
	attackNames   = []string{"mermaid", "note", "include", "html", "youtube", "iframe", "video", "python", "js", "plantuml", "dataview", "figure", "raw", "warning", "img", "spoiler", "div", "script", "tip", "latex", "math", "c++"}
	attackCode    = []string{"= this.x", "$= x", "dc= x", "VIEW[x]", "r x", "{python} x", "<img src=x>", "emjs:x", "x", "<%% x %%>", "[k:: ![](%t)]", "%x"}
	attackOrders  = []string{"\\href", "\\url", "\\includegraphics", "\\htmlData", "\\style", "\\class", "\\def", "\\input", "\\require", "\\bbox", "\\label", "\\text", "\\newcommand", "\\cssId", "\\begin", "\\html", "\\write18", "\\mmlToken{mi}"}
	attackSpaces  = []string{" ", "\t", "\u00a0", "\u1680", "\u2003", "\u202f", "\u205f", "\u3000", "\u200b", "\ufeff", "\u2028", "\u0085", "\n", "", "  ", "\u00ad", "\u180e", "\u2060"}
	attackRuns    = []string{":::", "::::", "!!!", "???", "///", "+++", "%%%", "@@@", ";;;", "===", "---", "~~~", "```", "^^^", "&&&", ",,,", "|||", "\"\"\"", "$$$", "???+", "::", ":::::::"}
	attackPrefix  = []string{"", "", "", "", "> ", "- ", "1. ", "# ", "  ", "> - ", "- [ ] ", "> [!note] ", "    ", "| ", "[^1]: ", "* ", "\u3000", "\t"}

	// confusables are signs that look like those of Markdown.
	confusables = map[rune][]string{'<': {"＜", "‹", "&lt;", "\\<"}, '!': {"！", "&#33;", "\\!"}, '[': {"［", "\\[", "&#91;"}, ']': {"］", "\\]"}, '(': {"（", "\\("}, '{': {"｛", "&#123;", "\\{"}, '=': {"＝", "&#61;", "\\="}, ':': {"：", "&#58;", "&colon;", "∶", "\\:"}, '`': {"｀", "\\`"}, '#': {"＃", "\\#"}, '@': {"＠", "\\@"}, '$': {"＄", "\\$"}, '"': {"＂", "“", "&quot;"}, ' ': {"\u00a0", "\u3000", "\t", "\n", "\u2003"}}
)

type attacker struct {
	*rand.Rand
	strings.Builder
}

func (w *attacker) one(of []string) string { return of[w.IntN(len(of))] }

// Attack is an answer put together at random of what Markdown and the extensions of its readers know, of Unicode's spaces
// and of signs that look alike; then bent at a few places.
func Attack(r *rand.Rand) string {
	w := &attacker{Rand: r}
	for i := range 1 + r.IntN(4) {
		if i > 0 {
			w.WriteString([]string{"\n\n", "\n", "\n", " ", "", "\n> ", "\n\n    "}[r.IntN(7)])
		}
		w.WriteString(w.one(attackPrefix))
		w.form(w.one(attackForms), 0)
	}
	answer := w.String()
	for range r.IntN(4) {
		answer = w.bend(answer)
	}
	return answer
}

// form writes a form with its parts. Depth ends what stands in each other.
func (w *attacker) form(form string, depth int) {
	for i := 0; i < len(form); i++ {
		if form[i] != '%' || i+1 == len(form) {
			w.WriteByte(form[i])
			continue
		}
		i++
		switch form[i] {
		case 't':
			w.WriteString(w.one(attackTargets))
		case 'a':
			w.form(w.one(attackAttrs), depth+1)
		case 'w':
			w.WriteString(w.one(attackWords))
		case 's':
			w.WriteString(w.one(attackSpaces))
		case 'c':
			w.form(w.one(attackCode), depth+1)
		case 'm':
			w.WriteString(w.one(attackOrders))
		case 'n':
			w.WriteString(w.one(attackNames))
		case 'p':
			w.WriteString(w.one(attackRuns))
		case 'x':
			if depth < 3 && w.IntN(3) == 0 {
				w.form(w.one(attackForms), depth+1)
			} else {
				w.WriteString(w.one(attackWords))
			}
		default:
			w.WriteByte('%')
			if form[i] != '%' {
				i--
			}
		}
	}
}

// bend changes one place: a sign goes, comes twice, becomes one that looks alike, or something comes between.
func (w *attacker) bend(s string) string {
	runes := []rune(s)
	if len(runes) == 0 {
		return s
	}
	i := w.IntN(len(runes))
	before, at, after := string(runes[:i]), string(runes[i]), string(runes[i+1:])
	switch w.IntN(7) {
	case 0:
		return before + after
	case 1:
		return before + at + at + after
	case 2:
		return before + w.one(attackSpaces) + at + after
	case 3:
		return before + w.one(attackWords) + at + after
	case 4:
		return before + "\n" + w.one(attackPrefix) + at + after
	case 5:
		k := w.IntN(len(runes))
		return before + string(runes[k:min(len(runes), k+1+w.IntN(8))]) + at + after
	}
	for k, r := range runes[i:] { // the next sign that has look-alikes
		if alike := confusables[r]; alike != nil {
			return string(runes[:i+k]) + w.one(alike) + string(runes[i+k+1:])
		}
	}
	return s
}

// The grammar of [AttackDiagram]: how a diagram begins, and lines that it knows.
var (
	diagramKinds = [][]string{
		{"flowchart LR", "A-->B", "A[%x] --> B", "A[\"%x\"]", "A[\"`%x`\"]", "A@{ shape: rect, label: \"%x\" }", "A@{ img: \"%t\", w: 60, h: 60 }", "A@{ icon: \"%t\" }", "click A \"%t\"", "click A href \"%t\" _blank", "click A call f()", "click%sA%s\"%t\"", "A-->B; click A \"%t\"", "style A fill:%t", "style A background:url(%t)", "classDef x background:url(%t)", "linkStyle 0 stroke:%t", "A:::x", "subgraph S[%x]\nC\nend", "subgraph S\nA-->B\nend click A \"%t\"", "accDescr { %x } click A \"%t\"", "direction TB", "A -- %x --> B", "A -->|%x| B"},
		{"graph TD", "A-->B", "A(%x)", "A{\"%x\"}", "click A \"%t\" \"%x\"", "A>%x]", "B & C --> D"},
		{"sequenceDiagram", "A->>B: %x", "participant A as %x", "Note over A: %x", "rect rgb(1,2,3)\nA->>B: x\nend", "rect url(%t)\nA->>B: x\nend", "links A: {\"x\": \"%t\"}", "link A: x @ %t", "properties A: {\"class\": \"%x\"}", "loop %x\nA->>B: x\nend", "alt x\nA->>B: x\nend links A: {\"x\": \"%t\"}", "actor C", "link%sA: x @ %t", "box %x\nparticipant D\nend"},
		{"classDiagram", "class A { +%x }", "<<%x>> A", "A : %x", "link A \"%t\"", "callback A \"f\"", "click A href \"%t\"", "A --> B : %x", "note \"%x\"", "class A[\"%x\"]"},
		{"stateDiagram-v2", "[*] --> A", "A --> B click B href \"%t\"", "state S {\nA\n} click A href \"%t\"", "note left of A\n%x\nend note click A href \"%t\"", "A --> B : %x", "state \"%x\" as A", "note right of A : %x", "click A href \"%t\""},
		{"erDiagram", "A ||--o{ B : \"%x\"", "A {\nstring x \"%x\"\n}"},
		{"gantt", "section %x", "%x :a1, 2024-01-01, 3d", "click a1 href \"%t\"", "%sclick a1 href \"%t\"", "inclusiveEndDates click a1 href \"%t\"", "weekend friday click a1 call f()", "title %x", "click a1 call f()"},
		{"pie", "\"%x\" : 1", "title %x"},
		{"timeline", "title %x", "2020 : %x", "section %x"},
		{"journey", "title %x", "section %x", "%x: 5: Me"},
		{"gitGraph", "commit id: \"%x\"", "commit tag: \"%x\"", "commit"},
		{"quadrantChart", "title %x", "A: [0.1, 0.2]", "quadrant-1 %x"},
		{"kanban", "todo[%x]\n  a[%x]", "  b@{ ticket: %t }"},
		{"C4Context", "Person(a, \"%x\", $link=\"%t\")", "title %x"},
		{"block-beta", "a[\"%x\"]", "columns 2", "style a fill:%t"},
		{"xychart-beta", "title \"%x\"", "x-axis [%x]", "bar [1, 2]"},
		{"requirementDiagram", "requirement r {\n id: 1\n text: \"%x\"\n}"},
		{"treemap-beta", "\"%x\": 3"}, {"packet-beta", "0-15: \"%x\""}, {"radar-beta", "axis a[\"%x\"], b, c", "curve x{1, 2, 3}"}, {"sankey-beta", "A,%x,1"}, {"zenuml", "A.%x()"},
	}
	diagramEnds  = []string{" ", ";", "\nend ", ";end\t", "\n}", "\nend note "}
	diagramHeads = []string{"", "", "", "", "", "%%%%{init: {\"securityLevel\": \"loose\", \"themeCSS\": \"@import url(%t)\"}}%%%%\n", "%%%% %x\n", "---\nconfig:\n  securityLevel: loose\n---\n", "---\ntitle: %x\n---\n", "\n", "  "}
	diagramTexts = []string{"x", "a b", "<img src=%t>", "<a href='%t'>y</a>", "#lt;img src=x#gt;", "#60;b#62;", "&lt;img src=x&gt;", "&ltimg src=x&gt", "![x](%t)", "[x](%t)", "$$\\href{%t}{x}$$", "<script>x</script>", "<b onclick=x>y</b>", "javascript:x", "<svg/onload=x>", "\\u003cimg src=x\\u003e", "#x3c;img#x3e;", "fa:fa-car", "x<br/>y", "\" onclick=\"x", "' onclick='x", "&#60;img src=x&#62;", "＜img src=x＞", "url(%t)", "%s", "click", "link", "\\", "`"}
)

// AttackDiagram is a fenced block of Mermaid that wants to link, load or run, put together at random.
func AttackDiagram(r *rand.Rand) string {
	w := &attacker{Rand: r}
	fill := func(form string) { w.form(strings.ReplaceAll(form, "%x", w.one(diagramTexts)), 3) }
	fill(w.one(diagramHeads))
	kind := diagramKinds[min(r.IntN(len(diagramKinds)), r.IntN(len(diagramKinds)))] // the first have the most orders
	w.WriteString(kind[0])
	for range 1 + r.IntN(5) {
		end := "\n"
		if r.IntN(40) == 0 {
			end = w.one(diagramEnds)
		}
		w.WriteString(end + w.one([]string{"", "  ", "\t", "\u00a0", "\u3000"}))
		if r.IntN(8) == 0 {
			kind = diagramKinds[r.IntN(len(diagramKinds))]
		}
		fill(kind[1+r.IntN(len(kind)-1)])
	}
	text := w.String()
	if r.IntN(3) == 0 {
		text = w.bend(text)
	}
	return "```mermaid\n" + text + "\n```"
}
