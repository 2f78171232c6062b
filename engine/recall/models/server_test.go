package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/recall/embed"
)

// server answers as handle says and remembers what it was asked.
type server struct {
	*httptest.Server
	mu     sync.Mutex // guards asked
	asked  [][]string
	bodies []string
}

func serve(t *testing.T, handle func(w http.ResponseWriter, path string, texts []string)) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct{ Input []string }
		_ = json.Unmarshal(body, &q) // an empty list fails the test
		s.mu.Lock()
		s.asked, s.bodies = append(s.asked, q.Input), append(s.bodies, string(body))
		s.mu.Unlock()
		handle(w, r.URL.Path, q.Input)
	}))
	t.Cleanup(s.Close)
	return s
}

// good answers in the dialect of the path; the vector of a text is its length
// and 1.
func good(w http.ResponseWriter, path string, texts []string) {
	var vectors [][]float32
	type item struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var items []item
	for i, text := range texts {
		v := []float32{float32(len(text)), 1}
		vectors, items = append(vectors, v), append([]item{{i, v}}, items...) // in the wrong order
	}
	if path == "/api/embed" {
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": items})
}

func embedder(t *testing.T, opts Options) embed.Embedder {
	t.Helper()
	e, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRemote(t *testing.T) {
	for _, c := range []struct{ provider, suffix, path string }{
		{"ollama", "", "/api/embed"}, {"ollama", "/v1", "/api/embed"}, {"ollama", "/v1/", "/api/embed"},
		{"openai", "/v1/", "/v1/embeddings"}, {"openai", "", "/v1/embeddings"}, {"openai", "/v1", "/v1/embeddings"}, {"openai", "/", "/v1/embeddings"},
	} {
		t.Run(c.provider+c.suffix, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, path string, texts []string) {
				if path != c.path {
					t.Errorf("asked %s", path)
				}
				good(w, path, texts)
			})
			e := embedder(t, Options{Provider: c.provider, Model: "nomic-embed-text", URL: s.URL + c.suffix, Batch: 2})
			docs := []embed.Doc{{Title: "T", Text: "a"}, {Text: "bbb"}, {Text: "ccccc"}}
			got, err := e.Documents(t.Context(), docs)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range []string{"search_document: T\na", "search_document: bbb", "search_document: ccccc"} {
				want := []float32{float32(len(text)), 1}
				if err := normalizeVector(want, 2); err != nil {
					t.Fatal(err)
				}
				if fmt.Sprint(got[i]) != fmt.Sprint(want) {
					t.Errorf("vector %d is %v, want %v", i, got[i], want)
				}
			}
			if len(s.asked) != 2 || len(s.asked[0]) != 2 {
				t.Errorf("3 passages in batches of 2 were asked as %v", s.asked)
			}
			if _, err := e.Query(t.Context(), "q"); err != nil {
				t.Fatal(err)
			}
			if last := s.asked[len(s.asked)-1]; last[0] != "search_query: q" {
				t.Errorf("the query was sent as %q", last)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	var key string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key = r.Header.Get("Authorization")
		good(w, r.URL.Path, []string{"x"})
	}))
	defer s.Close()
	e := embedder(t, Options{Provider: "openai", Model: "m", URL: s.URL, Key: "secret"})
	if _, err := e.Query(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if key != "Bearer secret" {
		t.Errorf("the key was sent as %q", key)
	}
	if strings.Contains(e.Fingerprint(), "secret") {
		t.Error("the fingerprint holds the key")
	}
}

// TestFailures holds every failure to one clear sentence with a next step.
func TestFailures(t *testing.T) {
	status := func(code int, body string) func(http.ResponseWriter, string, []string) {
		return func(w http.ResponseWriter, _ string, _ []string) {
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	say := func(body string) func(http.ResponseWriter, string, []string) { return status(200, body) }
	for _, c := range []struct {
		name, provider string
		handle         func(http.ResponseWriter, string, []string)
		want           string
		lasting        bool
	}{
		{"no model", "ollama", status(404, `{"error":"model \"m\" not found, try pulling it first"}`), `does not have the model "m": model "m" not found, try pulling it first; fetch it with: ollama pull m`, true},
		{"no such path", "ollama", status(404, "404 page not found"), "has no /api/embed; check wiki.embedding.url", true},
		{"a page", "openai", status(404, "<html>no</html>"), "has no /v1/embeddings; check", true},
		{"no key", "openai", status(401, `{"error":{"message":"Incorrect API key provided."}}`), "wants another key (401: Incorrect API key provided); name the environment variable", true},
		{"server error", "ollama", status(500, `{"error":"failed to encode response: json: unsupported value: NaN"}`), "failed (500: failed to encode response: json: unsupported value: NaN); its own log", false},
		{"too many", "openai", status(429, `{"error":{"message":"slow down"}}`), "has had enough requests for now: slow down; it is asked again", false},
		{"takes nothing", "openai", status(400, `{"error":{"message":"not an embedding model"}}`), `takes no text for the model "m" (400: not an embedding model); check`, true},
		{"cut off", "ollama", say(`{"embeddings":[[0.1,0.2`), "broke its answer off after 23 bytes; check", false},
		{"no JSON", "ollama", say(`hello`), "gave an answer that is no list of vectors", false},
		{"overflow", "ollama", say(`{"embeddings":[[1e999]]}`), "gave an answer that is no list of vectors", false},
		{"NaN", "ollama", say(`{"embeddings":[[NaN,1]]}`), "gave an answer that is no list of vectors", false},
		{"too few", "ollama", say(`{"embeddings":[]}`), "gave 0 vectors for 1 texts", false},
		{"too few", "openai", say(`{"data":[]}`), "gave 0 vectors for 1 texts", false},
		{"numbered wrongly", "openai", say(`{"data":[{"index":7,"embedding":[1,2,3]}]}`), "numbered its vectors wrongly", false},
		{"empty", "ollama", say(`{"embeddings":[[]]}`), "a vector that says nothing", true},
		{"zero", "ollama", say(`{"embeddings":[[0,0,0]]}`), "a vector that says nothing", true},
		{"dimension", "ollama", say(`{"embeddings":[[1,2]]}`), "vectors of 2 numbers, and 3 are configured; set wiki.embedding.dim to 2", true},
		{"no end", "ollama", func(w http.ResponseWriter, _ string, _ []string) {
			for spaces := strings.Repeat(" ", 64<<10); ; {
				if _, err := io.WriteString(w, spaces); err != nil {
					return
				}
			}
		}, "gave more than 512 KB, which is too much for what it was asked; check", false},
		{"a terminal's commands", "ollama", status(500, "no \x1b[31mroom\a at\tall"), "failed (500: no [31mroom at all); its own log", false},
		{"redirect", "ollama", func(w http.ResponseWriter, _ string, _ []string) {
			w.Header().Set("Location", "http://example.com/")
			w.WriteHeader(307)
		}, "sends callers elsewhere, which is not followed; set", true},
		{"hangs up", "ollama", func(w http.ResponseWriter, _ string, _ []string) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				c.Close()
			}
		}, "cannot be reached (", false},
		{"hangs up in the middle", "ollama", func(w http.ResponseWriter, _ string, _ []string) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"embeddings":[[1`)
		}, "broke its answer off after 17 bytes", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.handle)
			_, err := embedder(t, Options{Provider: c.provider, Model: "m", URL: s.URL, Dim: 3}).Query(t.Context(), "x")
			failsWith(t, err, c.want, c.lasting)
		})
	}
}

func failsWith(t *testing.T, err error, want string, lasting bool) {
	t.Helper()
	f, ok := errors.AsType[*embed.Failure](err)
	if !ok {
		t.Fatalf("%v is no Failure", err)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if f.Lasting != lasting {
		t.Errorf("lasting is %v: %s", f.Lasting, err)
	}
	if strings.Contains(err.Error(), "\n") || strings.HasSuffix(err.Error(), ".") || f.Remedy == "" {
		t.Errorf("not one sentence with a next step: %q", err)
	}
}

func TestNothingThere(t *testing.T) {
	const url = "http://127.0.0.1:1" // no system gives this port to anybody
	_, err := embedder(t, Options{Provider: "ollama", Model: "m", URL: url}).Query(t.Context(), "x")
	failsWith(t, err, "nothing answers at "+url+"; start Ollama, or check wiki.embedding.url", false)
}

// An address that was written by hand may hold more than a place; messages go into
// logs and onto pages.
func TestAddressIsToldWithoutSecrets(t *testing.T) {
	for url, want := range map[string]string{
		"http://me:s3cret@127.0.0.1:1/v1": "nothing answers at http://xxxxx@127.0.0.1:1;",
		"http://s3cret@127.0.0.1:1":       "nothing answers at http://xxxxx@127.0.0.1:1;",
		"http://127.0.0.1:1/?key=s3cret":  "nothing answers at http://127.0.0.1:1/?xxxxx;",
		"http://127.0.0.1:1/#s3cret":      "nothing answers at http://127.0.0.1:1/#xxxxx;",
	} {
		for _, provider := range []string{"ollama", "openai"} {
			_, err := embedder(t, Options{Provider: provider, Model: "m", URL: url}).Query(t.Context(), "x")
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%s at %s: %v", provider, url, err)
			}
		}
	}
}

// A server that repeats the key brings it into no message, and a key that no server would take is not sent.
func TestKeyIsInNoMessage(t *testing.T) {
	const key = "sk-proj-Ab3/dEf9hIjKlMnOpQr"
	s := serve(t, func(w http.ResponseWriter, _ string, _ []string) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":{"message":"Incorrect API key provided: sk-proj-Ab3\/dEf9hIjKlMnOpQr (...lMnOpQr)"}}`)
	})
	_, err := embedder(t, Options{Provider: "openai", Model: "m", URL: s.URL, Key: key + "\n", KeyVariable: "NOTES_KEY"}).Query(t.Context(), "x")
	failsWith(t, err, "(401: Incorrect API key provided: (the key) (...lMnOpQr)); check what the environment variable NOTES_KEY holds", true)
	_, err = New(Options{Provider: "openai", Model: "m", URL: s.URL, Key: "'" + key + "'", KeyVariable: "NOTES_KEY"})
	if err == nil || !strings.Contains(err.Error(), "the variable NOTES_KEY does not hold a key alone: it has quotation marks") || strings.Contains(err.Error(), "Ab3") {
		t.Errorf("in quotes: %v", err)
	}
}

func TestSlow(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(http.ResponseWriter, string, []string) { <-release })
	t.Cleanup(func() { close(release) })
	_, err := embedder(t, Options{Provider: "ollama", Model: "m", URL: s.URL, Timeout: 20 * time.Millisecond}).Query(t.Context(), "x")
	failsWith(t, err, "did not answer within 20ms; raise wiki.embedding.timeout", false)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = embedder(t, Options{Provider: "ollama", Model: "m", URL: s.URL}).Query(ctx, "x")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's own deadline is told as %v", err)
	}
}

