// Package codeblock says which blocks of code an answer may hold: of a language that a note app colours and that no plugin
// draws, loads or runs ([IsKnownLanguage]), and diagrams that only draw ([IsDiagram], [IsPlainDiagram]). Every other block
// is shown as one of plain text.
package codeblock

import (
	"regexp"
	"strings"
	"sync"
)

// languages are the names of allowed code blocks: languages that a note app colours and that no plugin known to us
// draws, loads or runs. Every other block becomes one of plain text. A diagram has rules of its own, see
// IsPlainDiagram. typst is not allowed: a plugin draws it unasked, and fetches the packages that it names
// (https://github.com/fenjalien/obsidian-typst#using-packages).
var languages = wordsOf(`
	abap ada agda antlr apache apacheconf apl applescript arduino arm armasm asciidoc asm asp aspnet astro autohotkey awk
	bash basic bat batch bib bibtex bicep bind bnf brainfuck bsl
	c c# c++ caddyfile cc cfg clojure clj cljs cmake cmd cobol coffee coffeescript common-lisp conf console cpp cr
	crystal cs csharp cshtml csp css csv cuda cue cxx cypher cython
	d dart delphi desktop dhall diff django docker dockerfile dos dot-env dotenv
	ebnf eex ejs elisp elixir elm emacs-lisp erb erl erlang ex excel exs
	f# f90 fennel fish flix fortran fs fsharp
	gcode gdscript gherkin git gitattributes gitcommit gitignore gleam glsl gnuplot go go-mod go.mod gohtml golang
	gomod gradle graphql groovy
	h haml handlebars hbs haskell haxe hcl hcl2 heex hlsl hpp hs html html+erb htmldjango http hx
	idris ignore ini ino
	j java javascript jinja jinja2 jl jq js json json5 jsonc jsonl jsp jsx julia
	kdl kotlin kt kts
	latex lean lean4 less lisp liquid log lua
	m mako makefile make man markdown mathematica matlab md mdx mips mk mojo moonscript mustache mysql
	nasm ndjson nginx nim nix nu nushell
	objc objective-c objectivec ocaml octave odin openscad org output
	pascal patch pem perl pgsql php pip pkl pl plain plaintext plist plpgsql plsql po powershell prisma prolog
	promql properties proto protobuf ps1 pseudo pseudocode psql pug puppet purescript pwsh py py3 pycon python
	python3
	q qml
	r racket raku rb rego regex rest rescript robots rs rst ruby rust
	sass sas scala scheme scm scss sed service sh shell shellscript shell-session sh-session smali smalltalk sml
	solidity sparql spl sql sqlite ssh-config sshconfig stata stylus styl svelte swift systemd systemverilog
	tcl terminal tex text tf terraform textproto thrift toml ts tsql tsv tsx turtle twig txt typ typescript
	udev unison urdf
	v vala vb vbnet vbs vbscript verilog vhdl vim viml vimscript vtt vue
	wasm wast wat webidl wgsl
	x86asm xhtml xml xpath xq xquery xsl xslt
	yaml yara yml yul
	zig zsh`)

// expression is compiled when it is first used.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func wordsOf(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// details are the words that may follow the language: lines to mark, a title. Some programs read orders there:
// `{cmd=true}` makes Markdown Preview Enhanced run the code.
// https://shd101wyy.github.io/markdown-preview-enhanced/#/code-chunk
var details = expression(`^(?:[ \t]+(?:\{[0-9, -]+\}|(?:title|file|filename|name|linenums|showLineNumbers|lines)(?:=(?:"[^"{}./][^"{}]*"|[^\s"{}./~][^\s"{}]*)?)?|(?:[0-9A-Za-z_-]+[./])+[0-9A-Za-z]+))*[ \t]*$`)

// IsKnownLanguage reports whether a code block with this info string is shown as code by
// every note app and its plugins.
func IsKnownLanguage(info string) bool {
	end := strings.IndexAny(info, " \t")
	if end < 0 {
		end = len(info)
	}
	name := strings.ToLower(info[:end])
	return strings.HasPrefix(info, "text:") && info == AsText(info) || (name == "" || languages[name]) && details().MatchString(info[end:])
}

// noWord is what no name of a language has, orders, files and cells of a table among it.
var noWord = expression(`[^\pL\pM\pN.+#-]+`)

// AsText is the info string of a block of plain text that once had another: that follows, and all is one word. To Pandoc a
// block with two is text: https://pandoc.org/MANUAL.html#extension-fenced_code_attributes
func AsText(info string) string {
	word := noWord().ReplaceAllString(strings.TrimPrefix(info, "text:"), "_")
	return strings.TrimSuffix("text:"+strings.Trim(word, "_"), ":")
}

// IsDiagram reports whether a code block with this info string is a diagram of
// Mermaid, which the note apps draw.
func IsDiagram(info string) bool {
	return strings.EqualFold(strings.Trim(info, " \t"), "mermaid")
}
