//go:build realagents

package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
)

// seek is how a program reads a file, and how it looks for a text in all of them; the
// place of the path is marked.
var seek = map[string][]string{
	"claude": {`Read {"file_path":"PATH"}`, `Grep {"pattern":"PLANTED","output_mode":"content","path":"PATH"}`,
		`Grep {"pattern":"PLANTED","output_mode":"content","path":"ROOT","glob":"NAME"}`, `Grep {"pattern":"PLANTED","output_mode":"content"}`},
	"codex":    {`exec_command {"cmd":"cat 'PATH'; grep -rs PLANTED 'ROOT'"}`},
	"gemini":   {`read_file {"file_path":"PATH"}`, `grep_search {"pattern":"PLANTED","dir_path":"ROOT"}`, `read_many_files {"include":["PATH"]}`},
	"opencode": {`read {"filePath":"PATH"}`, `grep {"pattern":"PLANTED","path":"ROOT"}`, `glob {"pattern":"**/*","path":"PATH"}`},
	"qwen":     {`read_file {"file_path":"PATH"}`, `grep_search {"pattern":"PLANTED","path":"ROOT","glob":"NAME"}`},
	"pi": {`read {"path":"PATH"}`, `read {"path":"@PATH"}`, `grep {"pattern":"PLANTED","path":"PATH"}`,
		`grep {"pattern":"PLANTED","glob":"NAME"}`, `grep {"pattern":"PLANTED|PLAIN"}`},
}

// TestRealHiddenStay: an agent that reads is shown the notes of the vault, and neither
// what is hidden in it nor what a link leads to outside, whatever it asks.
func TestRealHiddenStay(t *testing.T) {
	readers := slices.DeleteFunc(presetNames(), func(name string) bool { return name == "copilot" }) // which has no tools
	with(t, readers, func(t *testing.T, w world) {
		outside := t.TempDir()
		for _, path := range []string{
			filepath.Join(w.root, ".obsidian", "data.json"), filepath.Join(w.root, ".env"), filepath.Join(w.root, "sub", ".draft.md"),
			filepath.Join(w.root, "sub", ".git", "config"), filepath.Join(outside, "secret.md"), filepath.Join(outside, "more", "deep.md"),
		} {
			plant(t, path, "PLANTED in "+filepath.Base(path))
		}
		plant(t, filepath.Join(w.root, "sub", "Note.md"), "PLAIN SIGHT")
		for name, target := range map[string]string{"out.md": filepath.Join(outside, "secret.md"), "outside": outside,
			"settings": ".obsidian", "plain.md": ".env"} {
			if err := os.Symlink(target, filepath.Join(w.root, name)); err != nil {
				t.Fatal(err)
			}
		}
		r := w.runner(t, agent.Settings{Tools: agent.ToolsRead})
		reply, err := r.Run(t.Context(), w.task(nil, "{{CALLTOOL "+w.fill(seek[w.preset][0], "sub/Note.md")+"}}"))
		if err != nil || !strings.Contains(reply.Text, "PLAIN SIGHT") {
			t.Fatalf("a note of the vault: %q, %v", reply.Text, err)
		}
		for i, path := range []string{".env", ".obsidian/data.json", "sub/.draft.md", "sub/.git/config", "out.md", "outside/more/deep.md",
			"settings/data.json", "plain.md", "sub/../.env", "../" + filepath.Base(outside) + "/secret.md"} {
			tools := seek[w.preset]
			if i > 0 {
				tools = tools[:1] // the rest once: every run takes seconds
			}
			for _, tool := range tools {
				reply, err := r.Run(t.Context(), w.task(nil, "{{CALLTOOL "+w.fill(tool, path)+"}}"))
				if strings.Contains(reply.Text, "PLANTED in") {
					t.Errorf("%s of %s was shown: %q", tool, path, reply.Text)
				}
				t.Logf("%s of %s: %.200q, %v", tool, path, reply.Text, err)
			}
		}
		if _, err := r.Run(t.Context(), w.task(nil, "Look at @"+w.root+"/.obsidian/data.json and @.env {{SAY hm}}")); err != nil {
			t.Error(err)
		}
		for _, c := range w.model.Calls() {
			for _, turn := range c.Turns {
				if strings.Contains(turn.Text, "PLANTED in") {
					t.Errorf("the model saw %.300q", turn.Text)
				}
			}
		}
	})
}

// fill puts a path of the vault into the call of a tool.
func (w world) fill(tool, path string) string {
	return strings.NewReplacer("PATH", w.root+"/"+path, "NAME", filepath.Base(path), "ROOT", w.root).Replace(tool)
}

func plant(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
