package engine

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// hearer answers with what it was told.
type hearer struct{ told chan string }

func (r hearer) Run(_ context.Context, task agent.Task) (agent.Reply, error) {
	r.told <- task.Prompt()
	return agent.Reply{Text: "read"}, nil
}

// A picture that was pasted into a note goes to no agent and into no journal, and neither do comments but for a role that
// is to have them.
func TestContextIsText(t *testing.T) {
	t.Parallel()
	yes := true
	r := hearer{make(chan string, 2)}
	e := startEngine(t, t.TempDir(), r, func(c *config.Config) { c.Agents["Teller"] = config.Agent{Runner: "builtin", Comments: &yes} })
	size := 100_000
	if testing.Short() { // as under the race detector, where two megabytes take minutes
		size /= 4
	}
	picture := "![a cat](data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG\xfe\x01", size))) + ")\n"
	secret := "open\n%%\nSECRET1\n%%\nopen\n<!-- SECRET2 --> seen\n`%% code %%`\n"
	e.save("n.md", "%% SECRET0\n"+strings.Repeat("far away\n\n", 20)+"%%\n"+secret+picture+"\n> @agent-Teller one?\n\n"+picture)
	if told := <-r.told; len(told) > 8000 || !strings.Contains(told, "SECRET1") || !strings.Contains(told, "[a cat](data:image/png[left out: ") {
		t.Errorf("the agent is told %d bytes: %.3000s", len(told), told)
	}
	e.until("n.md", "read")
	e.save("m.md", "%% SECRET0\n"+strings.Repeat("far away\n\n", 20)+"%%\n"+secret+picture+"\n> @agent-Miner two?\n\n"+picture)
	if told := <-r.told; strings.Contains(told, "SECRET") || strings.Count(told, "[left out: a comment]") != 3 || !strings.Contains(told, "seen\n`%% code %%`") {
		t.Errorf("the agent is told %.3000s", told)
	}
	e.until("m.md", "read")
	e.stop() // and closes the swaps, with which the old text of a note is kept, in case a crash asks for it
	db, err := sql.Open("sqlite", filepath.Join(e.state, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var used int
	err = db.QueryRow("SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size").Scan(&used)
	if err != nil || used > len(picture) {
		t.Errorf("the journal holds %d bytes, with a picture of %d, %v", used, len(picture), err)
	}
}

// A picture in the question's own line goes to no agent either, and into the journal once, as the line: that is found, written and
// undone to the byte.
func TestPictureInAQuestion(t *testing.T) {
	t.Parallel()
	r := hearer{make(chan string, 2)}
	e := startEngine(t, t.TempDir(), r)
	const size = 20_000
	picture := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG\xfe\x01", size)))
	asked := "before\n\n> @agent-Miner what is on ![a cat](data:image/png;base64," + picture + ") here?\n\nafter\n"
	e.save("n.md", asked)
	if told := <-r.told; len(told) > 8000 || !strings.Contains(told, fmt.Sprintf("what is on ![a cat](data:image/png[left out: %d bytes]) here?", len(picture))) {
		t.Errorf("the agent is told %d bytes: %.3000s", len(told), told)
	}
	if got := e.until("n.md", "read"); strings.Contains(got, "base64") || !strings.HasPrefix(got, "before\n\n<!-- agent-response -->\n") {
		t.Errorf("%.300q", got)
	}
	e.rest()
	d := e.only()
	if m := d.Markers[0]; len(m.Text) < len(picture) || len(m.Instruction)+len(m.Context)+len(m.Upper)+len(m.Lower)+len(d.Task) > 8000 {
		t.Errorf("kept are a line of %d bytes, an instruction of %d and a task of %d", len(m.Text), len(m.Instruction), len(d.Task))
	}
	if _, err := e.Undo(t.Context(), d.ID); err != nil {
		t.Error(err)
	}
	if got := e.until("n.md", "@agent-Miner"); got != asked {
		t.Errorf("%d bytes are back, want %d", len(got), len(asked))
	}
	if _, err := e.Ask(t.Context(), e.Roots()[0], api.AskRequest{Question: "what is ![](data:image/png;base64," + picture[:4000] + ")?", Role: "Miner", File: "n.md", Append: true}); err != nil {
		t.Error(err)
	}
	if told := <-r.told; !strings.Contains(told, "what is ![](data:image/png[left out: 4000 bytes])?") {
		t.Errorf("the agent is told %.3000s", told)
	}
	e.until("n.md", picture[:4000]) // what is added is the question as it was asked
}
