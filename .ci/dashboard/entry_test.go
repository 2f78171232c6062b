package dashboard

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var paths = []string{"/", "/history", "/answers", "/held", "/search", "/setup", "/doctor", "/log"}

// Without a session there is no page, and a link is good for one browser.
func TestRefusal(t *testing.T) {
	e := start(t, "")
	e.save("Secret.md", "The safe is behind the picture.\n")
	link := e.link()
	v := visit(t)
	v.base = link[:strings.Index(link, "/open/")]
	for _, path := range append(paths, "/dispatch/x", "/vault-mind/dispatches", "/vault-mind/events") {
		v.look(path)
		if strings.HasPrefix(path, "/vault-mind/") {
			v.sees("unauthorized")
			continue
		}
		v.sees("Not signed in", "wiki open")
		v.until("no way in", `!document.querySelector("form, nav")`)
	}
	v.do(chromedp.Navigate(link))
	v.until("the first page", `document.querySelector("h1").textContent === "Now" && location.pathname === "/"`)
	other := visit(t)
	other.do(chromedp.Navigate(link))
	other.sees("This link was used already", "wiki open makes a new one")

	v.press(`form[action="/leave"] button`)
	v.sees("wiki open")
	v.look("/search?q=safe")
	v.sees("Not signed in")
	if text := v.text(); strings.Contains(text, "picture") {
		t.Errorf("a page for nobody shows a note:\n%s", text)
	}
}

// Everything can be read and done without JavaScript.
func TestWithoutScript(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	v.do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	before := "> @agent-Editor make this shorter\n"
	e.save("Letter.md", before)
	e.dispatch("Letter.md", "processing")
	v.look("/")
	v.sees("make this shorter", "at work for")
	v.do(chromedp.Click(chromedp.CSS(`section[aria-labelledby=working] tbody a`)))
	v.sees("At work for")
	v.do(chromedp.Click(chromedp.CSS("#cancel")))
	v.sees("cancelled")
	e.open("editor")
	v.leaves(chromedp.Click(chromedp.CSS("#retry")))
	e.dispatch("Letter.md", "done")
	v.do(chromedp.Reload())
	v.sees("What was written")
	v.leaves(chromedp.Click(chromedp.CSS("#undo")))
	e.reads("Letter.md", before)
	for _, path := range paths {
		v.look(path)
		v.until("its part of the page", `document.querySelector("main").innerText.length > 20`)
	}
}

// A person with a keyboard gets to the content first, and everywhere in order.
func TestKeyboard(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	tab := func() { v.do(chromedp.KeyEvent(kb.Tab)) }
	focus := func() string {
		return value[string](v, "(document.activeElement.name || document.activeElement.innerText).trim()")
	}
	tab()
	if got := focus(); got != "Skip to the content" {
		t.Errorf("the first is %q", got)
	}
	v.until("that it is seen", `document.activeElement.getBoundingClientRect().left >= 0`)
	v.do(chromedp.KeyEvent(kb.Enter))
	v.until("the content", `document.activeElement.id === "main"`)
	var reached []string
	for range 8 {
		tab()
		reached = append(reached, focus())
	}
	want := "question Ask role file append Pause Pause for an hour Look again"
	if got := strings.Join(reached, " "); got != want {
		t.Errorf("reached %q, want %q", got, want)
	}
	v.until("a visible focus", `getComputedStyle(document.activeElement).outlineStyle !== "none"`)
	e.save("Safe.md", "The safe is behind the picture.\n")
	e.finds("safe picture", "behind the picture")
	v.look("/search")
	v.until("the field", `document.activeElement.id === "q"`)
	v.do(call(input.InsertText, input.InsertTextParams{Text: "safe picture"}), chromedp.KeyEvent(kb.Enter))
	v.sees("The safe is behind the picture.")
}

// Ctrl K asks, searches, goes to a page and presses a button of this one, by keyboard alone; what was replaced meanwhile is pressed
// only if it would send the same.
func TestPalette(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	e.save("Safe.md", "The safe is behind the picture.\n")
	e.finds("safe picture", "behind the picture")
	typed := func(text string) {
		v.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		v.until("the palette", `document.activeElement.closest("#palette")?.open === true`)
		v.do(call(input.InsertText, input.InsertTextParams{Text: text}), chromedp.KeyEvent(kb.Enter))
	}
	v.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	for _, violation := range v.axe() {
		t.Error(violation)
	}
	v.shoot("palette")
	v.do(chromedp.KeyEvent(kb.Escape))
	typed("pause hour")
	v.until("that it is paused", `document.querySelector("#watch-start") !== null`)
	typed("watch again")
	v.until("that it is watched", `document.querySelector("#watch-stop") !== null`)
	typed("history")
	v.until("its page", `document.querySelector("h1").textContent === "History"`)
	typed("safe picture")
	v.sees("The safe is behind the picture.")
	v.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)), call(input.InsertText, input.InsertTextParams{Text: "safe place"}))
	v.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	v.until("the words in the box of a question", `document.getElementById("question")?.value === "safe place"`)
	typed("where is it?")
	v.until("the question in its box", `document.getElementById("question")?.value === "where is it?"`)
	v.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.Escape))
	v.until("the focus where it was", `document.activeElement.id === "question" && !document.getElementById("palette").open`)
}

// An engine that is away is told of, and the page stays as it was.
func TestAway(t *testing.T) {
	e := start(t, "")
	link := e.link()
	v := visit(t) // what the console says of a lost connection is no fault
	v.do(chromedp.Navigate(link))
	v.until("a live page", `document.getElementById("away")?.hidden === true`)
	e.save("Letter.md", "> @agent-Editor make this shorter\n")
	v.sees("make this shorter")
	if err := e.process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	v.until("that the engine is away", `document.getElementById("away").hidden === false`)
	v.sees("make this shorter", "The engine does not answer;")
}

// What counts complaints does see them.
func TestComplaintsAreSeen(t *testing.T) {
	e := start(t, "")
	v := visit(t)
	v.do(chromedp.Navigate(e.link()))
	v.until("the first page", `document.querySelector("h1").textContent === "Now"`)
	for what, js := range map[string]string{
		"asks elsewhere":      `new Image().src = "https://elsewhere.invalid/x.png"`,
		"ContentSecurityPol":  `document.body.append(Object.assign(document.createElement("script"), { textContent: "window.bad = 1" }))`,
		"console error":       `console.error("something")`,
		"exception":           `setTimeout(() => { throw new Error("something"); })`,
		"status of 404":       `void fetch("/absent")`,
		"violates the follow": `document.body.append(Object.assign(document.createElement("iframe"), { src: "/" }))`,
	} {
		v.complaints()
		v.do(chromedp.Evaluate[chromedp.Void](js))
		var seen []string
		eventually(t, what, func() bool {
			seen = append(seen, v.complaints()...)
			return strings.Contains(strings.Join(seen, "\n"), what)
		}, func() string { return strings.Join(seen, "\n") })
	}
	v.do(chromedp.Reload(), chromedp.Evaluate[chromedp.Void](`document.querySelector("main").append(document.createElement("input"))`))
	if found := v.axe(); len(found) != 1 || !strings.HasPrefix(found[0], "label") {
		t.Errorf("of a field without a name axe says %q", found)
	}
}
