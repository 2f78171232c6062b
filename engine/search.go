package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/eval"
	"vaultdispatcher/engine/vault"
)

// Search implements [api.Backend]: the best passages of all vaults. A vault that
// cannot be searched, on a disk that is away, costs its own passages only.
func (e *Engine) Search(ctx context.Context, query string, limit int) (api.HitList, error) {
	var found []ranked
	var notices []string
	for _, v := range e.openVaults() {
		of, err := vault.WhileResponding(ctx, v, func() (recall.Result, error) {
			return v.Index.Find(ctx, query, recall.SearchOptions{Limit: limit})
		})
		if ctx.Err() != nil {
			return api.HitList{}, fmt.Errorf("search %s: %w", v.Name, ctx.Err())
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("the vault %s cannot be searched now: %v", v.Name, err))
			continue
		}
		if byWords := "found by words only: " + of.Trouble; of.Trouble != "" && !slices.Contains(notices, byWords) {
			notices = append(notices, byWords)
		}
		for i, p := range of.Passages {
			found = append(found, ranked{vault: v.Name, rank: i, Passage: p})
		}
	}
	return api.HitList{Hits: toHits(pickBest(found, limit)), Notice: strings.Join(notices, "; ")}, nil
}

// ranked is a passage and its place among those of its vault.
type ranked struct {
	vault string
	rank  int
	recall.Passage
}

// pickBest returns so many of the passages of all vaults: the first of each vault, then
// the second, and of these before others what has more of the query. Scores are not
// compared, because a word that is rare in one vault is common in the other.
func pickBest(found []ranked, limit int) []ranked {
	slices.SortStableFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.Share, a.Share), cmp.Compare(b.Near, a.Near))
	})
	return found[:min(len(found), limit)]
}

func toHits(found []ranked) []api.Hit {
	list := make([]api.Hit, len(found))
	for i, p := range found {
		list[i] = api.Hit{
			Vault: p.vault, Note: p.Note, Heading: p.Heading, Link: p.Link,
			Text: p.Text, Matched: p.Matched, Terms: p.Terms, Near: p.Near,
			InTitle: p.InTitle, InHeading: p.InHeading, InTags: p.InTags,
		}
	}
	return list
}

// Explain implements [api.Backend]: the first reason that keeps a note out of
// what a search finds, or its place.
func (e *Engine) Explain(ctx context.Context, query, file string, limit int) (string, error) {
	v, rel := e.locateNote(ctx, file)
	if v == nil {
		return "The note is in none of the configured vaults.", nil
	}
	if reason := v.WhyNoNote(rel); reason != "" {
		return reason, nil
	}
	for _, pattern := range e.config.Index.Exclude {
		if config.Match([]string{pattern}, rel) {
			return "The note is excluded by wiki.index.exclude: " + pattern + ".", nil
		}
	}
	s, err := vault.WhileResponding(ctx, v, func() (recall.Standing, error) { return v.Index.Explain(ctx, query, rel) })
	var cause *fs.PathError
	var silent *vault.Silent
	switch state := v.Index.State(); {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such note in the vault " + v.Name + ".", nil
	case errors.As(err, &silent):
		return "The vault " + v.Name + " is " + silent.Since + "; ask again when its disk is back.", nil
	case errors.As(err, &cause):
		return "The note cannot be read: " + cause.Err.Error() + ".", nil
	case err != nil:
		return "", fmt.Errorf("explain %s: %w", rel, err)
	case !s.Indexed && state.Pending > 0:
		return fmt.Sprintf("The note is not indexed yet: %d of %d notes are.", state.Notes, state.Notes+state.Pending), nil
	case !s.Indexed:
		return "The note is not indexed yet; it will be when it is saved or the vault is compared again.", nil
	case s.Place > 0 && s.Place <= limit:
		return fmt.Sprintf("The note is found, at place %d.", s.Place), nil
	case s.Place > 0:
		return fmt.Sprintf("The note stands at place %d, below the first %d; a larger limit shows it.", s.Place, limit), nil
	case len(s.Found) == 0 && s.Large:
		return "The note is larger than 10 MiB and is found by its name only.", nil
	case len(s.Found) == 0:
		return "The note has none of the words: " + strings.Join(s.Missing, ", ") + "." + describeUnsaid(s), nil
	case len(s.Missing) > 0:
		return "The note is not among the first 100: it has " + strings.Join(s.Found, ", ") + ", and lacks " + strings.Join(s.Missing, ", ") + "." + describeUnsaid(s), nil
	}
	return "The note has all the words, but a hundred other passages match better.", nil
}

// describeUnsaid is what to add where a note seems to have a word that is not found.
func describeUnsaid(s recall.Standing) string {
	switch {
	case len(s.Hidden) > 0:
		return " Only what is never searched has " + strings.Join(s.Hidden, ", ") + ": a response block, a line that asks an agent, or a comment."
	case s.Garbled:
		return " The note is not UTF-8; saved as UTF-8, all of its words are found."
	}
	return ""
}

// locateNote finds the vault and the path of a note that a person has named: by an
// absolute path, or by one inside a vault. Nothing outside a vault is touched.
func (e *Engine) locateNote(ctx context.Context, file string) (*vault.Vault, string) {
	for _, v := range e.openVaults() {
		for _, root := range []string{v.Root, v.Alias} {
			rel, err := filepath.Rel(root, filepath.FromSlash(file))
			if filepath.IsAbs(filepath.FromSlash(file)) && err == nil && filepath.IsLocal(rel) {
				return v, filepath.ToSlash(rel)
			}
		}
	}
	if filepath.IsAbs(filepath.FromSlash(file)) || !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, ""
	}
	var first *vault.Vault
	for _, v := range e.openVaults() {
		read := func() ([]byte, error) { return v.Read(filepath.ToSlash(file)) }
		if _, err := vault.WhileResponding(ctx, v, read); err == nil {
			return v, filepath.ToSlash(file)
		}
		if first == nil {
			first = v
		}
	}
	return first, filepath.ToSlash(file)
}

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
