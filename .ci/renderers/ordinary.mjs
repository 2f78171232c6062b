// Answers as agents give them. They must look the same when they are in a note.

const codes = {
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("<b>", `raw`, 1 << 3)\n}', python: '@cache\ndef f(x: int) -> str:\n    return f"{x:>3} {{x}}" if x == 1 else "[:]"[1:]',
  javascript: 'const t = `a ${b} ${c.map((d) => d[0](1))}`;\nif (a <b && c> d) alert("x");', typescript: 'type A<T> = { [k in keyof T]?: T[k] };\nconst x = (y as B)![0](1);',
  jsx: 'export const A = ({ x }) => <div style={{ color: "red" }}><img src={x} onError={() => 1} /></div>;', tsx: 'const B: FC = () => <a href="https://x.example">{"{{x}}"}</a>;',
  java: 'List<Map<String, Integer>> x = new ArrayList<>();\nx.forEach(System.out::println);', c: '#include <stdio.h>\nint main(void) { int a[3]; printf("%d%%\\n", a[1]); return 0; }',
  cpp: '#include <vector>\nstd::sort(v.begin(), v.end(), [&](std::pair<int, int> a, auto b) { return a < b; });\n(std::move)(x)[0](y);', csharp: 'var q = from x in xs where x.A == 1 select new { x.B };\nstring s = $"{{{x}}}";',
  rust: '#![allow(dead_code)]\nuse std::fmt;\nimpl<T> Foo for (Bar::Baz, T) { fn x(&self) -> Vec<u8> { vec![1, 2][..](0) } }', kotlin: 'val x = list.map { it::class }\nprintln("${x.size} $y")', swift: 'let x = a.map { $0 as! [Int] }\nprint("\\(x)")',
  ruby: 'puts "#{x}" if a =~ /b/\nmodule A::B; end\nputs <<~EOS\n  <%= x %>\nEOS', php: '<?php\necho $a["b"] ?? Foo::class;\n?>', bash: 'for f in "${a[@]}"; do echo "$f" | sed "s/a/b/" > "${f%.x}"; done\n[[ $x == 1 ]] && echo `date`',
  sh: 'curl -sS "https://x.example/?a=1&b=2" -o "$HOME/y"', powershell: '@{a="b"} | ConvertTo-Json; $x::new(); [int]::Parse("1")', sql: "SELECT a.*, count(*) FROM a JOIN b ON a.id = b.id WHERE x <> '%%' AND y LIKE '[:digit:]%';",
  html: '<!DOCTYPE html>\n<img src="https://x.example/a.png" onerror="x()">\n<script src="a.js"></script>\n<!-- comment -->', css: 'a::before { content: "x"; background: url(https://x.example/a.png); }\n@import "b.css";', scss: '@use "x";\n.a { &:hover { color: #{$b}; } }',
  json: '{"a": [1, {"b": null}], "c": "{{d}}"}', yaml: 'a: &x\n  - b: "{{ .Values.c }}"\n  - *x', toml: '[[a.b]]\nc = "d"', xml: '<?xml version="1.0"?>\n<a xmlns:b="c"><![CDATA[x]]></a>', clojure: '(defn page [] [:div {:class "a"} [:img {:src "b.png"}]])\n(str/join ::k [:a])',
  haskell: 'f :: (Eq a) => [a] -> Maybe a\nf (x:_) = Just x\nf [] = Nothing', scala: 'case class A[T](x: T)\nval s = s"${x} {{y}}"', elixir: 'def f(%{a: b} = x), do: x |> Enum.map(& &1[:a])', erlang: 'f([H|T]) -> {ok, H}.', lua: 'local t = {["a"] = [[long]]}\nprint(#t)', perl: 'my %h = (a => 1); print "@{[ %h ]}\\n"; Foo::Bar->new($x);',
  r: 'x <- c(1, 2)\ndf[df$a == 1, ]\nstats::lm(y ~ x)', julia: 'f(x::Int) = x^2\n@time [i for i in 1:3]', dart: 'final x = <String, int>{"a": 1}..clear();', makefile: 'all: $(A)\n\t@echo $$x ${B}', dockerfile: 'FROM golang:1.26 AS b\nRUN --mount=type=cache,target=/x go build ./...', terraform: 'resource "a" "b" {\n  c = "${var.d}"\n}',
  diff: '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b', latex: '\\documentclass{article}\n\\usepackage{hyperref}\n\\href{https://x.example}{y} $a_{{b}}$ \\[x\\]', tex: '\\begin{tabular}{|l|}a & b \\\\\\end{tabular}', vim: 'nnoremap <leader>x :echo "a"<CR>', nginx: 'location ~ ^/a { return 301 https://x.example$request_uri; }', graphql: 'query { a(b: 1) { ...C @include(if: $d) } }',
  protobuf: 'message A { repeated string b = 1; }', jinja: '{% for x in y %}{{ x|e }}{% endfor %}', handlebars: '{{#if a}}{{{b}}}{{/if}}', erb: '<% if x %>\n  <%= link_to x %>\n<% end %>', vue: '<template><p v-if="a">{{ b }}</p></template>', svelte: '{#if a}<A {b} />{/if}', zig: 'const x = @import("std");\nvar a: [2]u8 = undefined;', nim: 'proc f(x: int): string = $x', ocaml: 'let f = function [] -> 0 | x :: _ -> x', markdown: '# Title\n\n- [ ] a ![b](https://x.example/c.png)', text: 'plain text\n  {{as it is}}', csv: 'a,b\n1,"2"', ini: '[a]\nb=%(c)s', matlab: "x = [1 2; 3 4]';", fsharp: 'let x = [1..3] |> List.map ((+) 1)', groovy: 'def x = "${a}"; x*.b()', solidity: 'pragma solidity ^0.8.0;\ncontract A { mapping(address => uint) b; }', regex: '^(?<a>[[:alpha:]]+)::(.*)$', http: 'GET /a?b={{c}} HTTP/1.1\nHost: x.example', wasm: '(module (func $a))', console: '$ ls -l\ntotal 0',
};

