package templates

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
	"vaultdispatcher/engine/patience"
)

func write(t *testing.T, root, rel, text string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(rel))
	for _, err := range []error{os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

const (
	core      = ".obsidian/templates.json"
	templater = ".obsidian/plugins/templater-obsidian/data.json"
	quickAdd  = ".obsidian/plugins/quickadd/data.json"
	daily     = ".obsidian/daily-notes.json"
	unique    = ".obsidian/zk-prefixer.json"
	composer  = ".obsidian/note-composer.json"
	periodic  = ".obsidian/plugins/periodic-notes/data.json"
	navigator = ".obsidian/plugins/notebook-navigator/data.json"
	journals  = ".obsidian/plugins/journals/data.json"
	copilot   = ".obsidian/plugins/copilot/data.json"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ file, text, note, want string }{
		{core, `{"folder": "00 Meta/04 templates"}`, "00 Meta/04 templates/Daily.md", "00 Meta/04 templates"},
		{core, `{"folder": "00 Meta/04 templates"}`, "00 Meta/04 templates/deep/er/Daily.md", "00 Meta/04 templates"},
		{core, `{"folder": "00 Meta/04 templates"}`, "00 Meta/Daily.md", ""},
		{core, `{"folder": "Vorlagen"}`, "Vorlagen 2/Daily.md", ""},
		{core, `{"folder": "Vorlagen"}`, "Vorlagen.md", ""},
		{core, `{"folder": "Vorlagen"}`, "Archiv/Vorlagen/a.md", ""},
		{core, "\ufeff{\"folder\": \"/Extras/Templates/\", \"dateFormat\": \"\"}", "Extras/Templates/a.md", "Extras/Templates"},
		{core, `{"folder": "Extras\\Templates"}`, "Extras/Templates/a.md", "Extras/Templates"},
		{core, `{"folder": "extras/templates"}`, "Extras/Templates/a.md", "extras/templates"},
		{core, `{"folder": "Bu\u0308ro"}`, "B\u00fcro/a.md", "Bu\u0308ro"},
		{core, `{"folder": "./Templates"}`, "Templates/a.md", "Templates"},
		{core, `{"folder": "a/../b"}`, "b/a.md", "b"},
		{templater, `{"data_version": 2, "templates_folder": "_templates", "templates_pairs": [["", ""]]}`, "_templates/a.md", "_templates"},
		{templater, `{"template_folder": "_templates"}`, "_templates/a.md", "_templates"},
		{templater, `{"templates_folder": "", "user_scripts_folder": "Scripts"}`, "Scripts/a.md", ""},
		{quickAdd, `{"choices": [], "templateFolderPath": "QA"}`, "QA/a.md", "QA"},
		{quickAdd, `{"templateFolderPaths": ["", "QA", "More/T"]}`, "More/T/a.md", "More/T"},
		{quickAdd, `{"templateFolderPaths": []}`, "a.md", ""},
		{quickAdd, `{"choices": [{"choices": [{"type": "Template", "templatePath": "QA/Meeting.md"}]}]}`, "QA/Meeting.md", "QA/Meeting.md"},
		{templater, `{"folder_templates": [{"folder": "Log", "template": "T/Log.md"}]}`, "T/Log.md", "T/Log.md"},
		{templater, `{"folder_templates": [{"folder": "Log", "template": "T/Log.md"}]}`, "Log/a.md", ""},
		{templater, `{"startup_templates": ["T/Start"], "enabled_templates_hotkeys": [""]}`, "T/Start.md", "T/Start"},
		{daily, `{"folder": "Journal", "template": "Meta/Daily"}`, "Meta/Daily.md", "Meta/Daily"},
		{daily, `{"template": "Meta/Daily.md"}`, "meta/daily.md", "Meta/Daily.md"},
		{daily, `{"folder": "Journal", "template": "Meta/Daily"}`, "Journal/2026-01-01.md", ""},
		{daily, `{"template": "Meta/Daily"}`, "Meta/Daily/a.md", ""},
		{daily, `{"template": "Meta/Daily"}`, "Daily.md", ""},
		{daily, `{"template": "Daily"}`, "Meta/Templates/Daily.md", "Daily"}, // a link leaves folders out
		{daily, `{"template": "Templates/Daily.md"}`, "Meta/Templates/Daily.md", "Templates/Daily.md"},
		{daily, `{"template": "Daily"}`, "Meta/My Daily.md", ""},
		{daily, `{"template": "Daily"}`, "Daily/a.md", ""},
		{daily, `{"template": "Meta/v1.2 Daily"}`, "Meta/v1.2 Daily.md", "Meta/v1.2 Daily"},
		{unique, `{"folder": "Inbox", "template": "T/Zettel"}`, "T/Zettel.md", "T/Zettel"},
		{composer, `{"template": "T/Split"}`, "T/Split.md", "T/Split"},
		{periodic, `{"daily": {"template": "T/Day"}, "weekly": {"template": "T/Week", "enabled": true}}`, "T/Week.md", "T/Week"},
		{periodic, `{"calendarSets": [{"id": "a", "day": {"templatePath": "T/Day.md"}}]}`, "T/Day.md", "T/Day.md"},
		{navigator, `{"calendarTemplateFolder": "T", "calendarCustomWeekTemplate": null}`, "T/a.md", "T"},
		{navigator, `{"calendarCustomWeekTemplate": "T/Week.md"}`, "T/Week.md", "T/Week.md"},
		{journals, `{"journals": {"x": {"folder": "J", "templates": ["T/Day"]}}}`, "T/Day.md", "T/Day"},
		{copilot, `{"customPromptsFolder": "copilot/prompts"}`, "copilot/prompts/Sum.md", "copilot/prompts"},
		{copilot, `{"copilotFolder": "ai"}`, "ai/copilot-custom-prompts/Sum.md", "ai/copilot-custom-prompts"},
		{copilot, `{"copilotFolder": "ai"}`, "ai/copilot-conversations/a.md", ""},

		{core, `{"folder": ""}`, "a/b.md", ""},
		{daily, `{"template": ""}`, ".md", ""},
		{daily, `{"template": "../Daily"}`, "Daily.md", ""},
		{core, `{"folder": " "}`, "a/b.md", ""},
		{core, `{"folder": "/"}`, "a/b.md", ""},
		{core, `{"folder": "."}`, "a/b.md", ""},
		{core, `{"folder": "./"}`, "a/b.md", ""},
		{core, `{"folder": ".."}`, "a/b.md", ""},
		{core, `{"folder": "../a"}`, "a/b.md", ""},
		{core, `{"folder": "a/../.."}`, "a/b.md", ""},
		{core, `{"folder": "C:\\Notes\\a"}`, "Notes/a/b.md", ""},
		{core, `{"folder": null}`, "a/b.md", ""},
		{core, `{"folder": 5}`, "5/b.md", ""},
		{core, `{"folder": {"a": "b"}}`, "a/b.md", ""},
		{core, `{"Folder": ["a"`, "a/b.md", ""},
		{core, `["a"]`, "a/b.md", ""},
		{core, ``, "a/b.md", ""},
		{core, `null`, "a/b.md", ""},
		{".obsidian/app.json", `{"folder": "a"}`, "a/b.md", ""},
	} {
		root := t.TempDir()
		write(t, root, c.file, c.text)
		got, ok := New(root).Of(c.note)
		if ok != (c.want != "") || got.Path != c.want || ok && got.Setting != c.file {
			t.Errorf("%s %s: %s is in %+v, want %q", c.file, c.text, c.note, got, c.want)
		}
	}
}

