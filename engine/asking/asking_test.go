package asking

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/note/window"
)

func TestClean(t *testing.T) {
	for question, want := range map[string]string{
		" what? \n":            "what?",
		"a\r\nb\x00\x1b[2J\tc": "a\nb  [2J\tc",
		"caf\xe9":              "caf\ufffd",
		"mail me@example.com":  "mail me@example.com",
	} {
		if got, err := Clean(question); got != want || err != nil {
			t.Errorf("%q is %q, %v", question, got, err)
		}
	}
	for _, question := range []string{"", " \n\t", strings.Repeat("x", MostBytes+1), "@agent-Miner what?", "a\n\n@agent-Miner what?"} {
		if got, err := Clean(question); err == nil {
			t.Errorf("%.20q is %q", question, got)
		}
	}
}

// TestPlace: whatever a note ends with, the question is the one marker that is asked.
func TestPlace(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "> quote", "- a\n  - b\n", "# H\r\n\r\n", "> @agent-Miner other?\n", "---\na: b\n---\n", "| a |\n|---|\n| b |"} {
		p, err := Place([]byte(text), "Miner", "one\n> @agent-Miner two\n```")
		if err != nil || len(p.Group.Markers) != 1 || p.Group.Markers[0].Instruction != "one\n> @agent-Miner two\n```" {
			t.Errorf("%q: %+v, %v", text, p.Group, err)
			continue
		}
		if w := window.Cut(p.Text, p.Doc(), p.Group, window.Frame{LinesAbove: 30}); len(w) != 1 || !strings.Contains(w[0].Text, "[Request 1]") {
			t.Errorf("%q: %+v", text, w)
		}
	}
	for _, text := range []string{"```\nopen", "<!-- open", "%% open"} {
		if _, err := Place([]byte(text), "Miner", "q"); err != ErrNoPlace {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"The budget is 400.\n\n```\nopen", "The budget is 400.\r\n<!-- open", "---\nThe budget is 400.", "The budget is 400.\n<!-- agent-response -->"} {
		p, err := Place(Indent([]byte(text)), "Miner", "q")
		if err != nil || len(p.Doc().Markers) != 1 {
			t.Errorf("%q as code: %+v, %v", text, p.Doc().Markers, err)
			continue
		}
		if w := window.Cut(p.Text, p.Doc(), p.Group, window.Frame{LinesAbove: 30}); len(w) != 1 || !strings.Contains(w[0].Text, "The budget is 400.") {
			t.Errorf("%q as code: %+v", text, w)
		}
	}
	for _, role := range []string{"", "1", "a b", "Miner:x", "Miner\n"} {
		if _, err := Place(nil, role, "q"); err != ErrNoRole {
			t.Errorf("role %q: %v", role, err)
		}
	}
}

func TestSources(t *testing.T) {
	notes := []string{"Meetings/Budget 2026.md", "Backups.md", "a/Same.md", "b/Same.md", "It.md", "C#.md"}
	for answer, want := range map[string][]api.Source{
		"[[Backups#Decision|Backups › Decision]]":         {{File: "Backups.md", Heading: "Decision"}},
		"[[backups]] and [[Backups#A#B]], [[Backups]]":    {{File: "Backups.md", Heading: ""}, {File: "Backups.md", Heading: "A › B"}},
		"[x](<b/Same.md#Top>) [y](a/Same.md)":             {{File: "b/Same.md", Heading: "Top"}, {File: "a/Same.md", Heading: ""}},
		"[x](a/Same.md) [[Backups]] [y](b/Same.md)":       {{File: "a/Same.md"}, {File: "Backups.md"}, {File: "b/Same.md"}},
		"[x](C%23.md#A%23B)":                              {{File: "C#.md", Heading: "A › B"}},
		"[b](Meetings/Budget%202026.md#What%20we%20did)":  {{File: "Meetings/Budget 2026.md", Heading: "What we did"}},
		"As the note Budget 2026 says. It is so.":         {{File: "Meetings/Budget 2026.md", Heading: ""}},
		"[[Elsewhere]] and [web](https://example.com/#x)": {},
		"": {},
	} {
		if got := Sources(answer, notes); !slices.Equal(got, want) {
			t.Errorf("%q: %+v", answer, got)
		}
	}
	if got := Sources("[[Backups]]", nil); len(got) > 0 {
		t.Errorf("what was not handed over is a source: %+v", got)
	}
}

func TestWaiters(t *testing.T) {
	var w Waiters
	first, other := w.Next("a"), w.Next("b")
	if w.Next("a") != first {
		t.Error("two who wait for one dispatch wait apart")
	}
	w.Wake("a")
	<-first
	select {
	case <-other:
		t.Error("another was woken")
	default:
	}
	if w.Next("a") == first {
		t.Error("what has happened is waited for")
	}
	w.End()
	w.End()
	<-w.Ended()
}

// Settings of the note app that cannot be read are told in plain words.
func TestDailyNoteThatCannotBeTold(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, ".obsidian"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := FindNote(root, api.AskRequest{Question: "what?", Append: true})
	if err == nil || !strings.Contains(err.Error(), "cannot be told: ") || strings.Contains(err.Error(), "not a directory") {
		t.Errorf("told is %v", err)
	}
}
