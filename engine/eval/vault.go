package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/sharing"
)

// ErrNotIndexed says that a vault has no index yet.
var ErrNotIndexed = errors.New("not indexed yet")

// Evaluate asks the index of a vault about the vault itself; see
// [Run]. It needs no running engine and disturbs none.
func Evaluate(ctx context.Context, cfg config.Config, vault config.Vault, cache string, meaning *recall.Meaning, opts Options) (Result, error) {
	file := filepath.Join(cache, "index.db")
	if _, err := os.Stat(file); err != nil {
		return Result{}, ErrNotIndexed
	}
	root := patience.Look(vault.Path)[0]
	if root.Silent {
		return Result{}, fmt.Errorf("the disk of %s does not respond", vault.Path)
	}
	opts.Skip = sharing.NewRules(cfg, func(string) bool { return false }).IsNotEmbedded
	ix, err := recall.Open(ctx, file, root.Path, recall.Options{Meaning: meaning, Silent: opts.Skip, Peek: true})
	if err != nil {
		return Result{}, fmt.Errorf("open the index of %s: %w", vault.Name, err)
	}
	if ix.State().Notes == 0 {
		return Result{}, errors.Join(ErrNotIndexed, ix.Close())
	}
	result, err := Run(ctx, ix, opts)
	return result, errors.Join(err, ix.Close())
}
