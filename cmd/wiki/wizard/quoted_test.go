package wizard

import (
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/places"
)

// What others have named puts nothing on the terminal that it obeys, and is chosen as it is.
func TestNamesAreQuoted(t *testing.T) {
	const name = "/notes/\x1b]52;c;aGk=\a\nanswers    root \u202e"
	p := installer.Plan{Present: installer.Present{Config: config.Default(), File: name}}
	p.Choice.Vaults, p.Choice.Agent, p.Choice.AgentModel = []string{name}, "claude", name
	p.Choice.Roles = []installer.Role{{Role: name, Agent: "claude", Model: name}}
	w := &wizard{input: newTerminal(t.Context(), nil), baseline: p, folders: []string{name}, judged: make(map[string]places.Doubt)}
	w.Vaults, w.Another = []string{name}, name
	w.programs, w.models = []installer.Program{{Runner: "claude", Path: name, Needs: name}}, []installer.Model{{Name: name}, {Name: name, Embeds: true}}
	w.refusal = &installer.Refusal{Field: "port", Value: name}
	w.judgeFolder = func(installer.Plan, string) (places.Doubt, error) {
		return places.Doubt{Risk: places.System}, nil
	}
	shown := append(strings.Split(w.doubtLines(), "\n"), choiceLines(p)...)
	shown = append(shown, w.portRefusal())
	for _, text := range []string{name, "/notes/\x1b[2J"} {
		if err := w.checkFolder(text); err != nil {
			shown = append(shown, err.Error())
		} else {
			t.Errorf("%q is taken", text)
		}
	}
	for _, o := range slices.Concat(w.folderOptions(), w.agentOptions(), w.meaningOptions()) {
		shown = append(shown, o.Key)
	}
	if !slices.ContainsFunc(shown, func(s string) bool { return strings.Contains(s, `\x1b]52;c;aGk=\a\n`) }) || len(shown) < 12 {
		t.Errorf("shown is %q", shown)
	}
	for _, line := range shown {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
			t.Errorf("%q", line)
		}
	}
	if w.folderOptions()[0].Value != name {
		t.Error("what is chosen is another folder")
	}
}

// Lines break between words, and where there is no terminal they do not break.
func TestWrap(t *testing.T) {
	text := "one two three four five six seven eight nine ten"
	if got := Wrap(io.Discard, text, 13); got != text {
		t.Errorf("without a terminal: %q", got)
	}
	for line := range strings.SplitSeq(wrap(text, 22), "\n") {
		if len(line) > 22 || !strings.Contains(text+" ", strings.TrimSpace(line)+" ") {
			t.Errorf("%q is cut within a word", line)
		}
	}
}
