// Package acts has the table of forms that programs act on, with their sources. A row is a form and the mend that is
// written where its group is: in text a backslash, which no reader sees, and in code a space, or brackets around all of it.
//
//	at, mend := acts.Text.Match(`{% include x %}`) // 1 and a backslash: what is written is {\% include x %}
//
// A form belongs to a table by where it acts: in [Text] and [Code] anywhere, in [Line] and [Mark] where a line begins, in
// [Span] where code in a line begins.
package acts

import (
	"iter"
	"slices"

	"vaultdispatcher/engine/lazyregexp"
)

// act is a form that some program acts on. The group of its expression is where the mend breaks it.
type act struct{ form, mend string }

// Table is forms that are found together.
type Table struct {
	flags string // of all expressions
	rows  []act
	forms *lazyregexp.Table
	Mends []string // by the rows of the table
}

func newTable(flags string, rows ...act) Table {
	t, forms := Table{flags: flags, rows: rows}, make([]string, len(rows))
	for i, row := range rows {
		forms[i] = row.form
		t.Mends = append(t.Mends, row.mend)
	}
	t.forms = lazyregexp.NewTable(flags, forms...)
	return t
}

// With returns a table that has more forms, each with its mend, behind its own.
func (t Table) With(more iter.Seq2[string, string]) Table {
	rows := slices.Clone(t.rows)
	for form, mend := range more {
		rows = append(rows, act{form, mend})
	}
	return newTable(t.flags, rows...)
}

// Match returns where the form at the beginning of s is to be broken, and by what; -1 without a form.
func (t Table) Match(s string) (at int, mend string) {
	row, at, _ := t.forms.Match(s, 0)
	if at < 0 {
		return -1, ""
	}
	return at, t.Mends[row]
}

// Find returns the first form in s that begins at from or behind, where it is to be broken, and by what. Without a form
// begin is -1; at is -1 where the form needs no mend.
func (t Table) Find(s string, from int) (begin, at, end int, mend string) {
	begin, row, at, end := t.forms.Find(s, from)
	if begin >= 0 {
		mend = t.Mends[row]
	}
	return begin, at, end, mend
}

// blanks are those of the package target, in a class of characters.
const blanks = `\t\n\pZ\x{feff}`

