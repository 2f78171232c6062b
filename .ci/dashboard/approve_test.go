package dashboard

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Answers wait for a person, who sees which words they change and decides by one key, about the proposal that has the focus or else
// the first; a letter that is typed decides nothing, and a reason asks again.
func TestApprove(t *testing.T) {
	e := start(t, "")
	e.open("clerk")
	v := enter(t, e)
	asks := func(what string) string { return "a\n\n> @agent-Clerk! " + what + "\n" }
	const answered = "a\n\n<!-- agent-response -->\nFiled under suppliers.\n<!-- /agent-response -->\n"
	first, second, third := asks("Filed under suppliers?"), asks("Filed under what?"), asks("Filed at all?")
	e.save("First.md", first)
	e.dispatch("First.md", "proposed")
	v.press(`.counts a[href="/proposed"]`)
	v.sees("For you to approve", "The key a accepts the first one")
	v.until("the words that go", `[...document.querySelectorAll(".diff del b")].some((b) => b.textContent.includes("?"))`)
	v.until("words that stay", `[...document.querySelectorAll(".diff b")].every((b) => !b.textContent.includes("suppliers"))`)
	for _, violation := range v.axe() {
		t.Error(violation)
	}
	v.shoot("approve-words")
	e.save("Second.md", second)
	e.dispatch("Second.md", "proposed")
	v.sees("Filed under what?")
	e.save("Third.md", third)
	e.dispatch("Third.md", "proposed")
	v.sees("Filed at all?")
	v.until("the oldest first", `document.querySelector("main section h2").innerText.startsWith("Filed under suppliers?")`)
	v.until("the page stood a while", "performance.now() > 2500")
	v.leaves(chromedp.KeyEvent("a"))
	v.until("one is decided", `document.querySelectorAll("main section").length === 2`)
	e.reads("First.md", answered)
	e.reads("Second.md", second)

	value[bool](v, `(document.querySelector("main section:last-of-type button[data-key=r]").focus(), true)`)
	v.leaves(chromedp.KeyEvent("r"))
	v.until("another is decided", `document.querySelectorAll("main section").length === 1`)
	e.dispatch("Third.md", "cancelled")
	e.reads("Third.md", third)

	value[bool](v, `(document.querySelector("input[name=because]").focus(), true)`)
	v.do(chromedp.KeyEvent("a shorter word"))
	v.until("what was typed", `document.querySelector("input[name=because]").value === "a shorter word"`)
	e.reads("Second.md", second)
	v.press("button[data-key=r]")
	again := e.dispatch("Second.md", "proposed").ID
	v.look("/dispatch/" + again)
	v.sees("for you to approve", "rejected: a shorter word")
}
