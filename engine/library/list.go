package library

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall"
)

// entry is a note in a list.
type entry struct {
	Cite  string `json:"cite"`
	Vault string `json:"vault,omitempty"`
	Note  string `json:"note"`
	Saved string `json:"saved"`
}

type listed struct {
	shelf *shelf
	recall.Saved
}

// listSeen are the notes of all shelves that may be seen by their paths.
func (c *call) listSeen(ctx context.Context) (all []listed, err error) {
	for _, s := range c.shelves {
		seen, err := s.seenNotes(ctx)
		if err != nil {
			return nil, err
		}
		for _, n := range seen {
			all = append(all, listed{s, n})
		}
	}
	return all, nil
}

func (l *Library) listNotes(ctx context.Context, c *call) (any, error) {
	folder := norm.NFC.String(strings.Trim(path.Clean("/"+strings.TrimSpace(strings.ReplaceAll(c.Folder, `\`, "/"))), "/"))
	seen, err := c.listSeen(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(seen, func(n listed) bool {
		rel := norm.NFC.String(n.Rel)
		return folder != "" && (len(rel) <= len(folder) || rel[len(folder)] != '/' || !strings.EqualFold(rel[:len(folder)], folder))
	})
	if len(all) == 0 && folder != "" {
		return nil, mcp.Refusal(strings.TrimSpace("There is no such folder with notes that you may read. " + c.tellShut()))
	}
	return c.listEntries(ctx, all), nil
}

func (l *Library) listRecent(ctx context.Context, c *call) (any, error) {
	all, err := c.listSeen(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b listed) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Rel, b.Rel)) })
	return c.listEntries(ctx, all), nil
}

// listEntries are those of all that are on the disk.
func (c *call) listEntries(ctx context.Context, all []listed) list[entry] {
	tryDisks(ctx, c.shelves)
	return fillList(c, len(all), func(n int) (entry, int, bool) {
		at := all[n]
		shown, err := onDisk(ctx, at.shelf, func() (bool, error) { return at.shelf.isShown(at.Rel), nil })
		return entry{at.shelf.citeNote(ctx, at.Rel, nil), c.vaultName(at.shelf), at.Rel, time.Unix(0, at.Time).Format(time.DateTime)}, 2*len(at.Rel) + 80, err == nil && shown // without an answer of the disk it is hidden
	})
}
