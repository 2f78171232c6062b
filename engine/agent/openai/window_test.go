package openai

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/agent"
)

// What a model reads at once is what the user says, or what Ollama says of it: as it is
// loaded, as it is set, or what is usual, never more than the model can.
func TestWindow(t *testing.T) {
	for name, tt := range map[string]struct {
		show, loaded string
		said, want   int
	}{
		"said":           {`{"model_info":{"llama.context_length":2048}}`, `{}`, 8192, 8192},
		"small model":    {`{"model_info":{"general.architecture":"llama","llama.context_length":2048}}`, `{"models":[]}`, 0, 2048},
		"usual":          {`{"model_info":{"qwen3.context_length":262144}}`, `{}`, 0, 4096},
		"set":            {`{"parameters":"stop  \"x\"\nnum_ctx                        16384\n","model_info":{"qwen3.context_length":262144}}`, `{}`, 0, 16384},
		"set beyond":     {`{"parameters":"num_ctx 999999","model_info":{"qwen3.context_length":32768}}`, `{}`, 0, 32768},
		"loaded":         {`{"model_info":{"qwen3.context_length":262144}}`, `{"models":[{"name":"other:7b","context_length":512},{"name":"tiny:latest","context_length":65536}]}`, 0, 65536},
		"another loaded": {`{"model_info":{"qwen3.context_length":262144}}`, `{"models":[{"name":"tiny:7b","context_length":65536}]}`, 0, 4096},
		"nothing said":   {`{}`, `{}`, 0, 4096},
		"no number":      {`{"parameters":"num_ctx many","model_info":{"x.context_length":"much"}}`, `<html>`, 0, 4096},
		"refused":        {``, `{}`, 0, 0},
		"no JSON":        {`<html>`, `{}`, 0, 0},
	} {
		var asked atomic.Int32
		mux := http.NewServeMux()
		mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if body, _ := io.ReadAll(r.Body); string(body) != `{"model":"tiny"}` || r.Header.Get("Authorization") != "" {
				t.Errorf("%s: asked %s with %v", name, body, r.Header)
			}
			if tt.show == "" {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, tt.show)
		})
		mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tt.loaded) })
		s := httptest.NewServer(mux)
		m := Model{Servers: NewServers(), URL: s.URL, KeyVariable: "K", ContextTokens: tt.said, Settings: agent.Settings{Model: "tiny"}}
		for range 2 {
			if got := m.Window(t.Context()); got != tt.want {
				t.Errorf("%s: %d, want %d", name, got, tt.want)
			}
		}
		for key, about := range m.Servers.about {
			about.time = about.time.Add(-aboutAgain)
			m.Servers.about[key] = about
		}
		m.Window(t.Context())
		want := int32(2) // once a minute
		switch {
		case tt.said > 0:
			want = 0
		case tt.want == 0:
			want = 1
		}
		if n := asked.Load(); n != want {
			t.Errorf("%s: asked %d times, want %d", name, n, want)
		}
		s.Close()
		if tt.said == 0 && tt.want != 0 && m.Window(t.Context()) != 0 {
			t.Errorf("%s: a server that is gone says something", name)
		}
	}
	m := Model{Servers: NewServers(), URL: "http://192.0.2.1:11434", Settings: agent.Settings{Model: "tiny"}}
	if got := m.Window(t.Context()); got != 0 || !strings.HasPrefix(m.URL, "http") {
		t.Errorf("a server elsewhere was asked: %d", got)
	}
}
