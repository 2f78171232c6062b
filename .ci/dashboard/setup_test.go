package dashboard

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
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
	e.save("Safe.md", "The safe is behind the picture, in the room above the shop.\n")
	e.run()
	v := enter(t, e)
	v.sees("No vault is configured.")
	v.press(`section[aria-labelledby=vaults] a[href="/setup"]`)
	v.sees("Folders of notes", "~/Roastery", "notify {{event_file_path:absolute}}")
	v.press("#vault-0")
	v.do(chromedp.Focus(chromedp.CSS("#folder")), call(input.InsertText, input.InsertTextParams{Text: "~/More notes"}))
	v.press("#login")
	v.press("#tray")
	v.press("#save")
	v.sees("The configuration is written.")
	entries := map[string]string{"vault-dispatcher.desktop": bed["WIKI"], "vault-dispatcher-tray.desktop": bed["WIKI"] + "-tray"}
	for name, program := range entries {
		if text, err := os.ReadFile(filepath.Join(e.home, ".config", "autostart", name)); err != nil || !strings.Contains(string(text), program) {
			t.Errorf("%s does not start at login: %v\n%s", program, err, text)
		}
	}
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
	v.until("that both start at login", `document.getElementById("login").checked && document.getElementById("tray").checked`)
	v.press("#prove")
	v.sees("was answered after", "keeps nothing of it")
	if left, err := filepath.Glob(filepath.Join(e.home, "*", "Wiki setup check*")); err != nil || len(left) > 0 {
		t.Errorf("%v, left is %q", err, left)
	}
	v.press("#login")
	v.press("#tray")
	v.press("#save")
	v.sees("The configuration is written.")
	for name, program := range entries {
		if _, err := os.Stat(filepath.Join(e.home, ".config", "autostart", name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s still starts at login: %v", program, err)
		}
	}
	for _, fault := range v.complaints() { // a page that is asked for while the engine takes up the choice says so, and asks again
		if !strings.Contains(fault, "status of 503") || !strings.Contains(fault, "/setup?saved") {
			t.Errorf("the browser says: %s", fault)
		}
	}
	v.press(`button[aria-label="Ask Miner"]`)
	v.sees("Miner has answered", "by built-in")
	v.press(`button[data-copy="line-0"]`)
	v.until("that it was copied", `document.querySelector('[data-copy="line-0"]').textContent === "Copied"`)
}

// What cannot be is told beside its field, where the cursor is, and what was typed
// stays; with and without JavaScript, on a phone and on a desk.
func TestSetupRefuses(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	refused := func(shot, field, typed, reason string) {
		t.Helper()
		v.look("/setup")
		v.do(chromedp.Clear(chromedp.CSS("#"+field)), chromedp.Focus(chromedp.CSS("#"+field)), call(input.InsertText, input.InsertTextParams{Text: typed}))
		v.do(chromedp.Click(chromedp.CSS("#save")))
		v.sees("Nothing was saved", reason)
		v.until("the cursor at "+field, `document.activeElement.id === "`+field+`" && document.activeElement.getAttribute("aria-describedby") === "`+field+`-wrong"`)
		v.until("what was typed", `document.activeElement.value === "`+typed+`"`)
		for _, fault := range v.complaints() {
			if !strings.Contains(fault, "status of 400") {
				t.Errorf("the browser says: %s", fault)
			}
		}
		for _, width := range []int64{360, 1400} {
			if shot == "" {
				continue
			}
			v.do(chromedp.EmulateViewport(width, 900))
			for _, violation := range v.axe() {
				t.Errorf("%s refused: %s", field, violation)
			}
			v.shoot(fmt.Sprintf("setup-%s-%d", shot, width))
		}
	}
	refused("system", "folder", "/etc", "/etc belongs to the system and is no place for notes")
	refused("nested", "folder", "~", "a note may be in one vault only")
	refused("address", "url", "http://nas:8080", "The provider none asks no server; leave the address out.")
	refused("port", "port", "0", "A port is a number from 1 to 65535")
	v.do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	refused("", "folder", "~/Nowhere", "There is no folder")
}

// The page goes along to another port and is still signed in, also when the same save
// takes the engine's login away; a port that somebody else has changes nothing.
func TestSetupMovesThePort(t *testing.T) {
	e := home(t)
	e.write(filepath.Join(e.home, ".config", "obsidian", "obsidian.json"), `{"vaults":{"one":{"path":"`+e.vault+`","ts":1,"open":true}}}`)
	e.runAlone()
	v := enter(t, e)
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	save := func(port int, boxes ...string) {
		v.look("/setup")
		for _, box := range boxes {
			v.press(box)
		}
		v.do(chromedp.Clear(chromedp.CSS("#port")), chromedp.Focus(chromedp.CSS("#port")), call(input.InsertText, input.InsertTextParams{Text: strconv.Itoa(port)}))
		v.press("#save")
	}
	v.look("/setup")
	v.do(chromedp.Focus(chromedp.CSS("#folder")), call(input.InsertText, input.InsertTextParams{Text: "~"}))
	v.press("#save")
	v.sees("is your whole home folder, or more", "say below that you are sure")
	save(portOf(taken), "#vault-0", "#login")
	v.sees(fmt.Sprintf("Port %d is taken by", portOf(taken)), "choose another")
	v.complaints()
	entry := filepath.Join(e.home, ".config", "autostart", "vault-dispatcher.desktop")
	if _, err := os.Stat(entry); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused choice was carried out: %v", err)
	}
	before := v.base
	_, port, _ := strings.Cut(strings.TrimPrefix(before, "http://"), ":")
	now, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	save(now, "#vault-0", "#login")
	v.sees("The configuration is written.")
	if _, err := os.Stat(entry); err != nil {
		t.Errorf("the engine does not start at login: %v", err)
	}
	to := 0
	eventually(t, "a port that is free", func() bool {
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return false
		}
		to = portOf(ln)
		ln.Close()
		save(to, "#login")
		v.until("what came of it", `/is taken by|at its new port/.test(document.body?.innerText) && document.readyState === "complete"`)
		return value[bool](v, `Boolean(document.body?.innerText.includes("at its new port"))`)
	}, v.text)
	for _, fault := range v.complaints() { // of the page whose port was closed behind it, and of what was refused
		if !strings.Contains(fault, "favicon.ico") && !strings.Contains(fault, "status of 400") {
			t.Errorf("the browser says: %s", fault)
		}
	}
	if _, err := os.Stat(entry); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the engine still starts at login: %v", err)
	}
	v.base = fmt.Sprintf("http://127.0.0.1:%d", to)
	if at := value[string](v, "location.href"); !strings.HasPrefix(at, v.base+"/setup") {
		t.Errorf("the page is at %s", at)
	}
	if _, err := http.Get(before + "/vault-mind/status"); err == nil {
		t.Error("the old port still answers")
	}
	v.look("/")
	e.save("Safe.md", "The safe is behind the picture, in the room above the shop.\n")
	e.finds("safe picture", "behind the picture")
	v.until("the vault", `document.querySelectorAll(".vault .status.watching").length === 1`)
	e.save("Today.md", "> @agent-Miner where is the safe?\n")
	v.until("the answer", `document.querySelector("section[aria-labelledby=recent] .status")?.textContent === "done"`)
	if out, err := e.wiki("status").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(e.vault, ".vault-mind", "server.json"))
	if err != nil || !strings.Contains(string(text), strconv.Itoa(to)) {
		t.Errorf("%v, note apps find %s", err, text)
	}
}

func portOf(ln net.Listener) int { return ln.Addr().(*net.TCPAddr).Port }
