package gather

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/recall/page"
)

// patience is how long notes are looked through for a tag.
const patience = 1500 * time.Millisecond

// takeTagged looks through the vault for a tag, or one below it.
func (g *gathering) takeTagged(tag string) {
	begun, found := time.Now(), 0
	tag = strings.ToLower(tag)
	for i, rel := range g.notes {
		if g.ctx.Err() != nil {
			return
		}
		if time.Since(begun) > patience {
			g.leaveNote("#"+tag, fmt.Sprintf("%d of %d notes were not looked through for it", len(g.notes)-i, len(g.notes)))
			break
		}
		if g.WhyNot(rel) != "" {
			continue
		}
		p, err := g.readPage(rel)
		if err == nil && hasTag(p, tag) {
			g.takeNote(rel, "", material.Named)
			found++
		}
	}
	if found == 0 {
		g.leaveNote("#"+tag, "no note has this tag")
	}
}

// hasTag reports whether a note has a tag, or one below it, in its properties or its text.
func hasTag(p *page.Page, tag string) bool {
	is := func(t string) bool {
		t = strings.ToLower(strings.TrimPrefix(t, "#"))
		return t == tag || strings.HasPrefix(t, tag+"/")
	}
	if slices.ContainsFunc(p.Tags, is) {
		return true
	}
	for _, b := range p.Blocks {
		if !b.IsProse() {
			continue
		}
		text := p.Text(b)
		if !strings.Contains(text, "#") {
			continue
		}
		for _, m := range inlineTag().FindAllStringSubmatch(text, -1) {
			if is(m[1]) {
				return true
			}
		}
	}
	return false
}

// inlineTag is a tag as https://help.obsidian.md/tags has it: behind a blank, and not of digits alone.
var inlineTag = lazyregexp.New(`(?m)(?:^|[\s(,])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)`)
