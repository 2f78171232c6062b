package engine

import (
	"os"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/embed"
)

// NewMeaning makes the embedder that a configuration names, or returns nil where
// it names none. An embedder that cannot be made is no reason not to answer: the
// result says why notes are found by their words alone.
func NewMeaning(cfg config.Embedding) *recall.Meaning {
	if cfg.Provider == "none" {
		return nil
	}
	m := &recall.Meaning{Weight: cfg.Weight, Batch: cfg.Batch}
	m.Embedder, m.Broken = embed.New(embed.Options{
		Provider: cfg.Provider, Model: cfg.Model, URL: cfg.URL, Key: os.Getenv(cfg.APIKeyEnv), KeyVariable: cfg.APIKeyEnv,
		Dim: cfg.Dim, QueryPrefix: cfg.QueryPrefix, DocPrefix: cfg.DocPrefix, Batch: cfg.Batch, Timeout: cfg.Timeout,
	})
	return m
}

// sumEmbedding is the state of all vaults' vectors together.
func (e *Engine) sumEmbedding() api.Embedding {
	sum := api.Embedding{Provider: e.config.Embedding.Provider, Model: e.config.Embedding.Model}
	for _, v := range e.openVaults() {
		state, ok := v.Index.Embedding()
		if !ok {
			continue
		}
		sum.Dim = max(sum.Dim, state.Dim)
		sum.Vectors += state.Vectors
		sum.Pending += state.Pending
		sum.Stale += state.Stale
		if state.LastError != "" {
			sum.LastError = state.LastError
		}
	}
	return sum
}
