package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/fewer"
)

// askAnyway scans a note as wiki scan does.
func (r *running) askAnyway(file string) {
	r.t.Helper()
	if _, err := r.Scan(r.t.Context(), api.Root{Name: "v"}, file, true); err != nil {
		r.t.Error(err)
	}
}

// What the note app names for templates, and drawings, are told and left as they are; a person who asks
// for it is answered there too.
func TestNoProse(t *testing.T) {
	t.Parallel()
	for _, c := range fewer.Cases([]struct{ file, text, setting, settings, reason string }{
		{"00 Meta/04 templates/Daily.md", question(1), ".obsidian/templates.json", `{"folder": "00 Meta/04 templates"}`,
			"the note is in a folder with templates (.obsidian/templates.json names 00 Meta/04 templates)"},
		{"_templates/a.md", question(1), ".obsidian/plugins/templater-obsidian/data.json", `{"templates_folder": "_templates"}`, "data.json names _templates"},
		{"Vorlagen/a.md", question(1), ".obsidian/plugins/quickadd/data.json", `{"templateFolderPaths": ["Vorlagen"]}`, "quickadd/data.json names Vorlagen"},
		{"Meta/Daily.md", question(1), ".obsidian/daily-notes.json", `{"template": "Meta/Daily"}`, "the note is a template (.obsidian/daily-notes.json names Meta/Daily)"},
		{"Daily.md", "# {{date}}\n\n" + question(1), ".obsidian/app.json", "{}", "the question is in a template (line 1 has {{date}})"},
		{"page.md", "---\ntags: meta/template/page\n---\n" + question(1), ".obsidian/app.json", "{}", "the question is in a template (line 2 has meta/template/page)"},
		{"Garden.excalidraw.md", "---\nexcalidraw-plugin: parsed\n---\n\n# Text Elements\n" + question(1), ".obsidian/app.json", "{}", "the note is a drawing"},
		{"Garden.md", "---\n{\"excalidraw-plugin\" : parsed}\n---\n" + question(1), ".obsidian/app.json", "{}", "the note is a drawing"},
	}) {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			runner := &echoes{}
			r := startEngine(t, t.TempDir(), runner, func(c *config.Config) { c.Progress = "note" })
			for _, rel := range []string{c.file, c.setting} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(r.vault, rel)), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r.save(c.setting, c.settings)
			r.save(c.file, c.text)
			told := r.untilTold(c.file)
			if told.Kind != "hidden" || !told.Quiet || !strings.Contains(told.Reason, c.reason) {
				t.Errorf("%+v", told)
			}
			r.save("b.md", question(2))
			r.until("b.md", answer(2))
			if src, err := os.ReadFile(filepath.Join(r.vault, c.file)); err != nil || string(src) != c.text || runner.runs.Load() != 1 {
				t.Errorf("%d runs, %v: %q", runner.runs.Load(), err, src)
			}
			r.askAnyway(c.file)
			r.until(c.file, answer(1))
		})
	}
}

// Of a page of an outline the block that is a template is told and left, and the others are asked.
func TestTemplateBlock(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner)
	block := "- Meeting\n  template:: meeting\n\t- > @agent-Miner question 1?\n"
	r.save("a.md", block+"- > @agent-Miner question 2?\n")
	if told := r.untilTold("a.md"); told.Kind != "hidden" || told.Line != 3 || !strings.Contains(told.Reason, "line 2 has template:: meeting") {
		t.Errorf("%+v", told)
	}
	r.until("a.md", "answer to question 2?")
	if src, err := os.ReadFile(filepath.Join(r.vault, "a.md")); err != nil || !strings.HasPrefix(string(src), block) || runner.runs.Load() != 1 {
		t.Errorf("%d runs, %v: %q", runner.runs.Load(), err, src)
	}
}

// A note in the middle of a merge waits, says so, and goes on by itself when that is resolved.
func TestConflictWaits(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner, func(c *config.Config) { c.Progress = "note" })
	merged := "a\n<<<<<<< HEAD\n" + question(1) + "=======\n" + question(2) + ">>>>>>> side\nz\n"
	r.save("a.md", merged)
	told := r.untilTold("a.md")
	if told.Kind != "place" || !told.WantsMending() || !strings.Contains(told.Reason, "in the middle of a merge (line 2)") {
		t.Errorf("%+v", told)
	}
	r.save("b.md", question(3))
	r.until("b.md", answer(3))
	if src, err := os.ReadFile(filepath.Join(r.vault, "a.md")); err != nil || string(src) != merged || runner.runs.Load() != 1 {
		t.Errorf("%d runs, %v: %q", runner.runs.Load(), err, src)
	}
	r.save("a.md", "a\n"+question(1)+"z\n")
	r.until("a.md", answer(1))
	if n := runner.runs.Load(); n != 2 {
		t.Errorf("%d runs", n)
	}
	if n := len(r.untaken.Of(filepath.Clean(r.vault), "a.md")); n > 0 {
		t.Errorf("%d lines are not taken up", n)
	}
}

// An answer whose note is in the middle of a merge waits too, and is written when that is resolved.
func TestAnswerWaitsForAConflict(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner)
	merged := question(1) + "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n"
	r.save("a.md", merged)
	r.untilTold("a.md")
	r.askAnyway("a.md")
	for list := r.unfinished(); len(list) != 1 || !list[0].Answered || !strings.Contains(list[0].Error, "in the middle of a merge"); list = r.unfinished() {
		r.pause()
	}
	if src, err := os.ReadFile(filepath.Join(r.vault, "a.md")); err != nil || string(src) != merged {
		t.Errorf("%v: %q", err, src)
	}
	r.save("a.md", question(1)+"ours\n")
	r.until("a.md", answer(1))
	if n := runner.runs.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
}
