package front

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/wording"
)

// Search implements [api.Backend]: the best passages of all vaults. A vault that
// cannot be searched, on a disk that is away, costs its own passages only, and a notice names it.
func (f *finder) Search(ctx context.Context, query string, limit int) (api.HitList, error) {
	found, notices := []ranked(nil), []string(nil)
	results := askDisks(ctx, *f.Vaults, func(disk vault.Disk) (recall.Result, error) {
		return disk.Index().Find(ctx, query, recall.SearchOptions{Limit: limit})
	})
	for i, v := range *f.Vaults {
		of, err := results[i]()
		if why := whyShut(v); why != "" && errors.Is(err, errShut) {
			notices = append(notices, "the vault "+v.Name+" cannot be searched now: it "+why)
			continue
		}
		if ctx.Err() != nil {
			return api.HitList{}, fmt.Errorf("search %s: %w", v.Name, ctx.Err())
		}
		if err != nil {
			notices = append(notices, whyNotSearched(v.Name, err))
			continue
		}
		if byWords := "found by words only: " + of.Trouble; of.Trouble != "" && !slices.Contains(notices, byWords) {
			notices = append(notices, byWords)
		}
		for i, p := range of.Passages {
			found = append(found, ranked{vault: v.Name, rank: i, Passage: p})
		}
	}
	return api.HitList{Hits: toHits(pickBest(found, limit)), Notice: strings.Join(append(notices, terms.WhyNothing(query, len(found))...), "; ")}, nil
}

// errShut says that a vault was not open when its disk was to be asked.
var errShut = errors.New("it is not open yet")

// askDisks makes a call on the disk of each vault that is open, side by side, so that several which do not respond cost the
// time of one. The nth function waits for what came of the nth vault; one that is not open has the error errShut.
func askDisks[T any](ctx context.Context, vaults []*vault.Vault, do func(vault.Disk) (T, error)) []func() (T, error) {
	waits := make([]func() (T, error), len(vaults))
	for i, v := range vaults {
		if !v.IsOpen() {
			waits[i] = func() (T, error) { return *new(T), errShut }
			continue
		}
		var found T
		err, done := error(nil), make(chan struct{})
		go func() {
			defer close(done)
			found, err = vault.OnDisk(ctx, v, do)
		}()
		waits[i] = func() (T, error) { <-done; return found, err }
	}
	return waits
}

// whyNotSearched says why a vault that is open was not searched.
func whyNotSearched(name string, err error) string {
	why := syserr.Plain(err)
	if silent, ok := errors.AsType[*behind.Silent](err); ok {
		why = "it is " + silent.Start
	}
	return "the vault " + name + " cannot be searched now: " + why
}

// whyShut says behind the name of a vault why it is not open, or nothing where it is.
func whyShut(v *vault.Vault) string {
	switch silence := v.Condition.Silence(); {
	case v.IsOpen():
		return ""
	case silence != "":
		return "is " + silence
	case v.Condition.WhyRefused() != "":
		return "is left alone: " + v.Condition.WhyRefused()
	}
	return "is not open yet"
}

// Shelves are the vaults for other agents to read.
func Shelves(vaults *vault.Set) (list []library.Shelf) {
	for _, v := range *vaults {
		if why := whyShut(v); why != "" {
			list = append(list, library.Shelf{Name: v.Name, Root: v.Alias, Shut: why})
			continue
		}
		list = append(list, library.Shelf{Name: v.Name, Root: v.Root, Index: v.AwaitDisk().Index(), Guard: func(ctx context.Context, do func() error) error {
			_, err := vault.OnDisk(ctx, v, func(vault.Disk) (any, error) { return nil, do() })
			return err
		}})
	}
	return list
}

// ranked is a passage and its place among those of its vault.
type ranked struct {
	vault string
	rank  int
	recall.Passage
}

// pickBest returns so many of the passages of all vaults.
func pickBest(found []ranked, limit int) []ranked {
	slices.SortStableFunc(found, func(a, b ranked) int { return recall.CompareRanks(a.rank, a.Passage, b.rank, b.Passage) })
	return found[:min(len(found), limit)]
}

func toHits(found []ranked) []api.Hit {
	list := make([]api.Hit, len(found))
	for i, p := range found {
		list[i] = api.Hit{
			Vault: p.vault, Note: p.Note, Heading: p.Heading, Link: p.Link,
			Text: p.Text, Matched: p.Matched, Terms: p.Terms, Similarity: p.Similarity,
			InTitle: p.InTitle, InHeading: p.InHeading, InTags: p.InTags,
		}
	}
	return list
}

// Explain implements [api.Backend]: the first reason that keeps a note out of the results of a search,
// or its place.
func (f *finder) Explain(ctx context.Context, query, file string, limit int) (string, error) {
	v, rel := f.locateNote(ctx, file)
	if v == nil {
		return "The note is in none of the configured vaults.", nil
	}
	if why := whyShut(v); why != "" {
		return "The vault " + v.Name + " " + why + "; ask again when it is open.", nil
	}
	if reason := notes.WhyNot(rel, f.Config.Exclude); reason != "" {
		return wording.Sentence(reason), nil
	}
	for _, pattern := range f.Config.Index.Exclude {
		if glob.Match([]string{pattern}, rel) {
			return "The note is excluded by wiki.index.exclude: " + pattern + ".", nil
		}
	}
	var reason string
	s, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (recall.Standing, error) {
		if reason = disk.WhyNoNote(rel); reason != "" {
			return recall.Standing{}, nil
		}
		return disk.Index().Explain(ctx, query, rel)
	})
	var cause *fs.PathError
	var silent *behind.Silent
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such note in the vault " + v.Name + ".", nil
	case errors.As(err, &silent):
		return "The vault " + v.Name + " is " + silent.Start + "; ask again when its disk is back.", nil
	case errors.As(err, &cause):
		return "The note cannot be read: " + syserr.Plain(cause.Err) + ".", nil
	case err != nil:
		return "", fmt.Errorf("explain %s: %w", rel, err)
	case reason != "":
		return wording.Sentence(reason), nil
	}
	return s.Describe(v.Catalog.State(), limit), nil
}

// locateNote finds the vault and the path of a note that a person has named: by an absolute path, or
// by one inside a vault. It touches no file outside a vault. If all vaults that answer lack the note,
// it returns one that does not answer, if any: that may have it.
func (f *finder) locateNote(ctx context.Context, file string) (*vault.Vault, string) {
	for _, v := range *f.Vaults {
		roots := []string{v.Alias}
		if v.IsOpen() {
			roots = []string{v.Root, v.Alias}
		}
		for _, root := range roots {
			rel, err := filepath.Rel(root, filepath.FromSlash(file))
			if filepath.IsAbs(filepath.FromSlash(file)) && err == nil && filepath.IsLocal(rel) {
				return v, filepath.ToSlash(rel)
			}
		}
	}
	if filepath.IsAbs(filepath.FromSlash(file)) || !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, ""
	}
	ctx, end := context.WithCancel(ctx) // the first that has it is enough
	defer end()
	reads := askDisks(ctx, *f.Vaults, func(disk vault.Disk) ([]byte, error) { return disk.Read(filepath.ToSlash(file)) })
	var first, unasked *vault.Vault
	for i, v := range *f.Vaults {
		switch _, err := reads[i](); {
		case err == nil:
			return v, filepath.ToSlash(file)
		case errors.Is(err, errShut), behind.IsSilent(err):
			unasked = cmp.Or(unasked, v)
		default:
			first = cmp.Or(first, v)
		}
	}
	return cmp.Or(unasked, first), filepath.ToSlash(file)
}
