package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/testdata/testmain"
)

// soughtAhead are the questions that are searched for before they start.
func (r *running) soughtAhead() (queries []string) {
	a := &r.starts.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range a.list {
		queries = append(queries, n.query)
	}
	return queries
}

// untilAhead waits until nothing but one question is searched for, or none.
func (r *running) untilAhead(question string) {
	r.t.Helper()
	for got := r.soughtAhead(); len(got) > 1 || len(got) == 0 != (question == "") || !strings.Contains(strings.Join(got, ""), question); got = r.soughtAhead() {
		r.pause()
	}
}

// What is searched for before a question has settled is that question as it is: an edited, deleted, scheduled or held one is
// dropped, and one of an agent that gets no passages is never searched for.
func TestSearchAheadFollowsTheQuestion(t *testing.T) {
	t.Parallel()
	r := startMet(t, t.TempDir(), nil, func(c *config.Config) {
		c.Settle, c.Limits.PerNote = time.Hour, 1
		c.Agents["Writer"] = config.Agent{Runner: "openai", URL: "http://127.0.0.1:1/v1", Model: "m"}
	})
	const asked = "# Plan\n\n> @agent-Writer where is the %s?\n\nend\n"
	for _, s := range []struct{ text, question string }{
		{fmt.Sprintf(asked, "lantern"), "lantern"},
		{fmt.Sprintf(asked, "boat"), "boat"},
		{"# Plan\n\n> @agent-Writer every Monday at 8:00: where is the boat?\n\nend\n", ""},
		{fmt.Sprintf(asked, "oar"), "oar"},
		{fmt.Sprintf(asked, "oar") + "\n> @agent-Writer:b where is the sail?\n\nand\n", ""}, // more than a note may have
		{fmt.Sprintf(asked, "net"), "net"},
		{"# Plan\n\n> @agent-Miner where is the net?\n\nend\n", ""},
		{fmt.Sprintf(asked, "tide"), "tide"},
		{"# Plan\n\nend\n", ""},
	} {
		r.save("a.md", s.text)
		r.untilAhead(s.question)
	}
}

// What was found ahead goes to the agent, and nothing is left of it.
func TestSearchAheadIsTold(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits until a question has settled")
	texts := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.HasSuffix(q.URL.Path, "/completions") { // it is asked about the model first
			http.NotFound(w, q)
			return
		}
		text, _ := io.ReadAll(q.Body)
		texts <- string(text)
		fmt.Fprint(w, `{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"In the shed."}}]}`)
	}))
	defer server.Close()
	r := startMet(t, t.TempDir(), nil, func(c *config.Config) {
		c.Settle = time.Second
		c.Agents["Writer"] = config.Agent{Runner: "openai", URL: server.URL + "/v1", Model: "m"}
	})
	r.save("Shed.md", "# Shed\n\nThe lantern hangs behind the door.\n")
	r.save("a.md", "> @agent-Writer where is the lantern?\n\nend\n")
	r.untilAhead("lantern")
	r.until("a.md", "In the shed.")
	if told := <-texts; !strings.Contains(told, "hangs behind the door") {
		t.Errorf("the agent is told %s", told)
	}
	r.untilAhead("")
}

// What was found counts only while the index is as it was.
func TestSearchAheadIsAsTheIndex(t *testing.T) {
	t.Parallel()
	r := startMet(t, t.TempDir(), nil)
	r.save("Shed.md", "# Shed\n\nThe lantern hangs behind the door.\n")
	for len(r.found("lantern")) == 0 {
		r.pause()
	}
	v := r.vaults[0]
	seek := func() *seeking {
		n := &seeking{root: v.Root, rel: "a.md", query: "where is the lantern", done: make(chan struct{})}
		r.starts.seekAt(t.Context(), v, n, time.Now())
		<-n.done
		return n
	}
	first := seek()
	if first.found == nil || !first.mayServe() {
		t.Fatal("nothing was found")
	}
	if got, err := r.starts.ahead.take(t.Context(), v.AwaitDisk(), "a.md", first.query); err != nil || got != first.found {
		t.Errorf("the agent is told %v, %v, not what was found", got, err)
	}
	second := seek()
	r.save("Boat.md", "# Boat\n\nAnother lantern is below the bench.\n")
	for len(r.found("bench")) == 0 {
		r.pause()
	}
	got, err := r.starts.ahead.take(t.Context(), v.AwaitDisk(), "a.md", second.query)
	if err != nil || got == second.found {
		t.Fatalf("the agent is told what was found before a note was saved, %v", err)
	}
	list, err := got.Read(t.Context(), recall.RelatedOptions{})
	if err != nil || !slices.ContainsFunc(list, func(p recall.Related) bool { return p.Note == "Boat.md" }) {
		t.Errorf("the agent is told %+v, %v", list, err)
	}
}