const diagrams = [
  'graph TD\n  A[Start] --> B{Is it ok?}\n  B -->|Yes| C[Done]\n  B -->|No| D[User clicks again]', 'flowchart LR\n  a["A <br/> B"] -.-> b(("x"))\n  subgraph one [One]\n    b ==> c[(db)]\n  end\n  style a fill:#f9f,stroke:#333,stroke-width:4px',
  'sequenceDiagram\n  participant U as User\n  U->>+S: click button\n  S-->>-U: link to page\n  Note over U,S: A note: x < 5\n  loop Every day\n    U->>S: ping\n  end', 'sequenceDiagram\n  autonumber\n  rect rgb(200, 220, 255)\n  A->>B: 100% "sure"\n  alt ok\n    B-->>A: yes\n  else no\n    B-->>A: no\n  end\n  end',
  'classDiagram\n  class Animal {\n    <<interface>>\n    +String name\n    +move(int x) bool\n  }\n  Animal <|-- Duck\n  Duck *-- "1" Beak : has', 'classDiagram\n  direction LR\n  A <|.. B\n  A : +List~int~ xs', 'stateDiagram-v2\n  [*] --> Idle\n  Idle --> Busy : request\n  Busy --> [*]\n  state Busy {\n    a --> b\n  }', 'stateDiagram\n  [*] --> A\n  note right of A : text',
  'erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER {\n    int id PK\n    string name\n  }', 'gantt\n  title A plan\n  dateFormat YYYY-MM-DD\n  section S\n  Task one :a1, 2024-01-01, 30d\n  Task two :after a1, 20d', 'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85', 'pie showData\n  "a" : 1\n  "b" : 2', 'journey\n  title My day\n  section Go\n    Make tea: 5: Me', 'mindmap\n  root((links))\n    link\n      click\n    call', 'timeline\n  title History\n  2002 : LinkedIn\n  2004 : Facebook : Google', 'gitGraph\n  commit\n  branch dev\n  commit id: "x"\n  checkout main\n  merge dev',
  'gantt\n  title A\n  dateFormat YYYY-MM-DD\n  section S\n  Order :a1, 2024-01-01, 5d\n  Link checks :after a1, 20d', 'erDiagram\n  A ||--o{ B : has\n  A {\n    string link\n    string properties\n  }', 'quadrantChart\n  title Reach\n  x-axis Low --> High\n  y-axis Low --> High\n  A: [0.3, 0.6]', 'xychart-beta\n  title "Sales"\n  x-axis [jan, feb]\n  y-axis "R" 0 --> 10\n  bar [5, 6]\n  line [5, 6]', 'sankey-beta\n\nA,B,10\nB,C,5', 'requirementDiagram\n  requirement r {\n    id: 1\n    text: t\n    risk: high\n    verifymethod: test\n  }', 'graph LR\n  %% a comment\n  A --- B; B --> C & D\n  classDef x fill:#9f6,stroke:#123,color:red\n  class A x', 'flowchart TB\n  A["`**bold** text`"] --> B["a #quot;b#quot; #35;1"]\n  B --> C@{ shape: cyl, label: "DB" }', '---\ntitle: A small flow\n---\nflowchart TD\n  A --> B', 'packet-beta\n0-15: "Source"\n16-31: "Target"', 'flowchart TD\n  A([Link the parts]) --> B[/Properties/]\n  B --> C[\\Details\\]', 'block-beta\n  columns 2\n  a b c', 'graph TD\n  A[fa:fa-car Car] --> B>flag]\n  linkStyle 0 stroke:#ff3,stroke-width:4px',
];