// The table of forms that programs act on. A backslash is not seen in text; code gets a space instead, or brackets.
var (
	// Span is how code in a line begins that is replaced by what it computes. `==`, `=>` and the like are no
	// expressions, and none begins with a tick.
	Span = newTable(``,
		// https://github.com/blacksmithgu/obsidian-dataview/blob/master/src/main.ts
		// It does not read a formula of a spreadsheet, `=SUM(A1:A9)`, and has no function in capitals, `=IF(A1>9,"a","b")`; but it
		// reads dates in any: .../blob/master/src/expression/context.ts, .../blob/master/src/expression/parse.ts. No answer has a field named like a cell (cellField).
		act{`=[A-CE-Z][A-Z0-9]*\(|=[A-CE-Z][A-Z.]*\([^(){}\[\]"'\x60\n]*[;:]|=[A-Z]{1,2}[0-9]{0,4}(?:[-+*/][A-Z]{0,2}[0-9]{1,4}(?:\.[0-9]{1,4})?){0,4}(?:\x60|$)|()=(?:[` + blanks + `]*\n[ \t>]*)?[` + blanks + `]*[^=<>~\x60` + blanks + `]`, `\`},
		act{`\$(?:dc)?()=`, " "}, act{`dc()=`, `\`}, // Datacore too
		// https://github.com/gtg922r/obsidian-numerals
		act{"#:[ \t]+[\\w.-]+/[\\w./-]+(?::[0-9]+)?(?:`|$)|#=?():[ \t]", `\`},
		// https://github.com/javalent/initiative-tracker; files and films that Gatsby puts there:
		// https://www.gatsbyjs.com/plugins/gatsby-remark-embed-snippet/, .../gatsby-remark-embed-video/, .../gatsby-remark-audio/, .../gatsby-remark-oembed/
		act{`encounter():[ \t]*[^\s\x60]`, `\`}, act{`(?:audio|o?embed|gif|markdown|video)():[ \t]*[^\s\x60]*[./]`, `\`}, act{`(?:gist|soundcloud|youtube|vimeo|twitch(?:Live)?|niconico|streamable)():[ \t]*[^\s\x60]*[./0-9A-Z]`, `\`},
		// https://perymimon.github.io/obsidian-inputs/intro/expression-and-target.html
		act{`(?:[\w-]+[ \t]+)?(?:text|button)():[^|\x60\n]*\|(?:[^ \x60\n]|[^\x60\n]*[^\w \t|=;?,\x60\n])`, `\`},
		// https://github.com/yihui/knitr/blob/master/R/pattern.R
		// which has no use for a string of Rust that holds only words
		act{`r#"[\w .,-]*"#|()r[ \t#]`, " "},
		act{`()` + kernel, `\`}, act{`S()>[ \t]*[A-Za-z]+[ \t]`, `\`}) // https://hypersphere.blog/sql-seal/

	// kernel computes code in a line: https://quarto.org/docs/computations/inline-code.html
	kernel = `\{(?:r|R|python3?|julia|ojs|js|javascript|ts|typescript|sh|bash|sql|stata|sas|octave|matlab|perl|ruby|rust|go|java|scala|kotlin|haskell|lua|c\+\+|csharp|fsharp|pwsh|powershell)\}[ \t]`

	// Line begins a line that is an order.
	Line = newTable(``,
		// a rule with attributes, and attributes below a blank line: https://pandoc.org/MANUAL.html#extension-attributes
		act{`_{3,} ?()\{`, `\`}, act{`()\{[ \t]*\n(?:[ \t]*\n)+[ \t]*[#.\w]`, `\`},
		act{`!{2,}()!(?:[\s\pZ]*(?i:include)|[\s\pZ]{9})`, `\`}, // see Text
		// Logseq: blocks of queries and exports. Doxygen, Markdown Preview Enhanced, markdown-it-plantuml, commonmark-include:
		// files to be read in, and drawings that a server makes: https://github.com/gmunguia/markdown-it-plantuml
		// directives of Swift-DocC and, by way of m2r2, of Sphinx: https://www.swift.org/documentation/docc/, https://github.com/miyakogi/m2r
		act{`@(?:V{1,3}|A{1,3})\{|()(?:#\+[A-Za-z]|@(?:(?:import|include|start)[A-Za-z]*|[a-z]+start\b|` + section + `|[A-Z]\w*[ \t]*[({])|\.\.[ \t]+[\w:-]+::)`, `\`},
		// a drawer, which takes up the lines below to its end: https://github.com/logseq/mldoc/blob/master/lib/syntax/drawer.ml;
		// what is said to a forge: https://docs.gitlab.com/user/project/quick_actions/; what a list is drawn as:
		// https://github.com/LincZero/obsidian-any-block
		act{`///()Footnotes`, "&nbsp;"}, act{`():[A-Za-z][\w-]*:[ \t]*(?:\n|$)`, `\`}, act{`()/[a-z][a-z_-]*(?:[ \t\n]|$)`, `\`}, act{`()\[[a-z]+2[a-z]+[^\[\]\n]*\][ \t]*(?:\n|$)`, `\`},
		// a line of signs opens a container, which may draw, and swallows the text below if it has no end:
		// https://pandoc.org/MANUAL.html#divs-and-spans, https://github.com/markdown-it/markdown-it-container,
		// https://github.com/mjbvz/vscode-markdown-mermaid#readme, https://github.com/remarkjs/remark-directive,
		// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/plugins/html/, and those of other programs
		act{`()(?:::(?:[:\t\x{10000}-\x{10FFFF}]|[^\s\pP\pS\pZ])|/{3}|!{3}|\?{3}|%{3}|@{3}|;{3}|&{3}|,{3}|"{3}|\^{3}|\${3}[\w.]|={3,}[ \t]*["!+\pL])`, `\`},
		// the code of a module, in a heading too: https://mkdocstrings.github.io/usage/#autodoc-syntax
		act{`#{1,6}[ \t]*():::[ \t]?[^ \t\n]`, `\`},
		// https://marked2app.com/help/Special_Syntax.html, https://vitepress.dev/guide/markdown#import-code-snippets, and a conflict to git
		act{`()<<(?:[\[({]|<[^<]|<{5})`, `\`},
		// https://github.com/jreese/markdown-pp, https://github.com/DCsunset/pandoc-include
		// The latter reads words and no backslashes, of paragraphs and of code: https://github.com/DCsunset/pandoc-include/blob/master/pandoc_include/main.py
		act{`()!(?i:video)`, `\`}, act{`(?:\\?[!$]|` + includeSign + `)()(?i:include)`, " "}, act{`[!$][a-z]{0,6}()&[#a-z]`, " "}, act{`&()` + includeSign[1:] + `[a-z]{0,6}&`, "amp;"},
		// https://github.com/SimonCropp/MarkdownSnippets/blob/main/src/MarkdownSnippets/Processing/IncludeProcessor.cs; values for Julia, behind a backslash too: https://franklinjl.org/syntax/page-variables/
		act{`(?:include|(?i:snippet))():[ \t]+\S`, `\`}, act{`\\?@()def[ \t]`, " "},
		// a file by its path: https://github.com/iainc/Markdown-Content-Blocks; a frame: https://github.com/rjriel/markdown-it-iframe; what an address holds: https://github.com/gollum/gollum-lib/blob/master/lib/gollum-lib/filter/remote_code.rb
		act{`()/(?:i/[^\n]*:|[^\s/][^\n\t"]*\.[A-Za-z0-9]+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$))`, `\`}, act{"()`{3} ?[^:\n]+:http[^`\n]*`{3}", "&nbsp;"},
		// commands of Doxygen, which has them with a backslash too: https://www.doxygen.nl/manual/commands.html; words for the speaker alone:
		// https://docs.deckset.com/English.lproj/Presenting/presenter-notes.html
		act{`()\\(?:(?:start[a-z]+|plantumlfile|(?:sub)?page|(?:add|def|in|weak)group|copy(?:details|brief)|verbatim)(?:[ \t\n{]|$)|(?:dot|msc)[ \t]*(?:\n|"|$)|` + section + `)`, `\`}, act{`()\^[ \t]+\S`, `\`},
		// names of places: https://mystmd.org/guide/cross-references; the look of slides: https://github.com/gnab/remark/wiki/Markdown
		act{`\([^()\n]+\)()=[ \t]*(?:\n|$)`, `\`}, act{`(?:background-image|exclude|template|layout)():[ \t]*(?:url|true|[a-z]+[ \t]*\n)`, `\`})

	// section is such a command with the name of what it begins.
	section = `(?:sub){0,3}(?:section|paragraph)[ \t]+\w+[ \t]+\w`

	// Mark begins such a line with what else marks items and quotes, as https://docs.gitlab.com/user/markdown/#multiline-blockquote.
	Mark = newTable(``, act{`[-*]{3,} ?()\{`, `\`}, act{`()\+{3}`, `\`}, act{`()>{3,}[ \t]*(?:\[!|\n[^>]|$)`, `\`})

	// bracePartner makes an order of a brace before it, whatever backslashes are between: code of Vue, which VitePress and
	// others compile of the page (https://vuejs.org/guide/essentials/template-syntax.html), and marks of changes
	// (https://facelessuser.github.io/pymdown-extensions/extensions/critic/).
	bracePartner = `(?:\\?\{|>>|--|\+\+|~~)`
	EscapedBrace = newTable(``, act{`\{()` + bracePartner, " "}, act{`\{()[%#!]`, `\`})

	// rawActs are orders to what reads a note as lines of signs, in text and in code: https://github.com/gajus/gitdown, https://github.com/jamesramsay/hercule, https://github.com/jreese/markdown-pp, https://www.neoteroi.dev/mkdocs-plugins/web/oad/, https://github.com/bharel/mkdocs-render-swagger-plugin, https://github.com/HananoshikaYomaru/obsidian-run, https://python-markdown.github.io/extensions/footnotes/, https://rubydoc.info/gems/yard, https://www.jedit.org/users-guide/buffer-local.html, and what Anki plays
	rawActs = []act{{`\{()"gitdown"`, " "}, {`:()\[[^\[\]\n]*\]\((?:/|\.\.?/|https?:|[\w./-]+\.md)`, " "}, {`!()\(EXEC[ \t]`, " "}, {`\[()OAD\(`, " "}, {`!()!swagger`, " "}, {`%()%[ \t]*run start`, " "},
		{`///()Footnotes`, " "}, {`\{()include:`, " "}, {`:()(?:mode|wrap|maxLineLen|folding|tabSize|indentSize|noTabs|encoding)=[^:\s]*:`, " "}, {`\[()(?:sound:|anki:[a-z])`, " "}}

	// Text are orders at any place in text.
	Text = newTable(``, append(rawActs,
		// macros of Logseq, templates; {#name} names a heading; {/* hides words in MDX; {!file!} reads one:
		// https://github.com/cmacmackin/markdown-include; buttons of SilverBullet:
		// https://silverbullet.md/Markdown/Extensions; tags that are replaced:
		// https://svelte.dev/docs/svelte/@html, https://typedoc.org/tags/include/
		act{`\{()[%#!\[@]`, `\`}, act{`()\{/\*`, `\`}, act{`\{()` + bracePartner, " "},
		// a sign of attributes to what reads a page and not its text. It is shown as it is spelled
		act{`&()(?:#0*(?:123|61)|#[xX]0*(?:7[bB]|3[dD])|lcub|lbrace|equals);`, "amp;"},
		// attributes: https://kramdown.gettalong.org/syntax.html#inline-attribute-lists; raw text of Pandoc:
		// https://pandoc.org/MANUAL.html#generic-raw-attribute
		act{`()\{[.#][^{}\n]*(?:\n|$)`, `\`}, // without an end: https://github.com/arve0/markdown-it-attrs
		act{`\{():`, " "}, act{`\{[ \t]*()=[\pL\pN_]`, `\`},
		// https://docsify.js.org/#/helpers, which sees no backslash
		act{`\{()docsify-`, " "},
		// hiccup and exports of Logseq: https://github.com/logseq/mldoc/blob/master/lib/syntax/inline.ml
		act{`@()(?:@(?:[^{]|$)|\[)`, `\`}, act{`\[():`, `\`},
		// files that Claude Code reads, and what it runs, in notes of its own: https://docs.anthropic.com/en/docs/claude-code/memory,
		// .../slash-commands; commands of Doxygen: https://www.doxygen.nl/manual/commands.html
		// code of Razor and Blade: https://learn.microsoft.com/aspnet/core/mvc/views/razor, https://laravel.com/docs/blade; https://typelevel.org/Laika/latest/07-reference/01-standard-directives.html;
		// and whom Azure DevOps tells of it: https://learn.microsoft.com/azure/devops/project/wiki/markdown-guidance
		act{`@(?:V{1,3}|A{1,3})\{|()@(?:[~/.]|[\w-]+(?:/|\.(?:mdc?|mdx|txt|json|env|ya?ml|toml|[ct]sv|pem|key|log|ini|cfg|xml|sql|[jt]sx?|py|rs|go|sh|html|css|rst|java|kt|rb|php|cpp|swift|ipynb|pdf|docx?|tex)\b)|[A-Z]{4,}\b|:[a-z]+\(|[A-Za-z]*[({][^0-9]|[a-z]*(?:file|include|snippet|only|doc)\b|(?:anchor|code|cond|(?:add|def|in|weak)group|dot|if|ifnot|image|internal|mainpage|msc|page|php|verbatim|subpage|copy(?:details|brief))(?:\.?(?:[^\w.]|$)))`, `\`}, act{`@()<[0-9A-Fa-f]{8}`, `\`}, act{"()!`", `\`},
		// https://dotnet.github.io/docfx/docs/markdown.html; frames: https://retype.com/components/embed/; words beside the kind of a callout, which no app shows: https://obsidian.md/help/callouts
		act{`()\[(?:[^\]\n]|\][^(\[\n]|\n[^\n]){0,100}(?i:gimmick)\s*:`, `\`}, // https://github.com/Dynalon/mdwiki reads the text of links
		act{`\[()!(?i:[^\[\]\n]*\]\(|include[ \t\[]|code[a-z-]*[ \t]*\[|(?:video|div)[ \t]|[^\[\]\n]{0,16}[^\[\]\n\pL\pM\pN_-]|[^\[\]\n]{17})`, `\`},
		// https://fletcher.github.io/MultiMarkdown-6/syntax/metadata.html, https://docs.deckset.com/English.lproj/Formatting/footers-and-slide-numbers.html
		act{`\[()(?:%[A-Za-z]|\.[a-z-]+:)`, `\`},
		// https://docsify.js.org/#/embed-files, https://github.com/readmeio/markdown: orders in the title of a link
		act{`\]\([^()\s]*[ \t]+["'(](?:(?:[^"'()\n]*[ \t])?:|@)()[\w-]`, " "},
		// files in brackets, behind a backslash too: https://www.neoteroi.dev/mkdocs-plugins/timeline/, .../web/oad/;
		// https://github.com/jamesramsay/hercule, https://casual-effects.com/markdeep/features.md.html#insert
		act{`\[()(?:cards|timeline|gantt)\b[^\[\]()\n]*\(`, " "}, act{`:()\[[^\[\]\n]*\]\(`, " "}, act{`()\((?:insert|embed)[ \t]+[^\s"'(]`, `\`}, act{`\((?:video|gist|image|file|link|twitter|ref)():`, `\`},
		// calls in brackets: https://codex.wordpress.org/Shortcode_API, https://learn.getgrav.org/17/content/content-pages,
		// https://meta.discourse.org/t/markdown-hide-details/29, https://github.com/azu/gitbook-plugin-include-codeblock,
		// https://getkirby.com/docs/reference/text/kirbytags, https://bookdown.org/yihui/bookdown/markdown-extensions-by-bookdown.html
		act{`()\[[a-z][\w-]+(?:\][^(\[:\n][^\[\n]*\[/|(?:[ \t]+[a-z_-]+)?=[^\[\]\n]*(?:\](?:[^(\[:]|$)|$))`, `\`}, act{`\[()/[a-z][\w-]*\]`, `\`}, act{`\[(?:plugin|(?:import|include)[^\[\]\n:,\\]*)()[:,]`, `\`},
		// https://support.hashnode.com/en/articles/6423579-markdown-and-widgets, https://www.npmjs.com/package/remark-iframes, https://github.com/LiaScript/docs#multimedia,
		// https://dotnet.github.io/docfx/docs/markdown.html#tabs, https://www.jedit.org/users-guide/buffer-local.html
		act{`%()\[http`, `\`}, act{`!()\(https?:`, `\`}, act{`\?()\[[^\[\]\n^][^\[\]\n]*\]\(`, " "}, act{`\]()\(#tab/`, `\`},
		// macros of Gollum and TiddlyWiki: https://github.com/gollum/gollum/wiki#macro-tags, https://tiddlywiki.com/#Images%20in%20WikiText;
		// ids of Fumadocs: https://fumadocs.dev/docs/headless/mdx/headings; what Anki plays: https://docs.ankiweb.net/templates/fields.html
		act{`\[(?:img|ext)()\[`, `\`}, act{`\[()#[A-Za-z][\w-]*\][ \t#]*(?:\n|$)`, " "},
		act{`()<<[A-Za-z][\w-]*[ \t]*[(|]`, `\`},
		// directives of remark: https://github.com/remarkjs/remark-directive
		act{`:[\pL][\w-]*()\{`, `\`}, act{`:[\pL][\w-]*()\[(?:[^\[\]^(]*\](?:[^(\[:]|$)|(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\{)`, `\`},
		act{`\[()\[\[cog\b`, `\`}, // https://nedbatchelder.com/code/cog runs what it finds in any text
		act{`\^\[[ \t]*(?:\\?[!$]|` + includeSign + `)()(?:include|[a-z]{0,6}&[#a-z])`, " "},
		act{`\^()\^(?:[0-9a-f]{2}|[@-_])`, `\`},                                                             // signs of TeX by their number
		act{`8()<-`, `\`},                                                                                   // snippets: https://facelessuser.github.io/pymdown-extensions/extensions/snippets/
		act{`\]\(()@(?:id|ref|meta)[ \t)]`, `\`}, act{`!()\{[^{}\n]+\}`, `\`}, act{`:()TOC(?:_\w+)?:`, " "}, // https://documenter.juliadocs.org, https://qwenlm.github.io/qwen-code-docs, https://github.com/snosov1/toc-org
		act{`!(?i:video|audio|iframe)()\[`, " "},                 // https://github.com/Tencent/cherry-markdown
		act{`!()![^\s!](?:[^!\n]*[^\s!])?!!`, `\`},               // hidden words: https://mdit-plugins.github.io/spoiler.html
		act{`!{2,}()!(?:[\s\pZ]*(?i:include)|[\s\pZ]{9})`, `\`},  // included files: https://github.com/camelaissani/markdown-it-include
		act{`/()/[\w-]+(?:\.[\w-]+)+`, `\`},                      // an address to what links plain ones: https://github.com/markdown-it/linkify-it
		act{"\\}()`", " "}, act{":[A-Za-z][\\w-]*:()`", " "})...) // roles of MyST and of Sphinx: https://mystmd.org/guide/syntax-overview

	// includeSign is the sign of an included file by its name or number.
	includeSign = `&(?:#0*(?:33|36)|#[xX]0*2[14]|excl|dollar);`

	// askedFor is what plugins read in a comment, see Code.
	askedFor     = `(?:slide\b[^\n]*\btemplate=|(?:@include|QueryToSerialize\w*|SerializedQuery|AUTO-GENERATED-CONTENT|MARKDOWN-AUTO-DOCS):|(?:doc-gen|codeinclude|cmdrun|(?i:note-overview-plugin))\b|(?:more|truncate)\s*-->)`
	vimFlags     = `(?:no)?(?:ro|et|ai|si|ma|mod|ml|wrap|nu|list|ic|hls|bin|readonly|expandtab|modeline|modifiable)`
	includedFile = `include(?:-markdown\b|\s+["'](?:/|\.\./|https?:))`

	// Code is an order in code of any kind as well: to what reads a note without seeing its code.
	Code = newTable(`(?m)`, append(rawActs,
		// Templater, which has its user's yes. Where it finds no JavaScript it stops: behind these signs, and in an expression
		// that ends with the beginning of a block. https://github.com/SilentVoid13/rusty_engine/blob/master/src/lib.rs
		act{`<%[-_]?[\w.(), =>&|+-]*(?:\{|[ \t]do(?:[ \t]*\|[\w, ]*\|)?)[ \t]*[-_]?%>|<%[-_]?\s*(?:[=#@:}]|(?:if|for|while|else|do|case|switch|try|return|var|const|break)\b|end\s*-?%>)|<%[-+#0-9.]*[a-z](?:[ \t]\w+)*>|<()%`, " "},
		act{"(?:^|`)[" + blanks + "]*\\$(?:dc)?()=", " "}, // Dataview and Datacore, whatever ends the code
		// orders to editors: https://vimhelp.org/options.txt.html#modeline,
		// https://www.gnu.org/software/emacs/manual/html_node/emacs/Specifying-File-Variables.html
		act{`(?:^|[ \t])(?:vi|[Vv]im(?:[<=>]?\d+)?|kak(?:oune)?)():[ \t]*(?:set?[ \t]|(?:` + vimFlags + `[ \t:]+)*[a-z_]+[:=])`, " "}, act{`(?:^|[ \t])ex():[ \t]*(?:set?[ \t]|(?:` + vimFlags + `[ \t:]+)*(?:ft|f[a-z]*type|fd[em]|foldexpr|sts|syn|s?[tw]s?|tw|fenc|enc)=)`, " "}, act{`(?i:local variables)():`, " "},
		act{`-()\*-[^\n]*\beval\b`, " "}, act{`^[ \t]*-+8()<-`, " "}, act{`!!()![\s\pZ]*(?i:include)`, " "}, // snippets and included files, see Text
		// https://docs.kde.org/stable5/en/kate/katepart/config-variables.html, https://github.com/SublimeText/Modelines
		act{`^[ \t]*<()<(?:<[ \t]*[@~.\w/-]+/[^\n]*\.\w|[(\[{][^()\[\]{}\n]*[./][^()\[\]{}\n]*[)\]}][ \t]*$)`, " "}, act{`<()<(?:Audio|Video)\(`, " "}, act{`^[ \t]*!()(?:INCLUDE(?:URL|CODE)?|VIDEO)[ \t]+"`, " "}, act{`^\^()[0-9]{13}$`, " "}, act{`\\()stoptyping`, " "}, act{`:():include\{file=`, " "}, act{`\[()\[![a-z]+(?:\s|\]\]|$)`, " "}, act{"`()(?:r[ \t#]|" + kernel + ")[^`\n]*`", " "}, // see Line, Span, IsUnsafeNote of engine/note/target
		act{`^[ \t]*S()>[ \t]*[A-Za-z]+[ \t]`, " "},
		act{`\b(?:kate(?:-[a-z]+\([^()\n]*\))?|sublime)():[ \t]*[a-z_-]+[ \t]`, " "}, act{`\[()\[\[cog\b`, " "}, // see Text
		// orders that are read before code is: https://gohugo.io/content-management/shortcodes/,
		// https://quarto.org/docs/authoring/includes.html, https://rust-lang.github.io/mdBook/format/mdbook.html,
		// https://vitepress.dev/guide/markdown#markdown-file-inclusion
		act{`\{()\{(?:[<%]|\s*#(?:(?:rustdoc_|doc_comment_|shift)?include\b|(?:title|play(?:ground|pen))(?:[ \t]+[^}\s]|[ \t]*$)|(?:template|quiz)(?:[ \t]+[^}\s]*[./]|[ \t]*$))|#[a-z_]+[ \t][^{}\n|"'\s]*(?:\./|://))`, " "},
		// https://fletcher.github.io/MultiMarkdown-6/syntax/transclusion.html, a file by its path; a name with a point may be a value
		act{`\{()\{(?:/[^{}/\s]+/|(?:\.\./)+[^{}./\s][^{}/\s]*/|(?:[^{}|"'()\s]*\.(?:m?md|txt|markdown|tex)|\w[\w.-]*/[^{}|"'()\s]*\.(?:[a-z]{1,4}|config|local|plist))\}\})`, " "},
		// https://pypi.org/project/mkdocs-include-markdown-plugin/, any file or page; https://github.com/cmacmackin/markdown-include
		act{`\{()%-?\s*` + includedFile, " "}, act{`\{()![^!\n]+!(?:lines=[0-9 -]+)?\}`, " "}, act{"^[ \\t]*`{3} ?[^:\n]+:()http[^`\n]*`{3}", " "}, act{`<()\?[!#]`, " "}, // https://www.statiq.dev/guide/content-and-data/shortcodes
		// orders to aider in each file that it watches: https://aider.chat/docs/usage/watch.html
		act{`(?:#|//|--|;) *(?i:ai)()!`, " "}, act{`(?:#|//|--|;)[^\n]*\b(?i:ai)()![ \t]*$`, " "},
		// https://github.com/dsebastien/obsidian-dataview-serializer, https://github.com/IdreesInc/Waypoint,
		// https://github.com/DavidWells/markdown-magic, https://github.com/JackGruber/joplin-plugin-note-overview,
		// https://github.com/HamzaBenyazid/obsidian-live-variables, https://github.com/mgmeyers/obsidian-kanban: plugins that write what these lines ask for, or read settings there
		act{`<!()--\s*` + askedFor, " "}, act{`\{()/\*\s*truncate\s*\*/`, " "}, act{`<()(?:span query="|(?:span|div)[^>\n]*\bob-timelines|hr class="__chatgpt_plugin)`, " "}, act{`%()%[ \t]*(?:(?:Begin |End )?(?:Waypoint|Landmark|DATAVIEW_PUBLISHER|Zoottelkeeper)\b|kanban:settings)`, " "},
		// ends of blocks to marked: https://github.com/markedjs/marked/blob/master/src/rules.ts
		act{deletedCard, " "}, act{"^ {0,3}`{3,}()~[~`]*[ \\t]*$", " "}, act{"^ {0,3}~{3,}()`[~`]*[ \\t]*$", " "})...)
)

// Loose is what Logseq acts on, and others, where they take for text what is code to most. Elements of HTML
// are an expression of their names.
func Loose(elements string) Table {
	return newTable(``, act{`\{()[{%]`, " "}, act{`\[()(?::|\^[^\[\]\n]+\]:)`, " "}, act{`@()(?:[@\[]|import[ \t]+")`, " "}, act{`!()\[`, " "}, act{`#()\+`, " "},
		act{`\]()[({]`, " "}, act{`<()(?:[!?]|/?(?i:` + elements + `)\b|[A-Za-z](?:[^<>\s]*:|[^<>\n]*(?:=|\n|$)))`, " "}, act{`:()(?://|:|(?i:properties):)`, " "})
}

// Split are orders over the end of a line, see Text and Code, and that of the first paragraph, see Line.
var Split = newTable(``, act{deletedCard, " "}, act{`!!()![ \t\pZ]*\n[\s\pZ]*(?i:include)`, " "}, act{`\{()%-?[ \t]*\n\s*` + includedFile, " "}, act{`\{()\{[ \t]*\n\s*#[a-z_]*include\b`, " "}, act{`<!()--[ \t]*\n\s*` + askedFor, " "},
	act{`^[^\n]*\n(?:[ \t>]*(?:\n|---[ \t]*\n(?:[^\n]*\n)*?[ \t>]*(?:---|\.\.\.)[ \t]*\n|\[[^\]\n]+\]:[^\n]*\n))*[ \t>]*(?:\\?[!$]|` + includeSign + `)()(?:include|[a-z]{0,6}&[#a-z])`, " "})

// Slide begins a slide in a block, and what is below is a page then: https://revealjs.com/markdown/#external-markdown
var Slide = newTable(`(?m)`, act{`^[ \t>]*---()$`, " "})

// deletedCard has a card of Anki deleted or written over by its id: https://github.com/ObsidianToAnki/Obsidian_to_Anki/blob/master/src/note.ts
const deletedCard = `(?:DELETE\n?(?:<!--)?|<!--)ID():`

// First begins a line that is code to MDX, as which Docusaurus reads notes, up to a blank line, or further if braces are
// open; or a command to mdsh. A space before it breaks it. https://github.com/micromark/micromark-extension-mdxjs-esm, https://github.com/zimbatm/mdsh
var First = lazyregexp.New("^(?:import\\b(?:[^\n]*\\{|(?:[^\n\"']|\n[ \\t]*[^\\s\"'])*(?:\n[ \\t]*)?[\"'])|export[ \\t]+(?:default|const|let|var|function|class|async|\\{|\\*)|[`\\[][$>!] )")
