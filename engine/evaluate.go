package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/eval"
)

// ErrNotIndexed says that a vault has no index yet.
var ErrNotIndexed = errors.New("not indexed yet")

// Evaluate asks the index of a vault about the vault itself; see
// [eval.Run]. It needs no running engine and disturbs none.
func Evaluate(ctx context.Context, cfg config.Config, vault config.Vault, cache string, opts eval.Options) (eval.Result, error) {
	file := filepath.Join(cache, "index.db")
	if _, err := os.Stat(file); err != nil {
		return eval.Result{}, ErrNotIndexed
	}
	root := vault.Path
	if real, err := filepath.EvalSymlinks(vault.Path); err == nil {
		root = real
	}
	ix, err := recall.Open(ctx, file, root, recall.Options{Meaning: NewMeaning(cfg.Embedding), Peek: true})
	if err != nil {
		return eval.Result{}, fmt.Errorf("open the index of %s: %w", vault.Name, err)
	}
	if ix.State().Notes == 0 {
		return eval.Result{}, errors.Join(ErrNotIndexed, ix.Close())
	}
	result, err := eval.Run(ctx, ix, opts)
	return result, errors.Join(err, ix.Close())
}
