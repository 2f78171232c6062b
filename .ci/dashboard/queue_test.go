package dashboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A note is saved, and its row comes, is at work and is done, on a page that
// nobody loads again.
func TestQueueIsLive(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	v.sees("Nothing was asked yet.", "All good:")
	value[bool](v, "window.stayed = true")
	v.until("the focus on a button", `(document.getElementById("watch-stop").focus(), document.activeElement.id === "watch-stop")`)
	e.save("Letter.md", "Dear all,\n\n> @agent-Editor make this shorter\n")
	v.until("the row at work", `[...document.querySelectorAll("section[aria-labelledby=working] tbody tr")].some((r) =>
		r.innerText.includes("make this shorter") && r.innerText.includes("Letter.md"))`)
	v.until("the agent at work", `document.querySelector("section[aria-labelledby=agents]").innerText.includes("at work for")`)
	v.until("the time goes on", `((text) => text?.includes("min") || parseInt(text) >= 2)(document.querySelector("[data-since]")?.innerText)`)
	e.open("editor")
	v.until("the row done", `[...document.querySelectorAll("section[aria-labelledby=recent] li")].some((r) =>
		r.innerText.includes("make this shorter") && r.querySelector(".status").textContent === "done")`)
	v.until("the sentence", `document.getElementById("state").innerText.includes("All good: 1 note watched, last answer")`)
	v.until("that it is said", `document.getElementById("said").textContent.includes("Editor: done, Letter.md")`)
	if !value[bool](v, "window.stayed === true") {
		t.Error("the page was loaded again")
	}
	if focus := value[string](v, "document.activeElement.id"); focus != "watch-stop" {
		t.Errorf("the focus went from the button to %q", focus)
	}
}

// What has failed is tried again at once from its page, and its page shows the end.
func TestRetry(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	e.save("List.md", "> @agent-Printer print the price list\n")
	id := e.dispatch("List.md", "failed").ID
	v.look("/dispatch/" + id)
	v.sees("unanswered", "out of paper", "Attempts")
	e.open("printer")
	v.press("#retry")
	v.sees("done", "Printed.")
	if note := e.dispatch("List.md", "done"); note.ID != id {
		t.Errorf("another dispatch was made: %s, %s", id, note.ID)
	}
}

// A cancelled agent writes nothing, even when it could. A person who clicks twice
// is not told that there is nothing to cancel.
func TestCancel(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	before := "> @agent-Editor make this shorter\n"
	e.save("Letter.md", before)
	v.press(`section[aria-labelledby=working] tbody a`)
	v.sees("at work", "At work for")
	value[bool](v, `(() => { // a double click, and between the two the page is brought up to date
		const cancel = () => document.getElementById("cancel").click(), live = document.getElementById("live");
		cancel(); setTimeout(() => { live.replaceWith(live.cloneNode(true)); cancel(); }, 50); return true; })()`)
	v.sees("cancelled")
	e.open("editor")
	e.dispatch("Letter.md", "cancelled")
	e.reads("Letter.md", before)
	v.until("no more to cancel", `!document.getElementById("cancel") && document.getElementById("retry")`)
}

// What was written is shown line by line, and can be taken back.
func TestUndo(t *testing.T) {
	e := start(t, "")
	e.open("editor")
	v := enter(t, e)
	before := "Dear all,\n\n> @agent-Editor make this shorter\n\nYours\n"
	e.save("Letter.md", before)
	id := e.dispatch("Letter.md", "done").ID
	v.look("/dispatch/" + id)
	v.until("the line that went", `document.querySelector(".diff del")?.textContent === "> @agent-Editor make this shorter"`)
	v.until("the lines that came", `[...document.querySelectorAll(".diff ins")].some((i) => i.textContent.includes("Shorter, and friendlier."))`)
	v.press("#undo")
	v.sees("undone")
	e.reads("Letter.md", before)
	v.until("nothing to undo", `!document.getElementById("undo")`)
}

// What came from elsewhere waits until a person releases it.
func TestRelease(t *testing.T) {
	e := start(t, "")
	e.open("editor")
	v := enter(t, e)
	e.save("Clippings/Found.md", "> @agent-Editor make this shorter\n")
	v.until("one is held", `[...document.querySelectorAll(".counts li")].some((l) => l.innerText.trim() === "1 waiting for you")`)
	v.sees("One thing needs you.", "Somebody else’s words")
	v.press(`.counts a[href="/held"]`)
	v.sees("make this shorter", "Clippings/Found.md")
	v.press(`a[aria-label="Read it, then release it: make this shorter"]`)
	v.until("its page", `location.pathname.startsWith("/dispatch/")`)
	v.sees("Before you release it", "What it can touch", "Request 1 (Line 1): make this shorter")
	v.press("#release")
	v.sees("done", "Shorter, and friendlier.")
	v.look("/held")
	v.sees("Nothing waits for you.")
	if text := v.text(); strings.Contains(text, "make this shorter") {
		t.Errorf("it is still there:\n%s", text)
	}
}

// The watcher is stopped and started, as a whole and for one vault.
func TestWatcher(t *testing.T) {
	e := home(t)
	second := filepath.Join(e.home, "Second")
	if err := os.Mkdir(second, 0o755); err != nil { // one alone has no switch of its own
		t.Fatal(err)
	}
	e.beside = ", " + second
	e.configure("")
	e.run()
	e.open("editor")
	v := enter(t, e)
	v.press("#watch-stop")
	v.until("paused", `document.querySelector(".vault .status")?.textContent === "paused"`)
	e.save("Letter.md", "> @agent-Editor make this shorter\n")
	v.press("#watch-start")
	v.until("done", `document.querySelector("section[aria-labelledby=recent] .status")?.textContent === "done"`)
	v.press(`button[aria-label="Pause Roastery"]`)
	v.until("paused again", `document.querySelector(".vault .status")?.textContent === "paused"`)
	v.press(`button[aria-label="Watch Roastery again"]`)
	v.until("watching", `document.querySelector(".vault .status")?.textContent === "watching"`)
}

// A question of the box is answered on the page, which nobody loads again; the answer is rendered, and
// nothing of the question becomes an element.
func TestAskBox(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	value[bool](v, `(() => { window.stayed = true; document.getElementById("question").value = "what of <b>backups</b>?";
		document.querySelector("#ask button").click(); return true; })()`)
	v.until("the answer", `!document.getElementById("spoken").hidden && !document.getElementById("spoken").hasAttribute("aria-busy") &&
		document.querySelector("#spoken-text > .made")?.textContent.trim() && !document.querySelector("#spoken b")`)
	v.until("where it stands", `/^\/dispatch\/\w+$/.test(document.querySelector("#spoken-state a").getAttribute("href"))`)
	if !value[bool](v, "window.stayed === true") {
		t.Error("the page was loaded again")
	}
}
