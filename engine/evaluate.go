package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
)

// ErrNotIndexed says that a vault has no index yet.
var ErrNotIndexed = errors.New("not indexed yet")

// Evaluate asks the index of a vault about the vault itself; see
// [recall.Index.Evaluate]. It needs no running engine and disturbs none.
func Evaluate(ctx context.Context, cfg config.Config, vault config.Vault, cache string, opts recall.EvaluateOptions) (recall.Evaluation, error) {
	file := filepath.Join(cache, "index.db")
	if _, err := os.Stat(file); err != nil {
		return recall.Evaluation{}, ErrNotIndexed
	}
	root := vault.Path
	if real, err := filepath.EvalSymlinks(vault.Path); err == nil {
		root = real
	}
	ix, err := recall.Open(ctx, file, root, recall.Options{Meaning: NewMeaning(cfg.Embedding), Peek: true})
	if err != nil {
		return recall.Evaluation{}, fmt.Errorf("open the index of %s: %w", vault.Name, err)
	}
	if ix.State().Notes == 0 {
		return recall.Evaluation{}, errors.Join(ErrNotIndexed, ix.Close())
	}
	result, err := ix.Evaluate(ctx, opts)
	return result, errors.Join(err, ix.Close())
}
