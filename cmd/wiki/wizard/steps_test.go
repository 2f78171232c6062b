package wizard

import (
	"strings"
	"testing"

	"charm.land/huh/v2"

	"vaultdispatcher/installer"
)

// Where there is nothing to choose, a terminal that is read line by line says it and asks nothing.
func TestOneChoice(t *testing.T) {
	w, value := &wizard{options: Given{Plain: true}}, "me"
	var out strings.Builder
	if err := w.selectField("Who answers?", "", &value, huh.NewOption("only me", "me")).RunAccessible(&out, strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	if said := out.String(); !strings.Contains(said, "Who answers?") || !strings.Contains(said, "only me") || strings.Contains(said, "number") || value != "me" {
		t.Errorf("%s: %q", value, said)
	}
}

// Where no agent program is found, the question says which ones were looked for.
func TestWhoAnswersSaysWhatWasLookedFor(t *testing.T) {
	w := &wizard{}
	if text := w.answersText(); !strings.Contains(text, "looked for claude, ") || !strings.Contains(text, "Ollama, and found none") {
		t.Errorf("nothing was found: %q", text)
	}
	w.programs = []installer.Program{{Runner: "claude"}}
	if text := w.answersText(); strings.Contains(text, "looked for") {
		t.Errorf("claude was found: %q", text)
	}
}
