// Package models makes the [embed.Embedder] that the configuration names: one behind a
// server, or one that is read from a folder.
//
//	m, err := models.New(models.Options{Provider: "ollama", Model: name})
//
// # Promises
//
// Vectors have the length 1, so that the product of two of them is their
// similarity. All vectors of one embedder have as many numbers.
//
// Nothing is contacted but the one address that was configured, or Ollama's on
// this machine where none was: no proxy of the environment, no redirect. The
// provider static reads a folder and contacts no server.
//
// An error is an [embed.Failure]. The caller decides whether and when to try again;
// nothing here waits.
package models

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/secret"
)

// Options say which model makes the vectors.
type Options struct {
	Provider    string        // ollama, openai or static
	Model       string        // its name at the server, or its folder
	URL         string        // of the server; "" = the provider's usual one on this machine
	Key         string        // sent to an OpenAI-like server; "" = none
	KeyVariable string        // where Key came from, for messages
	Dim         int           // numbers of a vector; 0 = what the model gives
	QueryPrefix string        // put before a query; "" = as the model's makers say, "none" = nothing
	DocPrefix   string        // the same for passages; {title} is replaced by the title
	Batch       int           // passages of one request; 0 = 32
	Timeout     time.Duration // of one request; 0 = 60 s
}

// New returns the embedder that opts name. It fails where the configuration can
// be seen to be wrong without asking a server, such as a folder that holds no
// model.
func New(opts Options) (embed.Embedder, error) {
	opts.Batch = cmp.Or(opts.Batch, 32)
	opts.Timeout = cmp.Or(opts.Timeout, time.Minute)
	key, err := secret.ReadKey(opts.KeyVariable, opts.Key)
	if err != nil {
		return nil, err
	}
	opts.Key = key
	p := prefixesOf(opts)
	switch opts.Provider {
	case "ollama":
		return newOllama(opts, p), nil
	case "openai":
		return newOpenAI(opts, p)
	case "static":
		return newStatic(opts, p)
	}
	return nil, fmt.Errorf("there is no embedding provider %q", opts.Provider)
}

// fingerprintOf names a model and what is put before its texts.
func fingerprintOf(opts Options, p prefixes, more string) string {
	return fmt.Sprintf("%s %q dim %d query %q doc %q %s", opts.Provider, opts.Model, opts.Dim, p.query, p.doc, more)
}

// normalizeVector checks a vector and gives it the length 1.
func normalizeVector(v []float32, dim int) error {
	if dim > 0 && len(v) > 0 && len(v) != dim {
		return &embed.Failure{
			Reason: fmt.Sprintf("the embedding model gives vectors of %d numbers, and %d are configured", len(v), dim),
			Remedy: fmt.Sprintf("set wiki.embedding.dim to %d, or to 0 for what the model gives", len(v)), Lasting: true}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if len(v) == 0 || sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return &embed.Failure{Reason: "the embedding model gave a vector that says nothing",
			Remedy: "choose another model; this one may be none for embeddings", Lasting: true}
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return nil
}
