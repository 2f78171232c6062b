package embed

import (
	"cmp"
	"fmt"
	"strings"
)

// newOllama speaks to Ollama by its own interface, which cuts texts that are
// too long for the model instead of refusing them.
func newOllama(opts Options, p prefixes) *remote {
	base := strings.TrimRight(cmp.Or(opts.URL, "http://127.0.0.1:11434"), "/")
	r := newRemote(opts, p, strings.TrimSuffix(base, "/v1"))
	r.path = "/api/embed"
	r.start = "start Ollama, or check wiki.embedding.url"
	r.fetch = fmt.Sprintf("fetch it with: ollama pull %s", opts.Model)
	r.ask = func(texts []string) any {
		return struct {
			Model     string   `json:"model"`
			Input     []string `json:"input"`
			Truncate  bool     `json:"truncate"`
			KeepAlive string   `json:"keep_alive"`
		}{opts.Model, texts, true, "5m"}
	}
	r.read = func(body []byte, _ int) ([][]float32, error) {
		var answer struct{ Embeddings [][]float32 }
		err := r.decode(body, &answer)
		return answer.Embeddings, err
	}
	return r
}
