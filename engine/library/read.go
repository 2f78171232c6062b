package library

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall/page"
)

// text is a note, or a part of one.
type text struct {
	Cite     string   `json:"cite"`
	Vault    string   `json:"vault,omitempty"`
	Note     string   `json:"note"`
	Start    int      `json:"from"` // line of the first byte of Text
	End      int      `json:"to"`
	Lines    int      `json:"lines"` // of the note
	Text     string   `json:"text"`
	Headings []string `json:"headings,omitempty"`
	Cursor   string   `json:"next,omitempty"`
}

// maxPage is how much of a note one answer holds.
const maxPage = 16 << 10

func (l *Library) readNote(ctx context.Context, c *call) (any, error) {
	sum := c.sumCall() // before a link says its heading
	s, rel, p, err := c.findPage(ctx)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(p.Source, []byte("\n"))
	if n := len(lines); n > 1 && len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	from, to, heads, err := c.chooseLines(p, len(lines))
	if err != nil {
		return nil, err
	}
	chosen := bytes.Join(lines[from-1:to], nil)
	if c.offset > len(chosen) {
		return nil, mcp.Refusal("The note is shorter now; read it again from its beginning.")
	}
	part, whole := cutPage(chosen[c.offset:])
	t := text{Cite: s.citeNote(ctx, rel, heads), Vault: c.vaultName(s), Note: rel, Lines: len(lines), Text: dropInvisible(strings.ToValidUTF8(string(part), "\uFFFD"))}
	t.Start = from + bytes.Count(chosen[:c.offset], []byte("\n"))
	t.End = max(t.Start, t.Start+bytes.Count(part, []byte("\n"))-1)
	if !whole {
		t.Cursor = fmt.Sprintf("%d-%s", c.offset+len(part), sum)
		t.Headings = listHeadings(p)
	}
	return t, nil
}

// chooseLines returns which lines of a note are asked for, and the headings above them.
func (c *call) chooseLines(p *page.Page, count int) (from, to int, heads []string, err error) {
	if c.To > 0 && c.From > c.To {
		return 0, 0, nil, mcp.Refusal(fmt.Sprintf("from is a line behind to; ask for lines %d to %d.", c.To, c.From))
	}
	if c.Heading == "" {
		from, to = max(c.From, 1), c.To
		if to == 0 || to > count {
			to = count
		}
		if from > to {
			return 0, 0, nil, mcp.Refusal(fmt.Sprintf("The note has %d lines.", count))
		}
		if c.From > 0 {
			heads = headsOf(p, from)
		}
		return from, to, heads, nil
	}
	all, to := p.Headings(), count
	for i, h := range all {
		if !sameHeading(h.Path[len(h.Path)-1], c.Heading) {
			continue
		}
		for _, next := range all[i+1:] {
			if len(next.Path) <= len(h.Path) {
				to = next.Line - 1
				break
			}
		}
		return h.Line, to, p.LinkTarget(page.Chunk{Path: h.Path}), nil
	}
	return 0, 0, nil, mcp.Refusal("The note has no such heading. It has: " + strings.Join(listHeadings(p), "; ") + ".")
}

// sameHeading reports whether a heading is the one that is asked for. Links leave some
// characters of it out.
func sameHeading(heading, asked string) bool {
	fold := func(h string) string {
		h = strings.Map(func(r rune) rune {
			if strings.ContainsRune("#^|[]\\:%", r) {
				return ' '
			}
			return r
		}, page.PlainHeading(h))
		return strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(h)), " "))
	}
	return fold(heading) == fold(asked)
}

// listHeadings are the headings of a note, as many as help.
func listHeadings(p *page.Page) (all []string) {
	for _, h := range p.Headings() {
		if len(all) == 60 {
			return append(all, "…")
		}
		all = append(all, cleanText(page.PlainHeading(h.Path[len(h.Path)-1])))
	}
	return all
}

// cutPage is what of a text fits into one answer, cut at a line's end where there is one, and
// whether that is all.
func cutPage(src []byte) ([]byte, bool) {
	if len(src) <= maxPage {
		return src, true
	}
	if at := bytes.LastIndexByte(src[:maxPage], '\n'); at > 0 {
		return src[:at+1], false
	}
	n := maxPage
	for n > maxPage-utf8.UTFMax && !utf8.RuneStart(src[n]) {
		n--
	}
	return src[:n], false
}
