package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// selectRole chooses who answers the role of a row, as a person does by keyboard or
// mouse, and types its model.
func (v *visitor) selectRole(label, agent, model string) {
	v.t.Helper()
	id := value[string](v, `[...document.querySelectorAll("label")].find((l) => l.textContent === "Who answers `+label+`").htmlFor`)
	field := strings.Replace(id, "agent", "model", 1)
	v.do(chromedp.SetValue(chromedp.CSS("#"+id), agent), chromedp.Clear(chromedp.CSS("#"+field)))
	if model != "" {
		v.do(chromedp.Focus(chromedp.CSS("#"+field)), call(input.InsertText, input.InsertTextParams{Text: model}))
	}
}

// Each role gets an agent of its own: one that was configured by hand, one that only
// has a definition, and one that is new. Ask is answered by who was saved.
func TestRoles(t *testing.T) {
	e := start(t, "")
	v := enter(t, e)
	v.look("/setup")
	v.sees("every other role", "Heavy-Lifter", "configured by hand: command")
	v.selectRole("Editor", "builtin", "")
	v.selectRole("Manager", "builtin", "")
	v.selectRole("another role", "builtin", "")
	v.do(chromedp.Focus(chromedp.CSS("#another")), call(input.InsertText, input.InsertTextParams{Text: "2nd"}))
	v.press("#save-roles")
	v.sees("Nothing was saved", `"2nd" is not a role`)
	v.until("the cursor at the name", `document.activeElement.id === "another" && document.activeElement.value === "2nd"`)
	for _, fault := range v.complaints() {
		if !strings.Contains(fault, "status of 400") {
			t.Errorf("the browser says: %s", fault)
		}
	}
	for _, width := range []int64{360, 1400} {
		v.do(chromedp.EmulateViewport(width, 900))
		if wide := value[int64](v, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("it is %d wide", wide)
		}
		for _, violation := range v.axe() {
			t.Errorf("refused: %s", violation)
		}
		v.shoot(fmt.Sprintf("setup-roles-%d", width))
	}
	v.do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}),
		chromedp.Clear(chromedp.CSS("#another")), chromedp.Focus(chromedp.CSS("#another")), call(input.InsertText, input.InsertTextParams{Text: "Librarian"}))
	v.press("#save-roles")
	v.sees("The configuration is written.")
	text, err := os.ReadFile(filepath.Join(e.home, ".config", "vault-dispatcher", "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range []string{"Editor: {runner: builtin, env: {GATE: " + e.home + "/editor}}", "Manager: {runner: builtin}", "Librarian: {runner: builtin}", "Clerk: {runner: command"} {
		if !strings.Contains(string(text), entry) {
			t.Errorf("%s is not in\n%s", entry, text)
		}
	}
	v.press(`button[aria-label="Ask Editor"]`)
	v.sees("Editor has answered", "by built-in")
}