const maths = [
  "The sum is $\\sum_{i=1}^n i = \\frac{n(n+1)}{2}$.", "$$\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n$$", "$a_{{i}} + b^{{j}}$ and $x$", "$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$", "$\\frac{{a}}{{b}}$", "${x}^2 + {y}^2$ is the square",
  "$\\{x \\mid x > 0\\}$", "$f[x](y) = A[1:n]$", "$$\n\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}\n$$", "$\\text{if } x < y$ then $y > x$", "$\\vec{a} \\cdot \\vec{b} = |a||b|\\cos\\theta$", "- $x_1$\n- $x_2$\n- $\\bar{x}$", "| f | df |\n|---|---|\n| $x^2$ | $2x$ |", "> $e^{i\\pi} + 1 = 0$", "It costs 5 $ and not 10 $.", "$\\mathbb{R}^{n \\times m}$", "$\\lim_{x \\to 0} \\frac{\\sin x}{x} = 1$", "$O(n \\log n)$", "$\\overline{{A \\cup B}} = \\bar{A} \\cap \\bar{B}$", "$$ P(A|B) = \\frac{P(B|A)P(A)}{P(B)} $$", "$\\color{red}{x}$", "$p \\implies q$", "$$\\left[\\begin{array}{c} 1 \\\\ 2 \\end{array}\\right]$$", "$100\\%$ of $\\$5$", "$\\binom{n}{k}$", "$\\operatorname{argmax}_x f(x)$", "$x := y$ and $f \\colon A \\to B$", "$\\underbrace{a+b}_{c}$", "$\\ce{H2O}$ no more", "$\\nabla \\times \\mathbf{E} = -\\frac{\\partial \\mathbf{B}}{\\partial t}$",
];