// TestHalving asks servers that take few texts, and short ones.
func TestHalving(t *testing.T) {
	for _, code := range []int{400, 413} {
		s := serve(t, func(w http.ResponseWriter, path string, texts []string) {
			for _, text := range texts {
				if len(texts) > 3 || len(text) > 500 || strings.Contains(text, "poison") {
					w.WriteHeader(code)
					return
				}
			}
			good(w, path, texts)
		})
		docs := make([]embed.Doc, 10)
		for i := range docs {
			docs[i].Text = strings.Repeat("x", i+1)
		}
		docs[4].Text, docs[7].Text = strings.Repeat("y", 3000), "poison"
		got, err := embedder(t, Options{Provider: "ollama", Model: "m", URL: s.URL}).Documents(t.Context(), docs)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			length := i + 1
			if i == 4 {
				length = 375 // 3000 halved until it is taken
			}
			if i == 7 {
				if v != nil {
					t.Errorf("%d: a text no form of which is taken has a vector", code)
				}
			} else if math.Abs(float64(v[0]/v[1])-float64(length)) > 1e-3*float64(length) {
				t.Errorf("%d: vector %d is of a text of length %v, want %d", code, i, v[0]/v[1], length)
			}
		}
	}
}

func TestRetryAfter(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ string, _ []string) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
	})
	_, err := embedder(t, Options{Provider: "ollama", Model: "m", URL: s.URL}).Query(t.Context(), "x")
	if f, _ := errors.AsType[*embed.Failure](err); f == nil || f.Pause != 7*time.Second {
		t.Errorf("the wish of the server is lost: %v", err)
	}
}

