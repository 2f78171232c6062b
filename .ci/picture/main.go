// Command picture draws for the README how a question is typed into a note and becomes its answer, by the renderer and the style
// sheet of the dashboard. The comments around an answer, which note apps do not show, are left out. It is an SVG without a
// script, which GitHub shows as a picture (https://github.com/sindresorhus/css-in-readme-like-wat), in light and dark; who
// wants no motion sees the answer.
//
//	wiki run --vault DIR &                      # on a copy of assets/vault; keep the note before as BEFORE
//	go run ./.ci/picture BEFORE AFTER >assets/docs/note.svg
package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"vaultdispatcher/engine/broadcast/shown"
)

// unseen are the comments around an answer.
var unseen = regexp.MustCompile(`(?m)^<!-- /?agent-response -->\n`)

const form = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 400" width="860" height="400" role="img" aria-label="A question is typed into a note; a moment after it is saved, its line is the answer">
<style><![CDATA[
%s
.film { font: 16px/1.5 "DejaVu Sans", system-ui, sans-serif; color: var(--ink); display: grid; height: 400px; }
.film article { grid-area: 1/1; max-width: none; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 24px; }
.film .bar { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line); padding-bottom: 6px; }
.film blockquote { border-left: 3px solid var(--link); padding-left: 14px; margin: 11px 0; }
.before { animation: gone 7s infinite; }
.after { animation: came 7s infinite; }
.saved { animation: said 7s infinite; }
.before blockquote p { animation: typed 7s infinite; width: max-content; }
@keyframes typed { 0%%, 5%% { clip-path: inset(0 100%% 0 0); animation-timing-function: steps(46); } 36%%, 100%% { clip-path: inset(0); } }
@keyframes said { 0%%, 40%% { opacity: 0; } 42%%, 100%% { opacity: 1; } }
@keyframes gone { 0%%, 50%% { opacity: 1; } 53%%, 97%% { opacity: 0; } 100%% { opacity: 1; } }
@keyframes came { 0%%, 50%% { opacity: 0; } 53%%, 97%% { opacity: 1; } 100%% { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .before { display: none; } .after { animation: none; } }
]]></style>
<foreignObject width="860" height="400"><div xmlns="http://www.w3.org/1999/xhtml" class="film">
<article class="made before"><p class="bar minor"><span>Today.md</span><span class="saved">saved</span></p>%s</article>
<article class="made after"><p class="bar minor"><span>Today.md</span><span>answered</span></p>%s</article>
</div></foreignObject></svg>
`

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "picture: name the note before and the note after")
		os.Exit(2)
	}
	style, err := os.ReadFile("assets/web/style.css")
	texts := []any{style}
	for _, file := range os.Args[1:] {
		if text, problem := os.ReadFile(file); problem == nil {
			texts = append(texts, shown.Opened{Body: unseen.ReplaceAllString(string(text), "")}.HTML())
		} else {
			err = problem
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
	picture := fmt.Sprintf(form, texts...)
	for d := xml.NewDecoder(strings.NewReader(picture)); err == nil; { // a browser shows nothing of one that is not well-formed
		_, err = d.Token()
	}
	if !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
	fmt.Print(picture)
}
