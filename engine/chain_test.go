package engine

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/testdata/fewer"
)

// In a chain the answer before goes to no agent that leaves the machine where a note that it was
// made of has become private while it was made.
func TestChainKeepsWhatBecamePrivate(t *testing.T) {
	t.Parallel()
	for name, tt := range fewer.Named(map[string]struct {
		from, to string
		told     bool
	}{
		"nothing moved":             {"", "", true},
		"a source moved":            {"Plum.md", "Journal/Plum.md", false},
		"another note moved":        {"Pear.md", "Journal/Pear.md", true},
		"a source moved, all stays": {"Plum.md", "Journal/Plum.md", true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			vault := filepath.Join(dir, "vault")
			if err := os.MkdirAll(filepath.Join(vault, "Journal"), 0o700); err != nil {
				t.Fatal(err)
			}
			l := &listener{sent: make(map[string][]string), secret: "zqoneqz", open: "zqoneqz"}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if l.ServeHTTP(w, r); tt.from != "" && l.has("one:cloud") && !l.has("two") && !l.has("two:cloud") {
					if err := os.Rename(filepath.Join(vault, tt.from), filepath.Join(vault, tt.to)); err != nil {
						t.Error(err)
					}
				}
			}))
			t.Cleanup(server.Close)
			second := "two:cloud"
			if strings.HasSuffix(name, "stays") {
				second = "two"
			}
			r := startEngine(t, dir, nil, func(c *config.Config) {
				c.Private, c.Dispatch.Mode, c.History.Bytes = []string{"Journal/**"}, dispatch.Chain, 0
				c.Agents["One"] = config.Agent{Runner: "openai", URL: server.URL, Model: "one:cloud"}
				c.Agents["Two"] = config.Agent{Runner: "openai", URL: server.URL, Model: second}
			})
			r.save("Plum.md", "# Plum\n\nThe plum is ripe.\n")
			r.save("Pear.md", "# Pear\n\nNothing.\n")
			for r.vaults[0].Catalog.State().Notes < 2 {
				r.pause()
			}
			r.save("n.md", "> @agent-One what of the plum?\n\ntext\n\n> @agent-Two and then?\n")
			for !l.has(second) {
				r.pause()
			}
			if sent := l.last("one:cloud"); !strings.Contains(sent, "plum is ripe") {
				t.Errorf("the first was asked without the passage:\n%s", sent)
			}
			if sent := l.last(second); strings.Contains(sent, "zqoneqz") != tt.told {
				t.Errorf("the second was sent:\n%s", sent)
			}
		})
	}
}

func (l *listener) has(model string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sent[model]) > 0
}
