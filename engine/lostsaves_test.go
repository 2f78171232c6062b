package engine

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// TestSavesThatAreNotTold: the debounce of Obsidian's plugin Shell commands is one for all notes, so of
// three that are saved within it only the last is told. All three are answered, each once.
func TestSavesThatAreNotTold(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{})
	names := []string{"First.md", "Second.md", "Third.md"}
	for _, name := range names {
		r.save(name, "> @agent-Miner what is in "+name+"\n")
	}
	body := "file=" + url.QueryEscape(filepath.Join(r.vault, names[2])) // what curl --data-urlencode sends
	resp, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/vault-mind/scan", r.port), "application/x-www-form-urlencoded", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the one that is told: %s", resp.Status)
	}
	for _, name := range names {
		if text := r.until(name, "<!-- /agent-response -->"); strings.Count(text, "<!-- agent-response") != 1 {
			t.Errorf("%s: %q", name, text)
		}
	}
}
