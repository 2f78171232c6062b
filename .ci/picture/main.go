// Command picture draws a note before and after its answer, for the README, by the renderer and the style
// sheet of the dashboard. The comments around an answer, which note apps do not show, are left out.
//
//	wiki run --vault DIR &                      # on a copy of assets/vault; keep the note before as BEFORE
//	go run ./.ci/picture BEFORE AFTER >pair.html
//	chromium --headless --no-sandbox --hide-scrollbars --window-size=1180,438 --screenshot=pair.png pair.html
package main

import (
	"fmt"
	"os"
	"regexp"

	"vaultdispatcher/engine/broadcast/shown"
)

// unseen are the comments around an answer.
var unseen = regexp.MustCompile(`(?m)^<!-- /?agent-response -->\n`)

const form = `<!doctype html><meta charset="utf-8"><style>%s
body { max-width: none; padding: 1.2rem; display: grid; grid-template-columns: 2fr 1.9rem 3fr; gap: 1rem; align-items: center; }
body { font: 1rem/1.5 "DejaVu Sans", sans-serif; }
article { align-self: stretch; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .4rem 1.4rem 1.2rem; }
article > p.minor { border-bottom: 1px solid var(--line); padding-bottom: .4rem; }
blockquote { margin: .7rem 0; border-left: 3px solid var(--link); padding-left: .9rem; }
b.to { font-size: 2rem; color: var(--link); }
</style>
<article class="made"><p class="minor">You save</p>%s</article>
<b class="to">&rarr;</b>
<article class="made"><p class="minor">A moment later</p>%s</article>
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
	fmt.Printf(form, texts...)
}