func TestPrefixes(t *testing.T) {
	for _, c := range []struct {
		model, query, doc string
		title             string
	}{
		{"nomic-embed-text:v1.5", "search_query: ", "search_document: T\nx", "T"},
		{"embeddinggemma", "task: search result | query: ", "title: T | text: x", "T"},
		{"embeddinggemma:300m", "task: search result | query: ", "title: none | text: x", ""},
		{"intfloat/multilingual-e5-large", "query: ", "passage: x", ""},
		{"multilingual-e5-large-instruct", "Instruct: Given a question, retrieve passages of notes that answer it\nQuery: ", "x", ""},
		{"Qwen/Qwen3-Embedding-0.6B", "Instruct: Given a question, retrieve passages of notes that answer it\nQuery: ", "x", ""},
		{"all-minilm", "", "T\nx", "T"},
		{"bge-m3", "", "x", ""},
	} {
		p := prefixesOf(Options{Provider: "ollama", Model: c.model})
		if p.query != c.query || p.passageText(embed.Doc{Title: c.title, Text: "x"}) != c.doc {
			t.Errorf("%s: query %q, passage %q", c.model, p.query, p.passageText(embed.Doc{Title: c.title, Text: "x"}))
		}
	}
	p := prefixesOf(Options{Model: "nomic-embed-text", QueryPrefix: "none", DocPrefix: "d: "})
	if p.query != "" || p.doc != "d: " {
		t.Errorf("configured prefixes do not count: %+v", p)
	}
}

func TestFingerprint(t *testing.T) {
	seen := make(map[string]bool)
	for _, o := range []Options{
		{Provider: "ollama", Model: "m"}, {Provider: "ollama", Model: "n"}, {Provider: "ollama", Model: "m", Dim: 3},
		{Provider: "openai", Model: "m", URL: "http://a"}, {Provider: "ollama", Model: "m", QueryPrefix: "q"}, {Provider: "ollama", Model: "m", DocPrefix: "q"},
	} {
		seen[embedder(t, o).Fingerprint()] = true
	}
	if len(seen) != 6 {
		t.Errorf("6 configurations have %d fingerprints", len(seen))
	}
	a := embedder(t, Options{Provider: "openai", Model: "m", URL: "http://a"})
	b := embedder(t, Options{Provider: "openai", Model: "m", URL: "http://b", Batch: 3})
	if a.Fingerprint() != b.Fingerprint() {
		t.Error("a model that moved to another address has another fingerprint")
	}
}

func TestNew(t *testing.T) {
	for _, o := range []Options{{Provider: "openai", Model: "m"}, {Provider: "none"}, {Provider: ""}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
