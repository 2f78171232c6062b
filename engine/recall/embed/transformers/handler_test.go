package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lengths embeds a text as its length.
func lengths(texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		if t == "fail" {
			return nil, errors.New("the model failed")
		}
		out = append(out, []float32{float32(len(t)), 1})
	}
	return out, nil
}

func TestAnswer(t *testing.T) {
	many := `{"model":"m","input":[` + strings.TrimSuffix(strings.Repeat(`"x",`, maxTexts+1), ",") + `]}`
	for _, c := range []struct {
		name, host, path, kind, body string
		status                       int
		want                         string
	}{
		{"two texts", "127.0.0.1:1", "/v1/embeddings", "application/json", `{"model":"m","input":["a","bbb"]}`, 200,
			`{"data":[{"index":0,"embedding":[1,1]},{"index":1,"embedding":[3,1]}]}`},
		{"by name", "localhost:1", "/v1/embeddings", "application/json; charset=utf-8", `{"model":"m","input":["a"]}`, 200, `"embedding":[1,1]`},
		{"too many", "127.0.0.1:1", "/v1/embeddings", "application/json", many, 413, "33 texts are too many at once"},
		{"none", "127.0.0.1:1", "/v1/embeddings", "application/json", `{"model":"/home/me/m"}`, 400, "has no texts"},
		{"another model", "127.0.0.1:1", "/v1/embeddings", "application/json", `{"model":"n","input":["a"]}`, 404, `the model \"n\" is not served here`},
		{"rubbish", "127.0.0.1:1", "/v1/embeddings", "application/json", `rubbish`, 400, "no JSON"},
		{"failure", "127.0.0.1:1", "/v1/embeddings", "application/json", `{"model":"m","input":["fail"]}`, 500, "the model failed"},
		{"elsewhere", "127.0.0.1:1", "/", "application/json", `{}`, 404, "only POST"},
		{"another name", "example.com", "/v1/embeddings", "application/json", `{"model":"m","input":["a"]}`, 403, "no web pages"},
		{"a form", "127.0.0.1:1", "/v1/embeddings", "text/plain", `{"model":"m","input":["a"]}`, 403, "no web pages"},
	} {
		r := httptest.NewRequest("POST", c.path, strings.NewReader(c.body))
		r.Host = c.host
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		(&handler{model: "m", embed: lengths}).ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s, want %d %s", c.name, w.Code, w.Body, c.status, c.want)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: the answer is no JSON", c.name)
		}
	}
}

func TestOrigin(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/embeddings", strings.NewReader(`{"model":"m","input":["a"]}`))
	r.Host = "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://127.0.0.1:1")
	w := httptest.NewRecorder()
	(&handler{model: "m", embed: lengths}).ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("a web page is answered with %d", w.Code)
	}
}

func TestServe(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, ln, &handler{model: "m", embed: lengths}) }()
	resp, err := http.Post("http://"+ln.Addr().String()+"/v1/embeddings", "application/json", strings.NewReader(`{"model":"m","input":["a"]}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the end: %v", err)
	}
}

// TestRefused names what a folder lacks, and does not take rubbish for a model.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	expect := func(folder, want string) {
		t.Helper()
		if err := run(t.Context(), folder, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	expect("", "--model must name a folder")
	expect(dir, "tokenizer.json is missing; --model must name a folder")
	for _, name := range []string{"tokenizer.json", "model.onnx"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("rubbish"), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "tokenizer.json" {
			expect(dir, "model.onnx is missing")
		}
	}
	expect(dir, "read the model in "+dir)
}
