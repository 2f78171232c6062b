package models

import (
	"context"
	"errors"
	"strings"
)

// newOpenAI uses any server with OpenAI's interface: llama.cpp, LM Studio, vLLM,
// text-embeddings-inference, or a hosted one. There is no default address: nothing
// leaves the machine unless the configuration says where to.
func newOpenAI(opts Options, p prefixes) (*remote, error) {
	if opts.URL == "" {
		return nil, errors.New("the embedding provider openai needs the address of its server; set wiki.embedding.url")
	}
	r := newRemote(opts, p, strings.TrimSuffix(strings.TrimRight(opts.URL, "/"), "/v1"))
	r.path = "/v1/embeddings"
	r.start = "start the embedding server, or check wiki.embedding.url"
	r.fetch = "check wiki.embedding.model; the server lists its models at /v1/models"
	r.exchange = func(ctx context.Context, texts []string) ([][]float32, error) {
		question := struct {
			Model  string   `json:"model"`
			Input  []string `json:"input"`
			Format string   `json:"encoding_format"`
		}{opts.Model, texts, "float"}
		n := len(texts)
		var answer struct {
			Data []struct {
				Index     *int
				Embedding []float32
			}
		}
		if err := r.postJSON(ctx, question, n*maxVector, &answer); err != nil {
			return nil, err
		}
		if len(answer.Data) != n {
			return nil, r.explainGarbled("gave %d vectors for %d texts", len(answer.Data), n)
		}
		vectors := make([][]float32, n)
		for i, d := range answer.Data {
			if d.Index != nil {
				i = *d.Index
			}
			if i < 0 || i >= n || vectors[i] != nil {
				return nil, r.explainGarbled("numbered its vectors wrongly")
			}
			vectors[i] = d.Embedding
		}
		return vectors, nil
	}
	return r, nil
}
