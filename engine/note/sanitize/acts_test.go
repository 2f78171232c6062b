package sanitize

import (
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/engine/note/sanitize/acts"
)

// cases has a row for each form of the table of acts, in text and in code, and for what is changed and looks alike.
var cases = []struct{ in, want string }{
	// Dataview and its like beside an unclear link.
	{"[a](b\"c) `= this.x`", "[a](b\"c) `\\= this.x`"},
	{"[a](b\"c) `dc= x` `$=y` `VIEW[{x}][text]` `BUTTON[a]`", "[a](b\"c) `dc\\= x` `$ =y` `VIEW\\[{x}][text]` `BUTTON\\[a]`"},
	{"a `b `= this.x` c", "a `b `\\= this.x` c"},
	{"`a` = x `b`", "`a` \\= x `b`"},
	{"[a](b\"c) \\``= x`", "[a](b\"c) \\``\\= x`"},
	{"``= x ` `= y``", "``(= x ` `\\= y)``"},

	{"2^8 `***<?(?>***` ```d", "2^8 `***&lt;?(?>***` ```d"},
	{"~5 `<x-y>` ```d", "~5 `&lt;x-y>` ```d"},

	// Emera, knitr, Quarto.
	{"`r system('id')` `{python} 1+1` `emjs:require('x')` `jsx-<img src=x>`", "` r system('id')` `({python} 1+1)` `(emjs:require('x'))` `(jsx-<img src=x>)`"},
	{"[a](b\"c) `r system('id')` `{python} 1+1` `emjs:x`", "[a](b\"c) ` r system('id')` `\\{python} 1+1` `emjs\\:x`"},
	{"{eval}`x`", "{eval} `x`"},

	// Diagrams with other blanks.
	{"```mermaid\nflowchart LR\nA-->B\n\u00a0click A \"obsidian://x\"\n```", "```text_mermaid\nflowchart LR\nA-->B\n click A \"obsidian://x\"\n```"},
	{"```mermaid\nsequenceDiagram\nlink\u2003Alice: x @ https://x\nAlice->>Bob: hi\n```", "```text_mermaid\nsequenceDiagram\nlink Alice: x @ https://x\nAlice->>Bob: hi\n```"},
	{"```mermaid\ngantt\nsection s\na :a1, 2024-01-01, 3d\n\u1680click\u3000a1 href \"https://x\"\n```", "```text_mermaid\ngantt\nsection s\na :a1, 2024-01-01, 3d\n click a1 href \"https://x\"\n```"},
	{"```mermaid\nflowchart LR\nA\u00a0-->\u3000B\n```", "```mermaid\nflowchart LR\nA --> B\n```"},

	// A line of nothing but a break or a rule begins no block of HTML.
	{"A\n\n<br>\n\nB\n<BR/>\nC\n\n> </br> \n> D\n\n- <br />\n- E", "A\n\n&nbsp;<br>\n\nB\n&nbsp;<BR/>\nC\n\n> &nbsp;</br> \n> D\n\n- &nbsp;<br />\n- E"},
	{"<br><br>\n\nA<br>\n<br>B\n\n| <br> |\n|---|", "<br><br>\n\nA<br>\n<br>B\n\n| <br> |\n|---|"},
	{"A\n\n<hr>\n\nB\n<HR />\nC <hr>\n<hr> D\n\n> - <hr/>", "A\n\n***\n\nB\n***\nC &lt;hr>\n&lt;hr> D\n\n> - ***"},

	// Containers and includes.
	{"::: mermaid\nflowchart LR\nA@{ img: \"https://evil.example/x.png\" }\n:::", "\\::: mermaid\nflowchart LR\nA\\@\\{ img: \"https://evil.example/x.png\" }\n\\:::"},
	{"- ::: {style='display:none'}\n> ::video[x]", "- \\::: \\{style ='display:none'}\n> \\::video\\[x]"},
	{"# x[#]{\"}x\" .a}\n*x*{\"} \" .b}\nan {\"a\": 1}", "# x[#]\\{\"}x\" .a}\n*x*\\{\"} \" .b}\nan {\"a\": 1}"},
	{"${@.}\n[x](a.md){>=b.c}\n*x*{=b.c} x$", "${  @.}\n[x](a.md){>{}=b.c}\n*x*{ {}=b.c} x$"},
	{"[| $$\nb{![c](<x> \".\")d}\n$$", "[| $$\nb{ [c](x \".{}\")d}\n$$"},
	{"::\tmath\n\n::9x\n\n::😀\n\n:: x\n\n::€", "\\::\tmath\n\n\\::9x\n\n\\::😀\n\n:: x\n\n::€"},
	{"///\nhtml | div\n///", "\\///\nhtml | div\n\\///"},
	{"--8<-- \"/etc/passwd\"\n> --8<--", "--8\\<-- \"/etc/passwd\"\n> --8\\<--"},
	{"<<[/etc/passwd]\n<<(/etc/passwd)\n<<< @/x\na !!!! Include(/etc/passwd)!!!", "\\<<[/etc/passwd]\n\\<<(/etc/passwd)\n\\<<< \\@/x\na !!!\\! Include(/etc/passwd)!!!"},
	{"{!/etc/passwd!}", "{\\!/etc/passwd!}"},
	{"```\n--8<-- \"/etc/passwd\"\n!!!include(x)!!!\n```", "```\n--8 <-- \"/etc/passwd\"\n!! !include(x)!!!\n```"},
	{"```\n```~~~\n[docs]: other.md\n```", "```\n``` ~~~\n[docs]: other.md\n```"},
	{"~~~~\n ~~~~``\n[docs]: other.md\n~~~~", "````\n ~~~~ ``\n[docs]: other.md\n````"},

	// Formulas between brackets, which Logseq and others read.
	{`\[ \boxed{x = \frac{1}{2}} \] \(\sum_{\text{if k = 2}} \underbrace{(a, b) = c}_{x_{1} = \frac{3}{y}}\)`, `\[ \boxed{x = \frac{1}{2}} \] \(\sum_{\text{if k = 2}} \underbrace{(a, b) = c}_{x_{1} = \frac{3}{y}}\)`},
	{`\(\boxed{f'(x) = 2x} \boxed{v = 3.5 \text{ m/s}} \boxed{x^{2} = 4} \mu_{gcd(a,b) = 1} \boxed{PV = nRT}\)`, `\(\boxed{f'(x) = 2x} \boxed{v = 3.5 \text{ m/s}} \boxed{x^{2} = 4} \mu_{gcd(a,b) = 1} \boxed{PV = nRT}\)`},
	{"{a {b} c} and {user's} {km/h}, all {of it}", "{a {b} c} and {user's} {km/h}, all {of it}"},

	// Attributes.
	{"Nice text\n{ style='background-image:url(https://evil.example/x.png)' }", "Nice text\n\\{ style \\='background-image:url(https://evil.example/x.png)' }"},
	{"[x](a.md){onmouseover=alert(1)} {.cls a=b}", "[x](a.md)\\{onmouseover =alert(1)} \\{. cls a =b}"},
	{"{: .x onclick=y} $\\sqrt{onclick=y}$", "\\{ : . x onclick =y} $\\sqrt{onclick{}=y}$"},
	{"{x=#y} *a*{ab=.y} {x=.5} {x=..y} {ab = #y}", "\\{x = # y} *a*\\{ab = . y} {x =.5} \\{x = . . y} \\{ab = #y}"},
	{"$$\n| {'=a.b} |\n$$", "$$\n| {'{}=a.b} |\n$$"},
	{"a\n~ ```python\n*b*{onclick='x'}\n\\```", "a\n~ ```python *b*{onclick='x'} \\```"},
	{"https://x.example/{a=#b}", "https://x.example/ \\{a = # b}"},
	{"\\\\c{a'\"onclick=\"x}", "\\\\c\\{a'\"onclick =\"x}"},
	{"a ``b<![CDATA[c|d]]>`` e\n1. f |\n|---|", "a ``b&lt;\\![CDATA[c|d]]>`` e\n1. f |\n|---|"},
	{"{style\\=x} \\{style=x} &#123;style=x} {style&#61;x}", "\\{style \\=x} \\{style =x} &amp;#123;style=x} \\{style&amp;#61;x}"},
	{"http://x{onclick=y} <https://x/{onclick=y}>", "http://x \\{onclick =y} &lt;https://x/ \\{onclick =y}>"},
	{"`<b>`{=html} `x`{ =html}", "`<b>`\\{\\=html} `x`\\{ \\=html}"},
	// Whatever is before them where a heading ends, also what looks like TeX or like a formula over the end of the line.
	{"# a ^{data-x=y}\n\n# x_{y=z}\n\n> 1. # \\c{1}{x = y} ##", "# a ^\\{data-x =y}\n\n# x_\\{y =z}\n\n> 1. # \\c{1}\\{x = y} ##"},
	{"# {x=y}\n\n> b^{x=y}\n> ---\n\nc _{x = y}\n===", "# \\{x =y}\n\n> b^\\{x =y}\n> ---\n\nc _\\{x = y}\n==="},
	{"you ${#query} and \\{% include \"a\" %}", "you $\\{\\#query} and \\{\\% include \"a\" %}"}, {"$\\{!a!\\}$ and $\\{1\\}$", "$\\{\\!a!\\}$ and $\\{1\\}$"},
	{"| a | b |\n|---|---|\n| $|r| < 1$ | `c` |", "| a | b |\n|---|---|\n| $\\vert r\\vert  < 1$ | `c` |"},
	{"# $a {x=y}\nb$\n\n$c {x = y}\n---\nd$", "# $a {x{}=y}\nb$\n\n## $c {x {}= y}\nd$"},
	{"a $$b {x=y}\n\nc$$", "a $$b {x{}=y}\n\nc$$"},
	// What is no code is still a class, an id or a value; but not what is behind the braces.
	{"\\(\\frac{f'(x)}{2} \\boxed{f'(x) = .5}\\) of .NET, #1 a:=b", "\\(\\frac{f'(x)}{2} \\boxed{f'(x) = .5}\\) of .NET, #1 a:=b"},
	{"a_{A' =y .b} c^{A' #d} e_{A' f:=g} h_{A' /.i}\n\n^{A'=y .5}", "a_\\{A' =y . b} c^\\{A' #d} e_\\{A' f:=g} h_\\{A' /.i}\n\n^\\{A' =y .5}"},
	{"# x^{2} a_{i}\n\n# $a_{i = 1}$\n\na^{n = 2}\nb_{i = 1}", "# x^{2} a_{i}\n\n# $a_{i = 1}$\n\na^{n = 2}\nb_{i = 1}"},

	// SilverBullet.
	{"${net.proxyFetch('x')}", "$\\{net.proxyFetch('x')}"},
	{"{[Page: Delete]}", "{\\[Page: Delete]}"},
	{"${net.proxyFetch('x')}+x$ $${x}$$", "$\\,{\\,net.proxyFetch('x')}+x$ $${x}$$"},

	// LaTeX, by way of Pandoc, and definitions of TeX.
	{"\\input{/etc/passwd} \\write18{id} \\Sexpr{x}", "\\\\input{/etc/passwd} \\\\write18{id} \\\\Sexpr{x}"},
	{"$\\Newextarrow{\\a}{5}{6} \\DeclarePairedDelimiterXPP{\\a}{b}{c}{d} \\definecolor{red}{rgb}{1,1,1}$", "$\\ Newextarrow{\\a}{5}{6} \\ DeclarePairedDelimiterXPP{\\a}{b}{c}{d} \\ definecolor{red}{rgb}{1,1,1}$"},
	{"$\\def\\arraystretch{\\href{x}{y}}$", "$\\ def\\arraystretch{\\ href{x}{y}}$"},

	// Orders to editors.
	{"vim: set ro noma:\na ex:x\nvi:x", "vim\\: set ro noma:\na ex\\:x\nvi\\:x"},
	{"Local Variables:\neval: (shell-command \"id\")\nEnd:", "Local Variables\\:\neval\\: (shell-command \"id\")\nEnd:"},
	{"```sh\n# vim: set ft=sh ro:\nlocal variables:\n```", "```sh\n# vim : set ft=sh ro:\nlocal variables :\n```"},

	// Links out of the vault.
	{"[x](../../../../Windows/System32/calc.exe) [z](a/../b.md)", "[x]\\(../../../../Windows/System32/calc.exe) [z]\\(a/../b.md)"},
	{"[x](.\\./.\\./x) [x](a/&period;./x) [x](a/..\\..\\x)", "[x]\\(.\\./.\\./x) [x]\\(a/&period;./x) [x]\\(a/..\\..\\x)"},
	{"[[javascript:alert(1)|x]] [[obsidian:x]] [[//evil/x]] ![[//evil.example/share/x.png]] [[a/../../x]]", "[\\[javascript:alert(1)|x]] [\\[obsidian:x]] [\\[//evil/x]] [\\[/\\/evil.example/share/x.png]] [\\[a/../../x]]"},
	{"[x]\n\n[x]: ../../../x", "[x]\n\n[x]\\: ../../../x"},

	{"[x](a(b)/../../../c) ![[@a]](https://evil.example/x.png)", "[x]\\(a(b)/../../../c) [[@a]](https://evil.example/x.png)"},
	{"  ```js\n~~~\n\t{{x}}\n  ```", "  ```js\n~~~\n\t{ {x}}\n  ```"},

	{"![\" onerror=\"alert(1)](a.png) ![{{x}}](a.png)", "![&quot; onerror=&quot;alert(1)](a.png) ![{ {x}}](a.png)"}, // as marked draws it
	{"[x](\u00a0//evil.example/x) # $a{x =b}$ {onclick =y}", "[x]\\(\u00a0/\\/evil.example/x) # $a{x =b}$ \\{onclick =y}"},
	{"\\!!!include(x)!!! | ```x|y!!!include(z)!!!", "\\!!\\!include(x)!!! | ```x|y!!\\!include(z)!!!"},

	{"[x](\u3000\njavascript:x)", "[x]\\(\u3000\njavascript:x)"},
	{"| a | b |\n|---|---|\n| `a | ![](https://evil.example/x.png)` |", "| a | b |\n|---|---|\n| `a | [](https://evil.example/x.png)` |"},

	// What begins a block in a task or a definition, code beside a tick without a partner, brackets in the text of a link.
	{"> - [ ] <!X `x`\n: <div", "> - [ ] &lt;!X `x`\n: &lt;div"},
	{"a\n~ ```js {onclick=\"x\" .a}\nx\n", "a\n~ ```js\nx"},
	{"[^1] ``></iframe>`` ````>", "[^1] ``>&lt;/iframe>`` ````>"},
	{"[a \\[b\\](data:x) !\\[c](https://evil/x.png)](https://x)", "[a \\[b\\]\\(data:x) \\!\\[c](https://evil/x.png)](https://x)"},
	{"{.a", "\\{.a"}, {"@@x: y@@ @[a](b)", "@\\@x: y@\\@ @\\[a](b)"}, {"[:div {a}] :span{word} x", "[\\:div {a}] :span\\{word} x"},
	{"a <<toc(x)>>", "a \\<&lt;toc(x)>>"}, {"!!!include(x)!!!", "!!\\!include(x)!!!"}, {"[a](b\"c) `dice: 1d6` `#=: x`", "[a](b\"c) `dice\\: 1d6` `#=\\: x`"},
	{"```\n<% x %>\n`$= x`\n-*- mode: x; eval: (y) -*-\n```", "```\n< % x %>\n`$ = x`\n- *- mode: x; eval: (y) -*-\n```"},
	{"x[^1]\n\n[^1]: ```js\n```\n[a](\nb) [c]{.d}\n```", "x[^1]\n\n[^1]: ```js\n\n```\n[a] (\nb) [c] {.d}\n```"},
	{"{HIDDEN} $p_{x = 0.05} {a Inert}$", "\\{HIDDEN} $p_{x = 0.05} {a I{}nert}$"},
	{"https://x/'`![](http:y)`z", "https://x/'`[]\\(http:y)`z"},
	{"```\nx!!!\n y!!!\n include(z)!!!\n```", "```\nx!!!\n y!! !\n include(z)!!!\n```"},
	{"1. $a\n---{.cls}\n  ::: b$", "1. $a\n ---\\,{\\,.{}cls}\n  \\,::: b$"}, {"> -\n---\n$: //\n---\n  b\n---\nc$", "> -\n***\n## $: //\n  ## b\nc$"},
	{"```js\n~~~\n{{x}} [:i] @@ ![a] <i> #+b :properties: [](b:c)\n```", "```js\n~~~\n{ {x}} [ :i] @ @ ! [a] < i> # +b : properties: [] (b:c)\n```"},
	{"___{a b}\n> ---\n> header-includes: x\n> ---\n\nTitle\n---\nx $`\\input{x}`$", "___\\{a b}\n> ***\n> header-includes: x\n> ---\n\n## Title\nx $`\\ input{x}`$"},
	{"***{a b}\n\n$x{\t=.a}$ {hid\"den}", "***\\{a b}\n\n$x{\t{}=.a}$ \\{hid\"den}"},
	{"~ a\n  ```js\n# b\n```x {style=\"y\"}\n```", "~ a\n\n```js\n# b\n```x {style=\"y\"}\n```"},
	{"```math\n\\input{x}\n```", "```text_math\n\\input{x}\n```"}, {"```c title=x\n\\input{x}\n\n<x>\n```", "```c\n\\input{x}\n\n<x>\n```"},
	{"- ```c title=x\n  ```\n\n```c title=x\na ``` <x>\n```", "- ```c\n  ```\n\n```c\na ``` <x>\n```"},
	{"~ a\n\n```html\n\n:\n\n    - ::: plantuml\n```", "~ a\n\n```html\n\n    :\n\n    - ::: plantuml\n```"},
	{"`` ```js {id=b}\n:\n``", "`` ```js {id=b} : ``"},
	{"a ```video\n//\n```text\n[a](b){#c}\n```", "a ```video\n//\n\n```text\n[a](b){#c}\n```"}, {"a ```\n~~~\n``", "a ```\n\n```\n``\n```"}, {"- a ```\nb\n>\n```\nc\n```", "- a ```\nb\n>\n\n```\nc\n```"},
	{"```mermaid\nflowchart LR\nsubgraph s\nA-->B\nend click A \"x:y\"\n```", "```text_mermaid\nflowchart LR\nsubgraph s\nA-->B\nend click A \"x:y\"\n```"},
	{"```mermaid\nstateDiagram-v2\nA --> B click B href \"x:y\"\n```", "```text_mermaid\nstateDiagram-v2\nA --> B click B href \"x:y\"\n```"},
	{"> a | b\n|---|---|\n| `c\n`d`{e=\"x\" .f}`", "> a | b\n|---|---|\n| `c\n`d`\\{e \\=\"x\" . f} `"},
	{"a ` = 5 ` b ` dc= x `", "a ` (= 5) ` b ` (dc= x) `"},
	{"* [/]\n　`![](x:y)`|\n|", "* [/] &nbsp;\n　`![](x:y)`|\n|"},
	{"_{é=x:y.z} x_{i=1.5} {a=\"x\" .}", "_\\{é \\=x:y.z} x_{i =1.5} \\{a \\=\"x\" .}"},
	{"$y {.\tc} z$ {.\tc}", "$y {\\,.{}\tc} z$ \\{. \tc}"},
	{"$$x \\tag{1} \\tag{a 1}$$ {.5em .2} $a{x @k.q=b}$", "$$x \\tag{1} \\tag{\\,a 1}$$ \\{. 5em .2} $a{x @k.q{}=b}$"},
	{"> a\n> ~~~ go title=\"`\"\n> ````x\n> ~~~~\n> b", "> a\n> ````` go\n> ````x\n> `````\n> b"}, {"a\n~~~", "a\n```\n```"}, {"~~~\nx\n~~~\n```js\n{{x}}\n```", "```\nx\n```\n```js\n{{x}}\n```"}, {"```\nx\n``` \t\na", "```\nx\n```\na"},
	{"x[^1]\n\n[^1]: - :::spoiler\n\n<é\nonclick=x>", "x[^1]\n\n[^1]: - \\:::spoiler\n\n&lt;é\nonclick=x>"},
	{"{hidden} [x](y){.a hidden} {a popover=b} $x{'hidden}$", "\\{hidden} [x](y)\\{. a hidden} \\{a popover =b} $x{'h{}idden}$"},
	{"```\n%% DATAVIEW_PUBLISHER: start\n# kak: filetype=sh\n```\n\\cond x", "```\n% % DATAVIEW_PUBLISHER: start\n# kak : filetype=sh\n```\n\\\\cond x"},
	{"[a](b\"c) `encounter: x` `embed:a.b` `embed: true`", "[a](b\"c) `encounter\\: x` `embed\\:a.b` `embed: true`"},
	{"x !!!\u1680include(y)!!! `!!!\u2003include(y)!!!`\n!!!\n\u2003include(z)!!!", "x !!\\!\u1680include(y)!!! `!! !\u2003include(y)!!!`\n!!\\!\n\u2003include(z)!!!"},
	{"$::a{src&#61;//e/x}$ {src&#61;x}", "$::a {src&\\,#61;//e/x}$ \\{src&amp;#61;x}"},
	{"a ```js {onclick=x}\n||```b\n|\n", "a ```js \\{onclick =x}\n||```b\n|"},
	{"$a\n**b**{a=x-y:z}\nc_{n=1}$", "$a\n**b**{a{}=x-y:z}\nc_{n=1}$"},
	{"x [^1] [^2]\n\n[^1]: a [^1] [^2]\n\n    [^1]\n[^2]: b [^1]\n\n[^2]", "x [^1] [^2]\n\n[^1]: a [\\^1] [^2]\n\n    [\\^1]\n[^2]: b [\\^1]\n\n[^2]"},
	{"- :img[(*:: :)]{hid} :a[b[c]]{d}", "- :img\\[(*:: :)]{hid} :a\\[b[c]]{d}"}, {"$`\\x{[$:a[b]{.c}}`$ d", "$`\\x{ [$:a\\[b]\\{. c}} `$ d"},
	{"f\"{x=}\" {hidden=} {_}{x=}", "f\"\\{x=}\" \\{hidden =} {_}\\{x=}"}, {"a\n\n---\n```yml\nb\n```", "a\n\n***\n```yml\nb\n```"},
	{"$\\begin{ ~~~ target\\=_blank x=1 }$", "$\\begin{ ~~~ target{}\\=_blank x=1 }$"},
	{"G:: x\n- **A1**:: y\n`=A1+this`", "G\\:: x\n- **A1**\\:: y\n`(=A1+this)`"},

	{"[*] ``![](mailto:a@b)`*``", "[*] ``[](mailto:a@b)`*``"}, {"a _b ``![](x:y) ` _`` x", "a _b ``[]\\(x:y) ` _`` x"},

	{"AI!![](https://evil.example/x.png) $a#b \\color{#fff}{x}$ AI!", "AI[](https://evil.example/x.png) $a\\#b \\color{#fff}{x}$ AI\\!"},

	{"`text:a|b>c` `id1 button:S|x`", "`(text:a|b>c)` `(id1 button:S|x)`"}, {"[a](b\"c) `text:a|b` `audio: https://x/y.mp3`", "[a](b\"c) `text\\:a|b` `audio\\: https://x/y.mp3`"},
	{"/close\n- /label ~bug\n/etc/hosts /a\n:notes:\nx\n:END:", "\\/close\n- \\/label ~bug\n/etc/hosts /a\n\\:notes:\nx\n\\:END:"},
	{"[list2mermaid]\n\n- A\n\n[b2b] x", "\\[list2mermaid]\n\n- A\n\n[b2b] x"},
	{"[spoiler]\nx\n[/spoiler] [!div onclick=\"x\"] @Html.Raw(x) @{x} @README @a.yaml @NOW", "[spoiler]\nx\n[\\/spoiler] [\\!div onclick=\"x\"] @Html.Raw(x) \\@{x} \\@README \\@a.yaml @NOW"},
	{"# a {docsify-ignore-all}\n.. |x| image:: y\nsublime: a b", "# a { docsify-ignore-all}\n.. |x| image\\:: y\nsublime\\: a b"},
	{"```\n# sublime: a b\n{{#x ../a}} {{#each a.b}}\n<!-- note-overview-plugin\n<span query=\"x\"></span>\n```", "```\n# sublime : a b\n{ {#x ../a}} {{#each a.b}}\n<! -- note-overview-plugin\n< span query=\"x\"></span>\n```"},
	{"```js {cmd}\n```\n```ts:a.ts\n```\n```js file=a.md\n```", "```js\n```\n```ts\n```\n```js\n```"},
	{"a \\iffalse \\end{document} $\\def\\arraystretch{99}a \\above{9em} b \\genfrac{}{}{9em}{}{a}{b} \\above{99em} c$", "a \\\\iffalse \\\\end{document} $\\ def\\arraystretch{99}a \\above{9em} b \\genfrac{}{}{9em}{}{a}{b} \\ above{99em} c$"},
	{"a \\\\(\\\\href{x}{y}\\\\)\n\n\\href{x}\n\n\\$\\href{x}\\$ \\\\data\n\n\\\\data", "a \\\\(\\\\ href{x}{y}\\\\)\n\n\\\\href{x}\n\n\\$\\\\ href{x}\\$ \\\\ data\n\n\\\\data"},

	{"| a | b |\n|---|---|\n| c | d |\n\n| x | `m{class=a}\n` |", "| a | b |\n|---|---|\n| c | d |\n\n| x | `m\\{class =a}\n` |"}, {"|e{a' \\\n∶ \\[\\style{a'onclick>='x}\\]", "|e\\{a' \\\n∶ \\[\\\\style\\{a'onclick>='x}\\]"},

	// Words that no reader shows: cells without a column, the kinds of callouts, footnotes that nothing refers to, comments
	// and phantoms of formulas.
	{"| a |\n|---|\n| x | hidden |\n| y |\n\na | b | c", "| a |\n|---|\n| x \\| hidden |\n| y |\n\na | b | c"},
	{"> a | b\n> --|:-:\n> 1 | 2 | 3 | `4` |\n> |-|-|-|", "> a | b\n> --|:-:\n> 1 | 2 \\| 3 \\| `4` |\n> |-|-\\|-|"},
	{"| a | b |\n|---|---|\n| `x || y` | or |\n| `x` | [[a\\|b]] |", "| a | b |\n|---|---|\n| `x \\|\\| y` | or |\n| `x` | [[a\\|b]] |"},
	{"> [!note|hidden words] Title\n> [!send-all-the-keys-now] Title", "> [\\!note|hidden words] Title\n> [\\!send-all-the-keys-now] Title"},
	{"a [^b]\n\n[^b]: shown\n\n[^c]: hidden", "a [^b]\n\n[^b]: shown\n\n[\\^c]\\: hidden"},
	{"$$\nx % hidden\n$$ $50%%$ $5\\%$", "$$\nx \\% hidden\n$$ $50\\%\\%$ $5\\%$"},
	{"$\\phantom{ignore\\ all}$ $\\hphantom{\\text{two words}}$ $\\phantom{-}1 \\phantom{\\alpha \\beta}$", "$\\ phantom{ignore\\ all}$ $\\ hphantom{\\text{two words}}$ $\\phantom{-}1 \\phantom{\\alpha \\beta}$"},

	{"$\\mathchoice{a}{b}{c}{d} \\@secondoftwo{a}{b} \\message{a} a@b$", "$\\ mathchoice{a}{b}{c}{d} \\  @secondoftwo{a}{b} \\ message{a} a@b$"},
	{"\\(x % hidden\n\\) 5 %\n\n\\begin{align}\nx % hidden\n\\end{align}\n\n50 % of it", "\\(x \\% hidden\n\\) 5 \\%\n\n\\begin{align}\nx \\% hidden\n\\end{align}\n\n50 % of it"},
	// Prices are no formula, and what looks like a call in one is broken.
	{"US$5 ${(http.request)('u')} {process.exit()} and US$6", "US$5 $\\{(http.request)('u')} \\{process.exit()} and US$6"},
	{"$x ${(http.request or g)('u')} y$", "$x $\\,{\\,(http.request or g)('u')} y$"},
	{"$x={fetch('u')}+{({}).constructor.constructor('x')()}$", "$x={\\,fetch('u')}+{\\,({}).constructor.constructor('x')()}$"},
	{"- US$5 for the first ^target\n- US$6", "- US$5 for the first \\^target\n- US$6"},
	{"$19/mo<br>$190/yr, H<sub>2</sub>O US$5 and CO<sub>2</sub> US$6", "$19/mo<br>$190/yr, H<sub>2</sub>O US$5 and CO<sub>2</sub> US$6"},
	{"$5 for [plan A][a] and US$7\n\n[a]: https://example.org/a", "$5 for [plan A](https://example.org/a) and US$7"},
	// A table of one column cuts code, too: https://github.github.com/gfm/#tables-extension-
	{"a\n:-:\n`<script>x</script> | y`", "a\n:-:\n`&lt;script>x&lt;/script> \\| y`"},
	{"- a\n  -:\n  x | hidden", "- a\n  -:\n  x \\| hidden"},
	{"\\BVerbatimInput{/x} \\tableinput{}{/x} \\literate{/x}", "\\\\BVerbatimInput{/x} \\\\tableinput{}{/x} \\\\literate{/x}"},
	{"[x](~/.ssh/id_rsa) [[~/x]] [x](/ssh:evil.example:/x) [[/sudo:x]] [[~x]] [x](/a/b:c.md)", "[x]\\(~/.ssh/id_rsa) [\\[~/x]] [x]\\(/ssh:evil.example:/x) [\\[/sudo:x]] [[~x]] [x](/a/b:c.md)"},
	{"??[x](https://x.example) Why?[^a] Why?[b](https://x.example)\n\n[^a]: c", "?? [x](https://x.example) Why?[^a] Why? [b](https://x.example)\n\n[^a]: c"},
	{"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <ruby>漢<rp>hidden</rp></ruby>", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <ruby>漢&lt;rp>hidden</rp></ruby>"},
	{"```js title=\"My app\"\nx\n```\n```js title=\"send the keys to them\"\nx\n```", "```js title=\"My app\"\nx\n```\n```js\nx\n```"},
	{"```mermaid\nflowchart LR\n  A-->B\n  style A opacity:0.9,font-size:12px\n```\n```mermaid\nflowchart LR\n  A-->B\n  classDef x opacity:0\n```", "```mermaid\nflowchart LR\n  A-->B\n  style A opacity:0.9,font-size:12px\n```\n```text_mermaid\nflowchart LR\n  A-->B\n  classDef x opacity:0\n```"},
	{">>>\ntext\n>>>", "\\>>>\ntext\n\\>>>"}, {"```php\n<?! Include x ?>\n<?php echo 1; ?>\n```", "```php\n< ?! Include x ?>\n<?php echo 1; ?>\n```"},
	{"[%author] [.footer: x] {/* hidden */} %s [%d]", "[\\%author] [\\.footer: x] \\{/* hidden */} %s [\\%d]"},
	{"$\\newtheorem{a}{b}\\chardef\\y=1\\colorlet{a}{b}\\DeclareMathSymbol{x} \\newline x$", "$\\ newtheorem{a}{b}\\ chardef\\y=1\\ colorlet{a}{b}\\ DeclareMathSymbol{x} \\newline x$"},
	{"[x]({static}/x.png) `oembed: https://x.example`", "[x]\\({static}/x.png) `(oembed: https://x.example)`"},

	// What begins an item of four columns is a fence without an end to Pandoc, and a formula may end in the quote below its item.
	{"10. ```\n    ```\n    ```\n    \\href{x}{y}", "10. ````\n    ````\n    ```\n    \\href{x}{y}\n    ```"},
	{"> - - ~~~js\n>     a\n>     ~~~\n>\n>     ```\n>     b\n>     ```", "> - - ````js\n>     a\n>     ````\n>\n>     ```\n>     b\n>     ```"},
	{"1. ```\n   a\n   ```\n   ```\n   b\n   ```\n10. ```\n    c\n    ```\n11. ```\n    d\n    ```", "1. ```\n   a\n   ```\n   ```\n   b\n   ```\n10. ```\n    c\n    ```\n11. ```\n    d\n    ```"},
	{"1. $`\\input{#`\n> x `$\n\n1. y", "1. $`\\ input{#`\n> x `$\n\n1. y"},
	{"- $5 `\\input`\n- b $6", "- $5 `\\input`\n- b $6"},

	// What a formula hides or moves what is around it by, what Pandoc takes for attributes, and what TeX changes to the end of a text.
	{"$\\Space{500em}{1em}{1em} \\Space{1em}{99em}{1em} \\Space{1em}{2em}{1em}$", "$\\ Space{500em}{1em}{1em} \\ Space{1em}{99em}{1em} \\Space{1em}{2em}{1em}$"},
	{"$\\smash{\\begin{array}{c}a\\\\b\\end{array}} \\smash[t]{{{\\raise 9em{x}}}} \\smash{\\substack{a}} \\smash[b]{y} \\smash{\\displaystyle\\max_{i}} a \\\\ b$", "$\\ smash{\\begin{array}{c}a\\\\b\\end{array}} \\ smash[t]{ { {\\raise 9em{x}}}} \\ smash{\\substack{a}} \\smash[b]{y} \\smash{\\displaystyle\\max_{i}} a \\\\ b$"},
	{"# a {-}\n\nb { - }\n---\n\nc - d {a-b} `x`{-} $x^{-}$", "# a \\{-}\n\nb \\{ - }\n---\n\nc - d {a-b} `x`\\{-} $x^{-}$"},
	{"\\setcounter{page}{9} \\appendix \\parindent=9em \\Huge \\large x \\vskip 99in \\endgroup \\vbox to 9in{x} \\par a \\skip\n\n\\begin{picture}(0,0)\\put(0,99){x}\\end{picture}", "\\\\setcounter{page}{9} \\\\appendix \\\\parindent=9em \\\\Huge \\\\large x \\\\vskip 99in \\\\endgroup \\\\vbox to 9in{x} \\par a \\skip\n\n\\\\begin{picture}(0,0)\\put(0,99){x}\\\\ end{picture}"},

	// Lengths and numbers of columns that no formula needs, and labels of several rows; pictures of the machine; cards in code.
	{"$$\\begin{alignat}{9999999}a&b\\end{alignat}$$ $\\begin{alignedat}[t]{9 9 9}a&b\\end{alignedat}$ $\\begin{alignat*}{12}a&b\\end{alignat*}$", "$$\\ begin{alignat}{9999999}a&b\\end{alignat}$$ $\\ begin{alignedat}[t]{9 9 9}a&b\\end{alignedat}$ $\\begin{alignat*}{12}a&b\\end{alignat*}$"},
	{"$$x\\tag*{\\(\\begin{array}{l}a\\\\b\\end{array}\\)}$$ $$x \\tag*{a\\\\b}$$ $$x \\tag*{(A)} \\tag{$\\ast$}$$", "$$x\\ tag*{\\(\\begin{array}{l}a\\\\b\\end{array}\\)}$$ $$x \\ tag*{a\\\\b}$$ $$x \\tag*{\\,(A)} \\tag{$\\ast$}$$"},
	{"$\\sqrt[\\uproot{-120}a]{x} \\root \\leftroot{-900} y \\of x \\sqrt[\\leftroot{-2}\\uproot{10}3]{x}$", "$\\sqrt[\\ uproot{-120}a]{x} \\root \\ leftroot{-900} y \\of x \\sqrt[\\leftroot{-2}\\uproot{10}3]{x}$"},
	{"$\\underbracket[900em]{x} \\overbracket[1pt][50em]{x} \\underbracket[0.4pt][2pt]{x} \\framebox[99em]{x} \\makebox[3em][l]{x} \\mathmakebox[900pt]{x} \\xmathstrut[0.1]{0.2} \\xmathstrut[900]{900}$", "$\\ underbracket[900em]{x} \\ overbracket[1pt][50em]{x} \\underbracket[0.4pt][2pt]{x} \\ framebox[99em]{x} \\makebox[3em][l]{x} \\ mathmakebox[900pt]{x} \\xmathstrut[0.1]{0.2} \\ xmathstrut[900]{900}$"},
	{"$$\\begin{multline}\\shoveleft[900em]{x}\\end{multline}$$ $\\begin{multlined}[t][900em]a\\end{multlined} \\begin{spreadlines}{900em}a\\end{spreadlines}$", "$$\\begin{multline}\\ shoveleft[900em]{x}\\end{multline}$$ $\\ begin{multlined}[t][900em]a\\end{multlined} \\ begin{spreadlines}{900em}a\\end{spreadlines}$"},
	{"$\\begin{array}{c}a\\\\[900em]b\\\\*[-50em]c\\\\[4pt]d\\\\[-1ex]e\\\\[x]f\\end{array}$ and \\\\[900em] b", "$\\begin{array}{c}a\\\\b\\\\*c\\\\[4pt]d\\\\[-1ex]e\\\\[x]f\\end{array}$ and \\\\ b"},
	{"![a](/etc/passwd) ![b](/home/u/x.png) ![[/proc/self/environ]] ![c](</%65tc/100%/x>) ![d](/./dev/zero) ![e](C%3A/x.png) [f](/etc/passwd)", "[a](/etc/passwd) [b](/home/u/x.png) [[/proc/self/environ]] [c]\\(&lt;/%65tc/100%/x>) [d](/./dev/zero) [e]\\(C%3A/x.png) [f](/etc/passwd)"},
	{"![a](/images/a.png) ![b](/media/b.png) ![[/home/c.png]] ![d](etc/d.png) ![e][1]\n\n[1]: /tmp/x.png", "![a](/images/a.png) ![b](/media/b.png) ![[/home/c.png]] ![d](etc/d.png) [e](/tmp/x.png)"},
	{"```text\nDELETE\n<!--ID: 1-->\n\nDELETE\nID: 1\n\nID: 1 and <!-- ID -->\n```\n\n`DELETE ID: 1` `DELETE\nID: 1` `<!--ID: 1-->`", "```text\nDELETE\n<!--ID : 1-->\n\nDELETE\nID : 1\n\nID: 1 and <!-- ID -->\n```\n\n`DELETE ID: 1` `DELETE ID: 1` `<!--ID : 1-->`"},

	// Modules over lines, environments named like orders, registers of TeX, commands of Doxygen, mails with files, words that a
	// reader must ask for.
	{"import Secret\nfrom \"./private.js\"\n\nText.", " import Secret\nfrom \"./private.js\"\n\nText."},
	{"import React, { useState }\nfrom 'react'\n\nSome words.", " import React, { useState }\nfrom 'react'\n\nSome words."},
	{"import * as x\n  from \"../../secrets.mjs\"", " import * as x\n  from \"../../secrets.mjs\""},
	{"\\begin{input}{/etc/passwd}\\end{input} $\\begin{input}{/etc/passwd}\\end{input}$ \\begin {input}{x} \\begin{@input}{x} \\begin{tex_openin:D}", "\\\\begin{input}{/etc/passwd}\\\\ end{input} $\\ begin{input}{/etc/passwd}\\ end{input}$ \\\\ begin {input}{x} \\\\ begin{\\@input}{x} \\\\ begin{tex_openin:D}"},
	{"\\UseName{input}{x} \\csuse{input}{x} \\begin{VerbatimInput}{x} \\begin{lstinputlisting}{x} \\begin{csname} \\TextField[name=a]{x}", "\\\\UseName{input}{x} \\\\csuse{input}{x} \\\\begin{VerbatimInput}{x} \\\\ begin{lstinputlisting}{x} \\\\ begin{csname} \\\\ TextField\\[name=a]{x}"},
	{"\\endlinechar=-1 \\tabcolsep=5cm \\itemsep=-20pt \\mathsurround=5cm \\advance\\textwidth by -10cm \\divide\\textwidth by 2 \\leftskip\\textwidth \\mag=9000 \\LTleft=9cm \\begin{tiny} \\pretocmd{x} \\AtBeginEnvironment{x}", "\\\\endlinechar=-1 \\\\tabcolsep=5cm \\\\itemsep=-20pt \\\\mathsurround=5cm \\\\advance\\textwidth by -10cm \\\\divide\\textwidth by 2 \\\\leftskip\\textwidth \\\\mag=9000 \\\\LTleft=9cm \\\\begin{tiny} \\\\ pretocmd{x} \\\\ AtBeginEnvironment{x}"},
	{"\\startuml\nA -> B\n\\enduml\n\n\\plantumlfile a.puml\n\n\\page index Title\n\n\\defgroup main Title\n\n\\ingroup core\n\n\\copydetails A::b\n\n\\verbatim\nx\n\\endverbatim\n\n\\dot\n\\enddot\n\n\\section id Title\n\n@section id Title\n\n@copydetails A::b", "\\\\startuml\nA -> B\n\\enduml\n\n\\\\plantumlfile a.puml\n\n\\\\page index Title\n\n\\\\defgroup main Title\n\n\\\\ingroup core\n\n\\\\copydetails A::b\n\n\\\\verbatim\nx\n\\endverbatim\n\n\\\\dot\n\\enddot\n\n\\\\section id Title\n\n\\@section id Title\n\n\\@copydetails A::b"},
	{"[w](mailto:a@b.example?subject=x&amp;attach=/x) [w](mailto:a@b.example?&#97;ttach=/x) [w](mailto:a@b.example?a%74tach=/x) <mailto:a@b.example?x&amp;attach=/x>", "[w]\\(mailto:a@b.example?subject=x&amp;attach=/x) [w]\\(mailto:a@b.example?&#97;ttach=/x) [w]\\(mailto:a@b.example?a%74tach=/x) &lt;mailto:a@b.example?x&amp;attach=/x>"},
	{"[w]\n\n[w]: mailto:a@b.example?x=1&amp;attach=/x", "[w]\n\n[w]\\: mailto:a@b.example?x=1&amp;attach=/x"},
	{"[gimmick:gist](5641564) [a [b] Gimmick:x](y)", "\\[gimmick:gist](5641564) \\[a \\[b] Gimmick:x](y)"},
	{"!!hidden words!! and wow!! That!!\n\n^ words for the speaker\n\n@private.rst @A.java", "!\\!hidden words!! and wow!! That!!\n\n\\^ words for the speaker\n\n\\@private.rst \\@A.java"},
	{"```html\n<!-- truncate -->\n<!--more-->\n{/* truncate */}\n```", "```html\n<! -- truncate -->\n<! --more-->\n{ /* truncate */}\n```"},
	{"`<!-- truncate -->`", "`<! -- truncate -->`"},
	{"```\n{{#title x}} {{#title}} {{#playground a.rs}} {{#template x}} {{#template a.md}} {{#quiz}} {{#quiz a.toml}} {{a/b.json}} {{total/items.length}}\n{{#title\nx}}\n```", "```\n{ {#title x}} {{#title}} { {#playground a.rs}} {{#template x}} { {#template a.md}} {{#quiz}} { {#quiz a.toml}} { {a/b.json}} {{total/items.length}}\n{ {#title\nx}}\n```"},
	{"[w](mailto:a@b.example?subject=" + strings.Repeat("x", 300) + "&attach=/x)", "[w]\\(mailto:a@b.example?subject=" + strings.Repeat("x", 300) + "&attach=/x)"},

	// Changed, and shown as before.
	{"<abbr title=\"Hyper\">HTML</abbr> <span style='color:red'>red</span> <kbd onclick=x>a <span>", "<abbr>HTML</abbr> <span>red</span> &lt;kbd onclick=x>a &lt;span>"},
	{"a ![chart][c] ![c]\n\n[c]: assets/chart.svg \"T\"", "a ![chart](assets/chart.svg \"T\") ![c](assets/chart.svg \"T\")"},
	{"If $a<b$ and $c>d$, $$x<y>z$$", "If $a< b$ and $c>d$, $$x< y>z$$"},
	{"$\\newcommand{\\R}{\\mathbb{R}} f: \\R$ and $x \\in \\R$ `\\R`", "$f: \\mathbb{R}$ and $x \\in \\mathbb{R}$ `\\R`"},
	{"$\\DeclareMathOperator{\\a}{\\href}\\a{x}{y}$ $\\b$", "$\\operatorname{\\ href}{x}{y}$ $\\b$"},
	{"https://x.example/*@/a* https://x.example/a@{x}", "https://x.example/*\\@/a* https://x.example/a\\@{x}"},
	{"<a@b.example> <a@README.md> [c](<a (b).md>)", "<a@b.example> &lt;a\\@README.md> [c](a%20%28b%29.md)"},
	{"```js\nx < y\n```\n\n    !include x\n", "```js\nx < y\n```\n\n```\n! include x\n```"},
	{"$$x \\label{eq:1}$$", "$$x $$"}, {"$$\\require{cancel}\\cancel{x}$$", "$$\\cancel{x}$$"},
	{"vec![1, 2] and Wait![^a] there\n\n[^a]: b", "vec\\![1, 2] and Wait\\![^a] there\n\n[^a]: b"},
	{"![x](<my pic.png>)", "![x](my%20pic.png)"},
	{"![a][r] ![r] ![no] wow![x](https://evil/x.png)\n\n[r]: https://evil/x.png", "[a](https://evil/x.png) [r](https://evil/x.png) \\![no] wow[x](https://evil/x.png)"},
}

func TestActs(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		got := Answer(c.in, 0)
		if got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
		if again := Answer(got, 0); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
	for _, answer := range []string{
		"`a` = `b`, [a](b\"c) `=` and `x`",
		"`$(date)` `${x}` `[[ -f x ]]` `{name} x` `r` `=`",
		"```sh\nif [[ -f x ]]; then echo $(date) ${x} `= y`; fi\n```",
		"```sql\nSELECT `a` = `b`;\n```",
		"```ejs\n<% items.forEach(function(i) { %><%= i %><% }); %>\n<% xs.map(x => { -%>\n```\n```erb\n<% posts.each do |p| %><%= p %><% end %>\n```",
		"- `` `[^`]+` ``, `\\{\\{.*?\\}\\}`", "`` `[^`]+` `` and `{.a}`",
		"`` ` `` and `<none>`, `gg` then `=G`, `=A1*B2/1.25`, a <b and [x] `y`\n\n```\n=A1+A2\n```",
		"$$\\def\\arraystretch{1.5}\\begin{array}{c}a\\end{array}$$ $\\renewcommand{\\arraystretch}{2}x$",
		"![Übersicht](bilder/übersicht.png) ![c](d.png \"Title\") ![Wow!](a_(1).png) ![日本](図/絵.png 'T')",
		"| a | b |\n|---|---|\n| ![[pic.png\\|100]] | [[x\\|y]] |",
		"```mermaid\ngantt\n  title A\n  section S\n  Call supplier :after a1, 20d\n  Link checks :b, after a1, 2d\n```",
		"```mermaid\nerDiagram\n  A ||--o{ B : x\n  A {\n    string link\n    string properties\n  }\n```",
		"```js title=\"a\" {1}\n- a\n# <b> [x](y:z)\n```", "a ``` b ```\n\n```sh\n: x\n```",
		"```sparql\nx\n```\n```lean\nx\n```\n```astro\nx\n```",
		"$\\sum_{i=1}^n i$ {x = 1} {\"a\": 1} {x | x > 1} ${x}^2 + {y}^2$ is",
		"`const text: string | null = null;` `text: string | null = null;` `button: HTMLButtonElement | null;`",
		"```mustache\n{{#title}}\n<h1>{{title}}</h1>\n{{/title}}\n{{#quiz}}x{{/quiz}}{{#template x}}\n```",
		"`{{#title}}` `{{total/items.length}}`",
		"$\\dot x = \\dot{y}$, \\(\\alpha=5\\) and\n$$\n\\dot{x} = \\lambda = 5\\,\\text{cm}\n$$",
		"\\begin{align}\na &= b\n\\end{align}\n\n$$\\begin{alignedat}{2}a&b\\end{alignedat}\\begin{cases}1\\end{cases}$$",
		"\\section{A} and \\bigskip \\medskip\n\\textbf{x}",
		"[Write](mailto:ann@example.org?subject=Hello%20there&body=Hi&amp;cc=b@example.org)",
		"Wow!! That is great!! And a^2^ or x ^ y.",
		"a :::b and x :: Int, ratio 1:2, at 10:30, see [[Plan: one]] and [[2024: x]]",
		"a <<b>></b> and 1 << 2 and //comment and --flag and Vim is nice",
	} {
		if got := Answer(answer, 0); got != answer {
			t.Errorf("%q\n got %q", answer, got)
		}
	}
}

// TestEachActCounts takes the mend from one row of the table after the other: some case fails each time. It stands in for
// a table without that row, and runs alone.
func TestEachActCounts(t *testing.T) {
	hostile := readRecords(t, "hostile.txt")
	fails := func() bool {
		for _, c := range cases {
			if Answer(c.in, 0) != c.want {
				return true
			}
		}
		for _, r := range hostile {
			if regexp.MustCompile(r.head).MatchString(Answer(r.answer, 0)) {
				return true
			}
		}
		return false
	}
	for name, table := range map[string]acts.Table{"span": spanActs, "line": lineActs, "mark": acts.Mark, "text": textActs, "code": codeActs, "loose": looseActs, "split": acts.Split} {
		for i, mend := range table.Mends {
			table.Mends[i] = ""
			if !fails() {
				t.Errorf("no case needs row %d of the acts in a %s", i, name)
			}
			table.Mends[i] = mend
		}
	}
	if fails() {
		t.Error("a case fails with the whole table")
	}
}
