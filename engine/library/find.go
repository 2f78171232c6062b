package library

import (
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/page"
)

// place is a passage as a client reads it.
type place struct {
	Cite    string `json:"cite"`
	Vault   string `json:"vault,omitempty"`
	Note    string `json:"note"`
	Heading string `json:"heading,omitempty"`
	Line    int    `json:"line,omitempty"`
	Reason  string `json:"why,omitempty"`
	Text    string `json:"text"`
}

// reach is how many passages of a vault an answer and those that follow it have at most.
const reach = 50

type ranked struct {
	shelf  *shelf
	rank   int
	reason string
	recall.Passage
}

// vaultName is the name of a shelf where it tells anything.
func (c *call) vaultName(s *shelf) string {
	if len(c.shelves) == 1 {
		return ""
	}
	return s.Name
}

func (l *Library) findPassages(ctx context.Context, c *call) (any, error) {
	if strings.TrimSpace(c.Query) == "" {
		return nil, mcp.Refusal("search needs a query.")
	}
	var found []ranked
	var notices []string
	results, errs := make([]recall.Result, len(c.shelves)), make([]error, len(c.shelves))
	eachOf(c.shelves, func(n int, s *shelf) {
		results[n], errs[n] = onDisk(ctx, s, func() (recall.Result, error) {
			return s.Index.Find(ctx, c.Query, recall.SearchOptions{Limit: reach})
		})
	})
	tryDisks(ctx, c.shelves)
	for n, s := range c.shelves {
		if errs[n] != nil {
			if !s.silent { // the list names silent vaults
				notices = append(notices, "The vault "+s.Name+" cannot be searched now.")
			}
			continue
		}
		for i, p := range results[n].Passages {
			found = append(found, ranked{s, i, "", p})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return recall.CompareRanks(a.rank, a.Passage, b.rank, b.Passage) })
	out := c.listPassages(ctx, found)
	out.Notice = strings.TrimSpace(strings.Join(notices, " ") + " " + out.Notice)
	return out, nil
}

func (l *Library) findRelated(ctx context.Context, c *call) (any, error) {
	s, rel, p, err := c.findPage(ctx)
	if err != nil {
		return nil, err
	}
	found, err := onDisk(ctx, s, func() (found []ranked, err error) {
		list, err := s.Index.Related(ctx, rel, string(p.Source[:min(len(p.Source), 64<<10)]), recall.RelatedOptions{
			Limit: reach, Words: math.MaxInt, Exclude: recall.Lines{Note: rel, Start: 1, End: math.MaxInt},
			Skip: func(other string) bool { return other == rel || !s.isShown(other) },
		})
		for i, r := range list {
			found = append(found, ranked{s, i, r.Reason, r.Passage})
		}
		return found, err
	})
	return c.listPassages(ctx, found), err
}

// listPassages are those of found that may be seen. The disk is asked about each.
func (c *call) listPassages(ctx context.Context, found []ranked) list[place] {
	return fillList(c, len(found), func(n int) (place, int, bool) {
		f := found[n]
		shown, err := onDisk(ctx, f.shelf, func() (bool, error) { return f.shelf.isShown(f.Note), nil })
		if err != nil || !shown { // without an answer of the disk it is hidden
			return place{}, 0, false
		}
		text := cleanText(f.Text)
		return place{Cite: wikilink.WithoutLabel(f.Link), Vault: c.vaultName(f.shelf), Note: f.Note, Heading: f.Heading, Line: f.Line, Reason: f.reason, Text: text}, len(text) + 200, true
	})
}

func (l *Library) findBacklinks(ctx context.Context, c *call) (any, error) {
	s, rel, target, err := c.findPage(ctx)
	if err != nil {
		return nil, err
	}
	from, err := s.Index.Backlinks(ctx, rel)
	if err != nil {
		return nil, err
	}
	from = slices.DeleteFunc(from, func(other string) bool { return s.hidesNote(other) })
	return fillList(c, len(from), func(n int) (place, int, bool) {
		p, err := s.readPage(ctx, from[n])
		if err != nil {
			return place{}, 0, false
		}
		line, text := lineOfLink(p, rel, target.Names)
		heads := headsOf(p, line)
		text = cleanText(text)
		return place{Cite: s.citeNote(ctx, from[n], heads), Vault: c.vaultName(s), Note: from[n], Line: line, Text: text}, len(text) + 200, true
	}), nil
}

// lineOfLink is the first line of a note that has a link to another, which answers to these
// names; 0 where none is seen to.
func lineOfLink(p *page.Page, target string, names []string) (int, string) {
	var wanted []string
	for _, name := range append([]string{filename.TrimExtension(target)}, names...) {
		name = strings.ToLower(norm.NFC.String(name))
		wanted = append(wanted, name, strings.ReplaceAll(name, " ", "%20"))
	}
	n := 0
	for line := range strings.Lines(string(p.Source)) {
		n++
		lower := strings.ToLower(norm.NFC.String(line))
		if !strings.Contains(lower, "[[") && !strings.Contains(lower, "](") {
			continue
		}
		for _, name := range wanted {
			if name != "" && strings.Contains(lower, name) {
				return n, strings.TrimSpace(line)
			}
		}
	}
	return 0, ""
}

// headsOf is the heading above a line, as a link names it.
func headsOf(p *page.Page, line int) (heads []string) {
	for _, h := range p.Headings() {
		if h.Line <= line {
			heads = p.LinkTarget(page.Chunk{Path: h.Path})
		}
	}
	return heads
}

// cleanText is a text for one of several results: without what has no shape, and cut where it is
// too long.
func cleanText(text string) string {
	if text = dropInvisible(text); len(text) > maxItem {
		text = strings.ToValidUTF8(text[:maxItem], "") + " …"
	}
	return text
}

// dropInvisible drops what has no shape: it hides text from the person who reads the note.
func dropInvisible(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && replies.IsInvisible(r) {
			return -1
		}
		return r
	}, text)
}
