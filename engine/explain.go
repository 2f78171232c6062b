package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault"
)

// Explain implements [api.Backend]: the first reason that keeps a note out of
// what a search finds, or its place.
func (e *Engine) Explain(ctx context.Context, query, file string, limit int) (string, error) {
	v, rel := e.locateNote(file)
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
	s, err := v.Index.Explain(ctx, query, rel)
	var cause *fs.PathError
	switch state := v.Index.State(); {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such note in the vault " + v.Name + ".", nil
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
func (e *Engine) locateNote(file string) (*vault.Vault, string) {
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
		if _, err := v.Read(filepath.ToSlash(file)); err == nil {
			return v, filepath.ToSlash(file)
		}
		if first == nil {
			first = v
		}
	}
	return first, filepath.ToSlash(file)
}
