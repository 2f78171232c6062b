package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/vault/copies"
)

// call is one call of a tool.
type call struct {
	library *Library
	scope   mcp.Scope
	tool    string
	arguments
	shelves []*shelf
	shut    []Shelf // that cannot be read now
	offset  int     // where the answer continues
}

// shelf is a vault as a call sees it.
type shelf struct {
	Shelf
	call     *call
	withheld map[string]bool
	secret   *copies.Names // finds a name of a file that may not be seen
	silent   bool          // a look was left behind, so no other is begun: what it uses is not ours
}

// openShelves finds what the client may see of each vault.
func (c *call) openShelves(ctx context.Context) error {
	named := false
	for _, s := range c.library.Shelves() {
		if c.scope.Vault != "" && c.scope.Vault != s.Root || c.Vault != "" && !strings.EqualFold(c.Vault, s.Name) {
			continue
		}
		if s.Shut != "" {
			c.shut = append(c.shut, s)
			continue
		}
		named = true
		open := &shelf{Shelf: s, call: c}
		if open.Guard == nil {
			open.Guard = bound
		}
		var err error
		if open.withheld, err = c.library.heldNotes(ctx, s.Root); err != nil {
			return err
		}
		open.secret = copies.FindNames(s.Root, open.isWithheld)
		c.shelves = append(c.shelves, open)
	}
	switch {
	case named:
		return nil
	case len(c.shut) > 0:
		return mcp.Refusal("The vault " + c.shut[0].Name + " " + c.shut[0].Shut + "; try again in a moment.")
	case c.Vault != "":
		return mcp.Refusal("There is no vault of that name.")
	}
	return mcp.Refusal("No vault is open now; try again in a moment.")
}

// seenNotes lists the notes that may be seen by their paths. It reads the index alone, and all of it; most calls
// judge only the notes that they find.
func (s *shelf) seenNotes(ctx context.Context) ([]recall.Saved, error) {
	all, err := s.Index.SavedNotes(ctx)
	return slices.DeleteFunc(all, func(n recall.Saved) bool { return s.hidesNote(n.Rel) }), err
}

// isSeen reports whether the index has a note and it may be seen by its path.
func (s *shelf) isSeen(ctx context.Context, rel string) bool {
	all, err := s.Index.NotesNamed(ctx, rel)
	return err == nil && slices.Contains(all, rel) && !s.hidesNote(rel)
}

// heldNotes are the notes of a vault with a question that waits for a person: they may have come
// from anywhere.
func (l *Library) heldNotes(ctx context.Context, root string) (map[string]bool, error) {
	if l.HeldNotes != nil {
		return l.HeldNotes(ctx, root)
	}
	list, err := l.History.List(ctx, journal.Filter{Status: journal.Held, Vault: root, Limit: 100_000})
	held := make(map[string]bool)
	for _, d := range list {
		if d.Hold != journal.ForLimit && d.Hold != journal.ForBudget {
			held[d.File] = true
		}
	}
	return held, err
}

// hidesNote reports whether a note may not be seen, by its path alone.
func (s *shelf) hidesNote(rel string) bool {
	return notes.WhyNot(rel, nil) != "" || s.isWithheld(rel)
}

// Withheld returns which notes of a vault no client sees that sees nothing private; where that cannot be told,
// all of them. What it returns touches the disk, and waits no longer for it than a few seconds in all; silent reports whether
// it has given up.
func (l *Library) Withheld(ctx context.Context, root string) (skip func(rel string) bool, silent func() bool) {
	s := &shelf{Shelf: Shelf{Root: root, Guard: bound}, call: &call{library: l}}
	var err error
	if s.withheld, err = l.heldNotes(ctx, root); err != nil {
		return func(string) bool { return true }, func() bool { return false }
	}
	s.secret = copies.FindNames(root, s.isWithheld)
	return func(rel string) bool {
		if s.hidesNote(rel) {
			return true
		}
		secret, err := onDisk(ctx, s, func() (bool, error) { return s.isSecret(rel), nil })
		return err != nil || secret
	}, func() bool { return s.silent }
}

// isWithheld reports whether a note may not be seen, by this name of its file nor by any other.
func (s *shelf) isWithheld(rel string) bool {
	l := s.call.library
	return glob.Match(l.Config.Exclude, rel) || l.Config.IsUnindexed(rel) || s.withheld[rel] || !s.call.scope.Private && l.Rules.IsPrivate(rel)
}

// isSecret reports whether another name of a note's file is withheld, or cannot be told. It touches the disk.
func (s *shelf) isSecret(rel string) bool {
	info, err := os.Lstat(filepath.Join(s.Root, filepath.FromSlash(rel)))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return s.secret.Of(info) != ""
}

