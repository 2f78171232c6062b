// Package meaning makes the embedder that finds passages by their meaning, not only by
// their words.
package meaning

import (
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/models"
)

// New returns the embedder that a configuration names, or nil where
// it names none. An embedder that cannot be made is no reason not to answer: the
// result says why notes are found by their words alone.
func New(cfg config.Embedding) *recall.Meaning {
	if cfg.Provider == "none" {
		return nil
	}
	m := &recall.Meaning{Weight: cfg.Weight, Batch: cfg.Batch}
	m.Embedder, m.Broken = models.New(models.Options{
		Provider: cfg.Provider, Model: cfg.Model, URL: cfg.URL, Key: modelhttp.FindKey(cfg.APIKeyEnv, nil), KeyVariable: cfg.APIKeyEnv,
		Dim: cfg.Dim, QueryPrefix: cfg.QueryPrefix, DocPrefix: cfg.DocPrefix, Batch: cfg.Batch, Timeout: cfg.Timeout,
	})
	return m
}
