package dashboard

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// room is how many streams of events an engine has room for.
const room = 16

// streams opens so many streams of events, and returns what ends them.
func (e *engine) streams(n int, base string) (end func()) {
	e.t.Helper()
	token, err := e.wiki("token").Output()
	if err != nil {
		e.t.Fatalf("wiki token: %v", problem(err))
	}
	var open []*http.Response
	for range n {
		req, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, base+"/vault-mind/events", nil)
		if err != nil {
			e.t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		var resp *http.Response
		eventually(e.t, "room for a stream", func() bool {
			if resp, err = http.DefaultClient.Do(req); err == nil && resp.StatusCode != http.StatusOK {
				resp.Body.Close()
			}
			return err == nil && resp.StatusCode == http.StatusOK
		}, func() string { return "" })
		open = append(open, resp)
	}
	return func() {
		for _, resp := range open {
			resp.Body.Close()
		}
	}
}

const done = `[...document.querySelectorAll("section[aria-labelledby=recent] .note")].some((r) =>
	r.innerText.includes("NOTE") && r.querySelector(".status").textContent === "done")`

// A page for which the engine has no stream says so, goes on more slowly, and is as
// the others are once there is room.
func TestNoRoomForAStream(t *testing.T) {
	e := start(t, "")
	e.open("editor")
	link := e.link()
	end := e.streams(room, link[:strings.Index(link, "/open/")])
	v := enter(t, e)
	v.sees("open in too many browsers")
	if strings.Contains(v.text(), "does not answer") {
		t.Error("an engine that answers is said to be away")
	}
	e.save("One.md", "> @agent-Editor make this shorter\n")
	v.until("the row done all the same", strings.ReplaceAll(done, "NOTE", "One.md"))
	end()
	v.until("that it follows again", `document.getElementById("full").hidden && document.getElementById("away").hidden`)
	for _, fault := range v.complaints() {
		if !strings.Contains(fault, "429") {
			t.Errorf("the browser says: %s", fault)
		}
	}
}

// tab is one more tab of a visitor's browser.
func (v *visitor) tab() *visitor {
	v.t.Helper()
	ctx, leave := chromedp.NewContext(v.ctx, chromedp.WithListener(v.listen))
	v.t.Cleanup(leave)
	if err := chromedp.Do(ctx); err != nil { // the first call decides how long the tab lives
		v.t.Fatalf("open a tab: %v", err)
	}
	return &visitor{t: v.t, ctx: ctx, base: v.base}
}

// before runs a script on every page of a tab before the page's own.
func (v *visitor) before(script string) {
	v.t.Helper()
	v.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}))
}

// What happens between the making of a page and its first word of the stream, which
// another page has, is on it all the same.
func TestPageCatchesUp(t *testing.T) {
	e := start(t, "")
	e.open("editor")
	first := enter(t, e)
	second := first.tab()
	second.before(`document.addEventListener("readystatechange", () => {
		if (document.readyState !== "interactive" || !document.getElementById("watch-stop")) return;
		const ask = new XMLHttpRequest();
		ask.open("POST", "/watch", false);
		ask.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
		ask.send(new URLSearchParams(new FormData(document.getElementById("watch-stop").form)));
		for (const begun = Date.now(); Date.now() < begun + 2000;);
	})`)
	second.look("/")
	for _, page := range []*visitor{first, second} {
		page.until("that nothing is watched", `document.getElementById("watch-start")`)
	}
}

// In a browser where pages cannot share a stream, or may not, each has its own.
func TestPagesWithoutSharing(t *testing.T) {
	for name, script := range map[string]string{
		"no channel":    `delete self.BroadcastChannel`,
		"no locks":      `Object.defineProperty(navigator, "locks", { value: undefined })`,
		"refused locks": `navigator.locks.request = () => Promise.reject(new DOMException("no", "SecurityError"))`,
	} {
		e := start(t, "")
		e.open("editor")
		first := enter(t, e)
		pages := []*visitor{first, first.tab()}
		for _, v := range pages {
			v.before(script)
			v.look("/")
		}
		for i := range 2 { // the second save is heard of by the stream alone
			note := fmt.Sprintf("Note%d.md", i)
			e.save(note, "> @agent-Editor make this shorter\n")
			for _, v := range pages {
				v.until(name+": the row done", strings.ReplaceAll(done, "NOTE", note))
			}
		}
	}
}

// The pages of a browser share one stream. It goes from one to the next, and back
// to the engine when nobody sees them.
func TestPagesShareAStream(t *testing.T) {
	e := start(t, "")
	e.open("editor")
	v := enter(t, e)
	defer e.streams(room-1, v.base)()
	second := v.tab()
	second.look("/")
	e.save("One.md", "> @agent-Editor make this shorter\n")
	for _, page := range []*visitor{v, second} {
		page.until("the row done", strings.ReplaceAll(done, "NOTE", "One.md"))
		page.until("no complaint", `document.getElementById("full").hidden && document.getElementById("away").hidden`)
	}
	const unseen = `(Object.defineProperty(document, "hidden", { value: true, configurable: true }), document.dispatchEvent(new Event("visibilitychange")))`
	value[bool](v, unseen)
	e.save("Two.md", "> @agent-Editor make this shorter\n")
	second.until("the row done without the first page", strings.ReplaceAll(done, "NOTE", "Two.md"))
	second.until("no complaint", `document.getElementById("full").hidden && document.getElementById("away").hidden`)
	value[bool](second, unseen)
	e.streams(1, v.base)()
}

// The log goes on before one's eyes, although a line of it changes nothing else.
func TestLogIsLive(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	v.look("/log")
	v.sees("What the engine has done")
	file, err := os.OpenFile(filepath.Join(e.home, ".local/state/vault-dispatcher/log/engine.log"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := fmt.Fprintf(file, `{"time":%q,"level":"INFO","msg":"a line that nothing else tells of"}`+"\n", time.Now().Format(time.RFC3339)); err != nil {
		t.Fatal(err)
	}
	v.sees("a line that nothing else tells of")
}
