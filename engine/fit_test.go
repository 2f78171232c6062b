package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
)

// smallOllama is an Ollama whose model reads little at once. It returns its address and
// what the model was sent last.
func smallOllama(t *testing.T, tokens int) (url string, last func() string) {
	var mu sync.Mutex
	var sent string
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"model_info":{"tiny.context_length":%d}}`, tokens)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		mu.Lock()
		sent = ""
		for _, m := range q.Messages {
			sent += m.Content + "\n"
		}
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"model":"tiny","choices":[{"finish_reason":"stop","message":{"content":"An answer of the tiny model, which has a few words."}}]}`)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, func() string { mu.Lock(); defer mu.Unlock(); return sent }
}

// However much there is around a question, in other notes and of earlier ones, its task
// fits into what the model reads at once, and what had to be left out is told.
func TestTasksFitTheirModel(t *testing.T) {
	t.Parallel()
	const tokens = 2048
	url, last := smallOllama(t, tokens)
	r := startEngine(t, t.TempDir(), &gate{}, func(c *config.Config) {
		c.Agents["*"] = config.Agent{Runner: "openai", URL: url, Model: "tiny"}
	})
	cut := func() string {
		s, err := r.Status(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range s.Agents {
			if a.Role == "*" && a.ContextTokens == tokens {
				return a.Cut
			}
		}
		return "not known"
	}
	const answer = "An answer of the tiny model"
	r.save("short.md", "> @agent-Reader what is a plum?\n")
	r.until("short.md", answer)
	if got := cut(); got != "" {
		t.Errorf("nothing was left out, and it says %q", got)
	}
	for i := range 8 {
		name := fmt.Sprintf("n%d.md", i)
		r.save(name, "# Plum\n\n"+strings.Repeat(fmt.Sprintf("The plum %d is a stone fruit. ", i), 40)+fmt.Sprintf("\n\n> @agent-Reader %d: %s plum?\n", i, strings.Repeat("what of the sour ", 20)))
		r.until(name, answer)
		if got := len(last()); got > fit.RoomOf(tokens) {
			t.Errorf("%d bytes were sent, %d fit", got, fit.RoomOf(tokens))
		}
	}
	if got := cut(); !strings.HasPrefix(got, "its last task was cut to fit 2048 tokens: without ") || !strings.Contains(got, " passage") || !strings.Contains(got, " earlier question") {
		t.Errorf("it says %q", got)
	}
	around := strings.Repeat(strings.Repeat("words around it ", 20)+"\n", 25)
	r.save("long.md", around+"just above\n\n> @agent-Reader and the plum?\n\njust below\n"+around)
	r.until("long.md", answer)
	if got := last(); len(got) > fit.RoomOf(tokens) || !strings.Contains(got, "just above") || !strings.Contains(got, "just below") || !strings.Contains(got, "and the plum?") {
		t.Errorf("%d bytes were sent, %d fit:\n%s", len(got), fit.RoomOf(tokens), got)
	}
	if got := cut(); !strings.Contains(got, "without lines around the question") {
		t.Errorf("it says %q", got)
	}
	r.save("huge.md", "> @agent-Reader "+strings.Repeat("what of it ", 1000)+"\n")
	for {
		failed, err := r.journal.List(t.Context(), journal.Filter{Status: journal.Failed})
		if err != nil {
			t.Fatal(err)
		}
		if len(failed) == 1 {
			if want := "the question is too long for the 2048 tokens that its model reads at once (contextTokens of the role)"; !strings.Contains(failed[0].Error, want) {
				t.Errorf("it failed with %q", failed[0].Error)
			}
			break
		}
		r.pause()
	}
}
