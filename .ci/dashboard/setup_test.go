package dashboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// A person starts with nothing but an engine: the folder that Obsidian knows is
// offered, another one is typed, and a question in it is answered a moment later.
func TestFirstRun(t *testing.T) {
	e := home(t)
	e.write(filepath.Join(e.home, ".config", "obsidian", "obsidian.json"), `{"vaults":{"one":{"path":"`+e.vault+`","ts":1,"open":true}}}`)
	more := filepath.Join(e.home, "More notes")
	if err := os.Mkdir(more, 0o755); err != nil {
		t.Fatal(err)
	}
	e.save("Safe.md", "The safe is behind the picture.\n")
	e.run()
	v := enter(t, e)
	v.sees("No vault is configured.")
	v.press(`section[aria-labelledby=vaults] a[href="/setup"]`)
	v.sees("Folders of notes", "~/Roastery", "notify {{event_file_path:absolute}}")
	v.press("#vault-0")
	v.do(chromedp.Focus(chromedp.CSS("#folder")), call(input.InsertText, input.InsertTextParams{Text: "~/More notes"}))
	v.press("#save")
	v.sees("The configuration is written.")
	if ticked := value[int](v, `document.querySelectorAll("input[name=vault]:checked").length`); ticked != 2 {
		t.Errorf("%d folders are chosen", ticked)
	}
	v.look("/")
	v.until("two vaults", `document.querySelectorAll(".vault .status.watching").length === 2`)
	e.finds("safe picture", "behind the picture")
	e.save("Today.md", "> @agent-Miner where is the safe?\n")
	v.until("the answer", `document.querySelector("section[aria-labelledby=recent] .status")?.textContent === "done"`)
	note, err := os.ReadFile(filepath.Join(e.vault, "Today.md"))
	if err != nil || !strings.Contains(string(note), "behind the picture") {
		t.Errorf("%v, the note is\n%s", err, note)
	}
	v.look("/setup")
	v.press(`button[aria-label="Ask Miner"]`)
	v.sees("Miner has answered", "by builtin")
	v.press(`button[data-copy="line-0"]`)
	v.until("that it was copied", `document.querySelector('[data-copy="line-0"]').textContent === "Copied"`)
}
