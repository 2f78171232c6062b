package broadcast

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

// keepAnswered takes a question to its end in a journal.
func keepAnswered(t *testing.T, j *journal.Journal, root string, d journal.Dispatch, runner, question, answer string) {
	t.Helper()
	text := "> @agent-" + d.Role + " " + question
	d.Vault, d.Key, d.Status = root, strings.ToLower("agent-"+d.Role), journal.Queued
	d.Markers = []journal.Marker{{Trace: note.Trace{Text: text}, Instruction: question}}
	d, ok, err := j.Accept(t.Context(), d, map[string]int{text: 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := j.Start(t.Context(), d.ID, runner, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := j.RecordAnswers(t.Context(), d.ID, []string{answer}); err != nil {
		t.Fatal(err)
	}
	if err := j.RecordWritten(t.Context(), d.ID, []int{0}, [32]byte{1}); err != nil {
		t.Fatal(err)
	}
}

// Questions that were asked in a note before are among its questions with their answers, as far as these still
// stand there and everybody may read them.
func TestAskedBefore(t *testing.T) {
	root := t.TempDir()
	block := func(text string) string { return "<!-- agent-response -->\n" + text + "\n<!-- /agent-response -->\n\n" }
	talk := "# Talk\n\n" + block("| a |\n| - |\n\nThe backups run every night at two. They are kept for **ninety** days.") + "## Who looks after them?\n\nMarek does so on Sundays.\n\n" +
		block("> They lie in the office safe.") + block("A poem of the night was written.") + block("The code is one two three.") + block("Made of many notes at once.")
	for name, text := range map[string]string{"Talk.md": talk, "Other.md": "# Other\n\n" + block("Elsewhere it was answered as well.")} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	in := func(file, role string) journal.Dispatch { return journal.Dispatch{File: file, Role: role} }
	keepAnswered(t, j, root, in("Talk.md", "Miner"), "builtin", "When do the backups run?", "| a |\n| - |\n\nThe backups run every night at two. They are kept for **ninety** days.")
	keepAnswered(t, j, root, in("Talk.md", "Editor"), "claude", "where do they lie", "They lie in the office safe.")
	keepAnswered(t, j, root, in("Talk.md", "Editor"), "claude", "write a poem", "A poem of the night was written.")
	keepAnswered(t, j, root, in("Talk.md", "Miner"), "builtin", "What was taken back?", "This answer stands there no more.")
	keepAnswered(t, j, root, in("Talk.md", "Secret"), "builtin", "What is the code?", "The code is one two three.")
	keepAnswered(t, j, root, in("Talk.md", "Broadcaster"), "broadcast", "What is made of it?", "Made of many notes at once.")
	keepAnswered(t, j, root, in("Other.md", "Miner"), "builtin", "What was asked elsewhere?", "Elsewhere it was answered as well.")

	c := openVault(t, root)
	c.port.Journal = j
	c.port.MayTell = func(x journal.Exchange) bool { return x.Role != "Secret" }
	made := func(bounds config.History, taskID string) string {
		t.Helper()
		c.port.History = func(string) config.History { return bounds }
		reply, err := c.Run(t.Context(), agent.Task{Root: root, Role: "Broadcaster", TaskID: taskID, Note: "Asking.md", Requests: []agent.Request{{Line: 1, Instruction: "faq of [[Talk]]"}}})
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(reply.Text, "**Nothing was made.**") {
			return ""
		}
		return readFile(t, root, "Agent/Presentations/talk-faq.md")
	}
	text := made(config.History{Scope: config.HistoryVault, Bytes: 8192}, "")
	for _, want := range []string{"## Who looks after them?\n\nMarek does", "## When do the backups run?\n\n*Asked on ", "The backups run every night at two. ([[Talk|1]])\n\nThey are kept for **ninety** days. ([[Talk|1]])",
		"## where do they lie\n\n*Asked", "They lie in the office safe. (", "an agent may have written the answer"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, no := range []string{"poem", "taken back", "no more", "code", "made of it", "elsewhere", "no model"} {
		if strings.Contains(text, no) {
			t.Errorf("%q is in\n%s", no, text)
		}
	}
	for _, bounds := range []config.History{{Scope: config.HistoryNone, Bytes: 8192}, {Scope: config.HistoryThread, Bytes: 8192}, {Scope: config.HistoryNote, Bytes: 8192}, {Scope: config.HistoryVault}} {
		if text := made(bounds, ""); text != "" {
			t.Errorf("%+v makes\n%s", bounds, text)
		}
	}
	if text := made(config.History{Scope: config.HistoryVault, Bytes: 8192}, "Plan"); text != "" {
		t.Errorf("a thread makes\n%s", text)
	}
}