// A template that is where its path says is that one alone, and no other note of its name.
func TestTemplateIsNoLink(t *testing.T) {
	root := t.TempDir()
	write(t, root, daily, `{"template": "Daily"}`)
	write(t, root, unique, `{"template": "T/Zettel.md"}`)
	write(t, root, "Daily.md", "x")
	write(t, root, "T/Zettel.md", "x")
	f := New(root)
	for rel, want := range map[string]bool{"Daily.md": true, "Journal/Daily.md": false, "T/Zettel.md": true, "Old/T/Zettel.md": false} {
		if _, is := f.Of(rel); is != want {
			t.Errorf("%s is a template: %v", rel, is)
		}
	}
}

// A change of the settings counts at once; half a file changes nothing.
func TestChanges(t *testing.T) {
	root := t.TempDir()
	f := New(root)
	is := func(want bool) {
		t.Helper()
		if _, got := f.Of("T/a.md"); got != want {
			t.Errorf("it is a template: %v", got)
		}
	}
	is(false)
	write(t, root, core, `{"folder": "T"}`)
	is(true)
	write(t, root, core, `{"folder":`)
	is(true)
	write(t, root, core, `{"folder": "Templates"}`)
	is(false)
	write(t, root, quickAdd, `{"templateFolderPaths": ["T"]}`)
	is(true)
	if err := os.RemoveAll(filepath.Join(root, ".obsidian")); err != nil {
		t.Fatal(err)
	}
	is(false)
	if err := os.MkdirAll(filepath.Join(root, core), 0o700); err != nil { // a folder in the place of the file
		t.Fatal(err)
	}
	is(false)
}

// A disk that hangs holds up one call for a while and then none, and what was known counts.
func TestDiskHangs(t *testing.T) {
	root := t.TempDir()
	write(t, root, core, `{"folder": "T"}`)
	synctest.Test(t, func(t *testing.T) {
		f := New(root)
		if _, ok := f.Of("T/a.md"); !ok {
			t.Fatal("it is no template")
		}
		answer := make(chan struct{})
		f.look = func(string) (fs.FileInfo, error) { <-answer; return nil, fs.ErrNotExist }
		begun := time.Now()
		for range 100 {
			if _, ok := f.Of("T/a.md"); !ok {
				t.Error("what was known is forgotten")
			}
		}
		if took := time.Since(begun); took > patience.DiskTime {
			t.Errorf("it took %s", took)
		}
		close(answer)
		synctest.Wait()
		if _, ok := f.Of("T/a.md"); ok {
			t.Error("what the disk says now does not count")
		}
	})
}