// isShown reports whether a note of the index may be seen: by its path, and as the file that is there. A link
// is not followed. It touches the disk.
func (s *shelf) isShown(rel string) bool {
	if s.hidesNote(rel) {
		return false
	}
	info, err := os.Lstat(filepath.Join(s.Root, filepath.FromSlash(rel)))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(filepath.Join(s.Root, filepath.FromSlash(rel)))); err != nil || !isAt(real, s.Root, path.Dir(rel)) {
		return false
	}
	return s.secret.Of(info) == ""
}

// isAt reports whether a folder is the one at a path in the vault, and no link led there.
func isAt(real, root, rel string) bool {
	return real == filepath.Join(root, filepath.FromSlash(rel))
}

// citeNote is the link to a note, or to a heading in it.
func (s *shelf) citeNote(ctx context.Context, rel string, heads []string) string {
	same, err := s.Index.NotesNamed(ctx, rel)
	return page.NoteLink(rel, err == nil && len(same) < 2, heads, "")
}

// findPage is findNote for the note of the call, which it reads.
func (c *call) findPage(ctx context.Context) (s *shelf, rel string, p *page.Page, err error) {
	if s, rel, err = c.findNote(ctx, c.Note); err == nil {
		p, err = s.readPage(ctx, rel)
	}
	return s, rel, p, err
}

// findNote is the note that a client names: by its path, with its extension or without, by its file
// name where one note has it, or by a link. Only what may be seen is found.
func (c *call) findNote(ctx context.Context, name string) (*shelf, string, error) {
	name = strings.TrimSpace(name)
	bare, heading := cutLink(name)
	if bare == "" {
		return nil, "", mcp.Refusal("Name a note: its path in the vault, or its name.")
	}
	at, rels := c.notesNamed(ctx, bare)
	if len(rels) == 0 && bare == name { // a link's target without its brackets
		if bare, heading, _ = strings.Cut(name, "#"); bare != name {
			at, rels = c.notesNamed(ctx, strings.TrimSpace(bare))
		}
	}
	switch {
	case len(rels) == 0:
		return nil, "", mcp.Refusal(strings.TrimSpace("There is no such note among those you may read; search finds notes. " + c.tellShut()))
	case len(rels) > 1:
		return nil, "", mcp.Refusal(fmt.Sprintf("%d notes have that name; give the path and the vault of one: %s.", len(rels), strings.Join(rels[:min(len(rels), 5)], ", ")))
	}
	if c.Heading == "" && c.tool == "read_note" {
		c.Heading = strings.TrimSpace(heading[strings.LastIndexByte(heading, '#')+1:])
	}
	return at[0], rels[0], nil
}

// cutLink is the note that a link names, and the headings: [[Note#Heading|label]], or
// [label](Note.md#Heading), as names are cited that the first form cannot hold. What is no link is a name.
func cutLink(link string) (name, heading string) {
	if l, ok := wikilink.At(link); ok {
		name, heading, _ = strings.Cut(l.To, "#")
		return name, heading
	}
	at := strings.LastIndex(link, "](")
	if at < 0 || link[0] != '[' || link[len(link)-1] != ')' {
		return link, ""
	}
	target, err := url.Parse(link[at+2 : len(link)-1])
	if err != nil || target.Scheme != "" || target.Host != "" {
		return link, ""
	}
	return target.Path, target.Fragment
}

// notesNamed are the notes of a name that may be seen, as near to it as there are any.
func (c *call) notesNamed(ctx context.Context, name string) (at []*shelf, rels []string) {
	stem := filename.TrimExtension(norm.NFC.String(name))
	for _, same := range []func(rel string) bool{
		func(rel string) bool { return rel == name },
		func(rel string) bool {
			return strings.EqualFold(filename.TrimExtension(norm.NFC.String(rel)), stem)
		},
		func(rel string) bool {
			return strings.EqualFold(path.Base(filename.TrimExtension(norm.NFC.String(rel))), stem)
		},
	} {
		for _, s := range c.shelves {
			all, err := s.Index.NotesNamed(ctx, name, norm.NFC.String(name), norm.NFD.String(name))
			if err != nil {
				continue
			}
			for _, rel := range all {
				if !same(rel) || s.hidesNote(rel) {
					continue
				}
				secret, err := onDisk(ctx, s, func() (bool, error) { return s.isSecret(rel), nil })
				if err != nil || !secret { // after an error its text cannot be read either
					at, rels = append(at, s), append(rels, rel)
				}
			}
		}
		if len(rels) > 0 {
			break
		}
	}
	return at, rels
}

// readPage reads a note that may be seen.
func (s *shelf) readPage(ctx context.Context, rel string) (*page.Page, error) {
	p, err := onDisk(ctx, s, func() (*page.Page, error) {
		if !s.isShown(rel) {
			return nil, nil
		}
		return s.Index.ReadPage(ctx, rel)
	})
	switch {
	case s.silent:
		return nil, mcp.Refusal("The disk of the vault " + s.Name + " does not respond; try again when it does.")
	case err != nil || p == nil:
		return nil, mcp.Refusal("The note is not on this disk now: it was moved, is kept in the cloud alone, or is a link.")
	}
	return p, nil
}