const vault = [
  "See [[Backups]] and [[Journal/2024-01-02#Plan|the plan]].", "![[diagram.png]]", "![[Note#^block-id]]", "![[a b.pdf#page=3]] and ![[x.wav]]", "[a note](Notes/A%20note.md)", "[a heading](#What-was-decided)", "![a picture](img/b-1.png)", "![](../assets/a.png) and ![[../b c.pdf]]", "[up](../Other/C.md) and [root](/D.md)", "[[Note|with `code`]]", "#tag and #nested/tag", "A claim.[^1]\n\n[^1]: A source: [[Book]], page 3.", "text ^block-id", "- [[A]]\n  - [[B]]\n- ![[C#D]]", "[[C++ notes]] and [[R&D]]", "key:: value\nother:: [[Note]]", "[due:: 2024-01-02] and (owner:: [[Ann]])", "**Found in** [[A]]:\n> a quote of it\n> - with an item", "[[Ä ö ü]] and [[日本語]]", "| note | why |\n|---|---|\n| [[A\\|b]] | x |", "[R&D](R&D.md) and [x](Q&A/B.md#c:d)",
];

const callouts = ["note", "tip", "warning", "info", "danger", "example", "quote", "bug", "success", "question", "abstract", "todo"].flatMap((kind) => [
  `> [!${kind}] A title\n> Text with **bold** and [[Link]].\n>\n> - an item`, `> [!${kind}]-\n> Folded.\n> > [!tip] Nested\n> > \`code\``,
]);

const tables = [
  "| a | b |\n|---|:-:|\n| 1 | `x == y` |", "| a |\n|---|\n| **b** [[c]] |", "a | b\n--|--\n1 | 2", "| Option | Default | What |\n|:--|--:|---|\n| `--port` | 11435 | the port |\n| `-v` | | say more |", "| x | y |\n|---|---|\n| a<br>b | c \\| d |", "- item\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |",
  "| lang | hello |\n|---|---|\n| Go | `fmt.Println(\"x\")` |\n| C++ | `std::cout << \"x\"` |\n| Python | `print(f\"{x}\")` |", "> | a | b |\n> |---|---|\n> | 1 | 2 |", "| 😀 | ü |\n|---|---|\n| 日 | é |", "| math | $x^2$ |\n|---|---|\n| a | $\\frac{a}{b}$ |",
];

maths.push(
  "$$\\def\\E{\\mathbb{E}} \\E[X+Y] = \\E[X] + \\E[Y]$$", "$$\n\\newcommand{\\norm}[1]{\\left\\lVert #1 \\right\\rVert}\n\\norm{x + y} \\le \\norm{x} + \\norm{y}\n$$",
  "> $$\n> \\newcommand{\\bx}{\\mathbf{x}}\n> \\hat\\bx = \\bx^\\top \\bx\n> $$", "So $\\newcommand{\\eps}{\\varepsilon} \\eps^2 < \\eps$ holds.",
);

