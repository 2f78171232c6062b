package engine

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/testseed"
)

var privateRounds = flag.Int("engine.private", 50, "questions of the test that nothing private leaves")

// listener is a model server that keeps what each model was sent. A model that stays
// answers with a secret, one that leaves with what is none.
type listener struct {
	mu     sync.Mutex
	sent   map[string][]string // by model
	secret string              // of the next answer that stays
	open   string              // of the next one that leaves
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Model    string
		Messages []struct{ Content string }
	}
	if json.NewDecoder(r.Body).Decode(&q) != nil || len(q.Messages) == 0 {
		http.NotFound(w, r)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	text := ""
	for _, m := range q.Messages {
		text += m.Content + "\n"
	}
	l.sent[q.Model] = append(l.sent[q.Model], text)
	answer := l.secret
	if strings.HasSuffix(q.Model, ":cloud") {
		answer = l.open
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"model": q.Model, "choices": []any{
		map[string]any{"finish_reason": "stop", "message": map[string]any{"content": "The plum says " + answer}}}})
}

func (l *listener) last(model string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent[model][len(l.sent[model])-1]
}

// Whoever is asked where, and whatever is moved among private notes meanwhile, a model that
// leaves the machine is sent nothing that private notes say or were asked, nothing that one
// which stays has answered or the Miner has quoted of them, and nothing that a private role
// was asked.
func TestNothingPrivateLeaves(t *testing.T) {
	t.Parallel()
	rounds := *privateRounds
	if testing.Short() {
		rounds = min(rounds, 12)
	}
	seed := testseed.Take(t)
	dice := rand.New(rand.NewPCG(seed, 3))
	l := &listener{sent: make(map[string][]string)}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "vault", "Journal"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, nil, func(c *config.Config) {
		c.Private, c.History.Bytes = []string{"Journal/**"}, 64<<10
		c.Untrusted = nil
		c.Agents["Hosted"] = config.Agent{Runner: "openai", URL: server.URL, Model: "h:cloud"}
		c.Agents["Doctor"] = config.Agent{Runner: "openai", URL: server.URL, Model: "d:cloud", Private: true}
		c.Agents["Here"] = config.Agent{Runner: "openai", URL: server.URL, Model: "here"}
	})
	tokens := 0
	token := func() string { tokens++; return fmt.Sprintf("zq%dqz", tokens) }
	secrets := make(map[string]bool)
	public := make(map[string][]string) // what stands in public notes that may still be moved, by note
	checked, held := 0, 0
	for n := range rounds {
		role := []string{"Hosted", "Hosted", "Doctor", "Here", "Miner"}[dice.IntN(5)]
		private := dice.IntN(3) == 0 && (role == "Here" || role == "Miner")
		asked, text := token(), token()
		l.mu.Lock()
		l.secret, l.open = token(), token()
		secret, open := l.secret, l.open
		l.mu.Unlock()
		name := fmt.Sprintf("n%d.md", n)
		if private {
			name = "Journal/" + name
		}
		r.save(name, fmt.Sprintf("# Plum\n\nThe plum has %s.\n\n> @agent-%s what of the plum %s?\n", text, role, asked))
		r.until(name, "<!-- /agent-response -->")
		own := map[string]bool{asked: true}
		for _, model := range []string{"h:cloud", "d:cloud"} {
			if role != map[string]string{"h:cloud": "Hosted", "d:cloud": "Doctor"}[model] {
				continue
			}
			checked++
			for s := range secrets {
				if strings.Contains(l.last(model), s) && !own[s] {
					t.Fatalf("seed %d, round %d: %s was sent the secret %s:\n%s", seed, n, model, s, l.last(model))
				}
			}
			held += strings.Count(l.last(model), "The plum says ")
		}
		switch {
		case private:
			secrets[asked], secrets[text], secrets[secret] = true, true, true
		case role == "Here":
			secrets[secret] = true
			public[name] = []string{asked, text}
		case role == "Doctor":
			secrets[asked], secrets[open] = true, true
			public[name] = []string{text}
		case role == "Hosted":
			public[name] = []string{asked, text, open}
		default:
			public[name] = []string{asked, text}
		}
		if role == "Here" {
			secrets[asked] = true // its answer may not be told, nor what it answers
		}
		if names := slices.Sorted(maps.Keys(public)); len(names) > 0 && dice.IntN(4) == 0 {
			moved := names[dice.IntN(len(names))]
			for _, s := range public[moved] {
				secrets[s] = true
			}
			delete(public, moved)
			if err := os.Rename(filepath.Join(r.vault, moved), filepath.Join(r.vault, "Journal", moved)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("seed: %d", seed)
	t.Logf("count: %d questions, %d of them to agents that leave, which were told %d earlier answers and none of %d secrets", rounds, checked, held, len(secrets))
	if checked == 0 || held == 0 || len(secrets) == 0 {
		t.Error("nothing was tried")
	}
}
