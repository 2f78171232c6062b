package models

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// newOllama uses Ollama's own interface, which cuts texts that are too long for the
// model instead of refusing them:
// https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings
func newOllama(opts Options, p prefixes) *remote {
	base := strings.TrimRight(cmp.Or(opts.URL, "http://127.0.0.1:11434"), "/")
	r := newRemote(opts, p, strings.TrimSuffix(base, "/v1"))
	r.path = "/api/embed"
	r.start = "start Ollama, or check wiki.embedding.url"
	r.fetch = fmt.Sprintf("fetch it with: ollama pull %s", opts.Model)
	r.exchange = func(ctx context.Context, texts []string) ([][]float32, error) {
		question := struct {
			Model     string   `json:"model"`
			Input     []string `json:"input"`
			Truncate  bool     `json:"truncate"`
			KeepAlive string   `json:"keep_alive"`
		}{opts.Model, texts, true, "5m"}
		var answer struct{ Embeddings [][]float32 }
		err := r.postJSON(ctx, question, len(texts)*maxVector, &answer)
		return answer.Embeddings, err
	}
	return r
}