const prose = [
  "Plain words.", "In Rust, vec![1, 2] makes a vector and println![] a line.", "Wait![^a] More.\n\n[^a]: A note.", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} and 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} and 🏳️‍🌈",
  "ภาษา\u200bไทย", "שלום \u2066README.md\u2069!", "می\u200cخواهم", "`x` = 5 and `y` = 6, `a` == `b`", "The set {x | x = 1}, a map {\"a\": 1}.", "Paths like C:\\input and \\server.", "Vim: a good editor; ex: this.", "Run `$(date)`, `${x}` or `[[ -f x ]]`.", "# Heading\n\nText.\n\n## Another one\n\nMore *text* and **more**.", "- a\n- b\n  - c\n    - d\n- e", "1. one\n2. two\n   1. three\n3. four", "- [ ] open\n- [x] done", "> A quote\n> of two lines.", "~~gone~~ and ==marked==", "See [the page](https://x.example/a?b=c&d=e#f) and <https://y.example>.", "Write to [Ann](mailto:ann@x.example) or <mailto:b@x.example>.", "https://x.example/path_(with)_brackets and www.x.example",
  "`a == b`, `=>`, `===`, `=~` and `!=` are operators.", "`{{ name }}` is a variable, `{% if %}` a tag.", "`<div>` holds `<img src=\"a.png\">`.", "`std::vector<int>` and `Foo::bar()`", "Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O and x<sup>2</sup>.", "a<br>b", "1 < 2 and 3 > 2, x<y", "C# and F# and #hashtag", "100 % sure, 50% more", "A line with a break  \nhere.", "***\n\nA rule above.", "snake_case_word and 2*3*4", "Set `$HOME` to `${x}` or `$(pwd)`.", "use `@decorator` and a@b.example", "[x] and [y] are no links.", "[Title][1]\n\n[1]: https://x.example \"Title\"", "(see: below) [note: this]", "The time is 10:30, ratio 3:4, C:\\Users\\x.", "e.g. `git commit -m \"x\"` then `git push`", "He said: \"it's\" – and — left…", "日本語のテキスト。 Ελληνικά, עברית, العربية", "😀 👩‍💻 ❤️", "\"Text\" [1], [2] and [1:3]", "- **Term**: what it is\n- **Other**: what `that` is", "1) a\n2) b", "Title\n=====\n\nSub\n---\n\ntext", "* star\n* list\n\n+ plus\n+ list", "a\\*b \\# c \\[d\\]", "&amp; &lt; &copy; &nbsp;", "`` `tick` `` and ` a `", "IPv6 is [::1] or `::1`.", "ssh://host and s3://bucket/key are addresses", "use a(b::c) in `d(e::f)` for x", "Answer: **42**.\n\n---\n\nSources: [[A]], [[B]]", "- item\n\n  more text\n\n      indented code", "    indented code\n    of two lines", "`x = 1` sets x; `= ` alone does not.", "An e-mail like ann@x.example.", "Ranges: a..b, [a, b), (a, b]", "@media and @import are rules of CSS.",
  "{x} and {y: 1} and }{", "[link with `code`](a.md) and [**bold**](https://x.example)", "Windows: `C:\\x\\y` and `\\\\server\\share`", "In `app.js`:\n\n```js\nx()\n```\n\nand in `a.css`:\n\n```css\nb {}\n```\n\nDone.",
];

const fences = [
  "1. Add this:\n\n   ```yaml\n   steps:\n     - uses: ${{ secrets.X }}\n     - run: echo {{ x }}\n   ```\n2. Done.", "- Add:\n  ```yaml\n  - name: ${{ matrix.os }}\n  ```",
  "~~~python\nx\n~~~", "````markdown\n```\nx\n```\n````", "```\nno language\n```", "```js {1,3-4}\nx\n```", "```ts title=\"a/b.ts\"\nx\n```", "``` go\nx\n```", "```C++\nx\n```", "```Python\nx\n```", "````\n```\n````", "1. Step:\n   ```sh\n   make\n   ```\n2. Next", "- a\n\n  ```go\n  x\n  ```\n- b", "```text\n=== table ===\n```", "```c\n\n#define X\n```", "```go src/main.go\nx\n```", "```diff\n- a\n+ b\n```",
];

// listOrdinary is each of them, code also in a list and in a quote.
export function listOrdinary() {
  const out = [];
  for (const [name, text] of Object.entries(codes)) {
    const block = "```" + name + "\n" + text + "\n```";
    out.push({ kind: "code", text: block }, { kind: "code", text: "1. Do this:\n\n   " + block.replaceAll("\n", "\n   ") + "\n\n2. Done." });
    if (name !== "markdown" && name !== "yaml") out.push({ kind: "code", text: "So:\n\n> " + block.replaceAll("\n", "\n> ") }); // Logseq sees a list there
  }
  for (const text of diagrams) {
    const block = "```mermaid\n" + text + "\n```";
    out.push({ kind: "diagrams", text: block }, { kind: "diagrams", text: "The flow:\n\n- so\n\n  " + block.replaceAll("\n", "\n  ") });
  }
  for (const [kind, texts] of Object.entries({ maths, vault, callouts, tables, prose, fences })) {
    for (const text of texts) out.push({ kind, text });
  }
  return out;
}
