// Command picture prints the page of a note for the film in the README, which .ci/browser makes: by the renderer and the style
// sheet of the dashboard. The comments around an answer, which note apps do not show, are left out.
//
//	go run ./.ci/picture Today.md saved <NOTE >PAGE
package main

import (
	"fmt"
	"html"
	"io"
	"os"
	"regexp"

	"vaultdispatcher/engine/broadcast/shown"
)

// unseen are the comments around an answer.
var unseen = regexp.MustCompile(`(?m)^<!-- /?agent-response -->\n`)

const form = `<!doctype html>
<meta charset="utf-8">
<style>
%s
body { padding: 0; font: 16px/1.5 "DejaVu Sans", sans-serif; }
.made { height: 100vh; max-width: none; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 24px; }
.made .bar { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line); padding-bottom: 6px; }
.made blockquote { border-color: var(--link); padding-left: 14px; margin: 11px 0; }
</style>
<article class="made"><p class="bar minor"><span>%s</span><span>%s</span></p>%s</article>
`

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "picture: give the name of the note and a word beside it")
		os.Exit(2)
	}
	style, err := os.ReadFile("assets/web/style.css")
	if err == nil {
		var note []byte
		note, err = io.ReadAll(os.Stdin)
		fmt.Printf(form, style, html.EscapeString(os.Args[1]), html.EscapeString(os.Args[2]), shown.Opened{Body: unseen.ReplaceAllString(string(note), "")}.HTML(nil))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}
