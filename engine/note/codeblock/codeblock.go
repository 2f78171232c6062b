// Package codeblock says which blocks of code an answer may hold: of a language that a note app colours and that no plugin
// draws, loads or runs ([IsKnownLanguage]), and diagrams that only draw ([IsDiagram], [IsPlainDiagram]). Every other block
// is shown as one of plain text.
package codeblock

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// languages are the names of allowed code blocks: languages that a note app colours and that no plugin known to us
// draws, loads or runs. Every other block becomes one of plain text. A diagram has rules of its own, see
// IsPlainDiagram. typst is not allowed: a plugin draws it unasked, and fetches the packages that it names
// (https://github.com/fenjalien/obsidian-typst#using-packages).
var languages = wordsOf(`
	abap abnf ada adoc agda ahk angular-html angular-ts antlr apache apacheconf apex apl applescript arduino arm armasm
	asciidoc asm asn1 asp aspnet astro autohotkey autoit avr avro awk
	ballerina bash basic bat batch bazel bib bibtex bicep bind blade bnf brainfuck bsl bzl
	c c# c++ caddyfile capnp cc cfg chapel cisco clj cljs clojure cmake cmd cobol coffee coffeescript common-lisp conf
	console coq cpp cr cron crontab crystal cs csh csharp cshtml csp css csv cuda cue cxx cypher cython
	d dart dax delphi desktop dhall diff django docker dockerfile dockerignore dos dot-env dotenv
	ebnf editorconfig edn eex ejs elisp elixir elm elvish emacs-lisp env erb erl erlang ex excel exs
	f# f90 fennel fish flatbuffers flix fnl forth fortran fs fsharp fstab ftl
	gcode gdb gdscript gherkin git gitattributes gitcommit gitconfig gitignore gleam glsl go go-mod go-template go.mod
	gohtml golang gomod gotemplate gotmpl gradle graphql groovy
	h haml handlebars haproxy haskell haxe hbs hcl hcl2 heex helm hlsl hosts hpp hs htaccess html html+erb htmldjango
	http hx hy
	idris ignore ini ino iptables
	j janet java javascript jenkinsfile jinja jinja2 jl jq js json json5 jsonc jsonl jsonnet jsonpath jsp jsx julia
	kdl kotlin kql ksh kt kts kusto
	latex lean lean4 less liquid lisp lldb llvm log logql lua
	m make makefile mako man markdown mathematica matlab md mdx meson metal minizinc mips mk mojo moonscript mustache
	mysql
	nasm ndjson nginx nim ninja nix none npmrc nsis nu nushell
	objc objective-c objectivec ocaml octave odin openscad org output
	pascal patch peg pem perl pgsql php pine pinescript pip pkl pl plain plaintext plist plpgsql plsql po postgres
	postgresql powershell prisma prolog promql properties proto protobuf ps1 pseudo pseudocode psql pug puppet purescript
	pwsh py py3 pycon python python3
	q qml qsharp
	r racket raku razor rb reason reasonml reg regex regexp rego requirements rescript rest riscv robots roc rs rst ruby
	rust
	sas sass scala scheme scm scss sed service sh sh-session shell shell-session shellscript shellsession smali smalltalk
	sml smt2 solidity sparql spl sql sqlite ssh ssh-config sshconfig starlark stata styl stylus svelte swift systemd
	systemverilog
	tcl tcsh terminal terraform tex text textproto tf thrift tla tlaplus tmpl toml ts tsql tsv tsx turtle twig txt typ
	typescript
	udev unison urdf
	v vala vb vba vbnet vbs vbscript vcl verilog vhdl vim viml vimscript vtt vue
	wasm wast wat webidl wgsl
	x86asm xhtml xml xpath xq xquery xsl xslt
	yaml yara yml yul
	zig zone zsh`)

var expression = lazyregexp.New

func wordsOf(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// details are the words that may follow the language: lines to mark, a title of few words, since no note app shows it. Some programs read orders there:
// `{cmd=true}` makes Markdown Preview Enhanced run the code.
// https://shd101wyy.github.io/markdown-preview-enhanced/#/code-chunk
var details = expression(`^(?:` + marks + `)*(?:[ \t]+(?:(?:title|filename|name|linenums|showLineNumbers|lines)(?:=(?:"[^"{}./ ][^"{} ]{0,40}(?: [^"{} ]{1,20}){0,2}"|[^\s"{}./~][^\s"{}]{0,40})?)?|(?:[0-9A-Za-z_-]+[./]){1,4}[0-9A-Za-z]+))?(?:` + marks + `)*[ \t]*$`)

const marks = `[ \t]+(?:\{[0-9, -]+\}|(?:linenums|showLineNumbers|lines)(?:=(?:"[0-9, -]*"|[0-9,-]+))?)`

// IsKnownLanguage reports whether a code block with this info string is shown as code by
// every note app and its plugins.
func IsKnownLanguage(info string) bool {
	end := strings.IndexAny(info, " \t")
	if end < 0 {
		end = len(info)
	}
	name := strings.ToLower(info[:end])
	return strings.HasPrefix(info, "text_") && info == Plain(info) || (name == "" || languages[name]) && details().MatchString(info[end:])
}

// noWord is what no name of a language has, orders, files and cells of a table among it, what ends a fence's name to some, and a dash:
// behind it VitePress runs -vue (https://github.com/vuejs/vitepress/blob/main/src/node/markdown/plugins/highlight.ts), and VS Code draws
// mermaid (https://github.com/mjbvz/vscode-markdown-mermaid).
// https://github.com/trentm/python-markdown2/blob/master/lib/markdown2.py. A block that is no fence to who lets HTML be is a page.
var noWord = expression(`[^0-9A-Za-z+]+`)

// Plain is the info string of a block in the place of one that may not stay: a known language alone, or plain text with
// what it was, and all is one word. To Pandoc a block with two is text: https://pandoc.org/MANUAL.html#extension-fenced_code_attributes
func Plain(info string) string {
	before, isText := strings.CutPrefix(info, "text_")
	word := noWord().ReplaceAllString(before, "_")
	if name, _, _ := strings.Cut(word, "_"); !isText && languages[strings.ToLower(name)] {
		return name
	}
	word = strings.Trim(word, "_")
	return strings.TrimRight("text_"+word[:min(len(word), 24)], "_") // nobody sees a longer one
}

// IsDiagram reports whether a code block with this info string is a diagram of
// Mermaid, which the note apps draw.
func IsDiagram(info string) bool {
	return strings.EqualFold(strings.Trim(info, " \t"), "mermaid")
}
