package page

import (
	"net/url"
	"path"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/wikilink"
)

// A link may start at its own note: with a heading, as in [[#Costs]], or with the way from its folder, as in ../b.md.
// Quoted in another note it would lead elsewhere. A path without leading dots is not changed: note apps look for it
// in the whole vault (https://help.obsidian.md/settings#New+link+format).

// ownLink is a link that starts at its own note, up to where the rest says the same everywhere; ownWay is so of its target.
var ownLink, ownWay = lazyregexp.New(`\]\(<?(?:#|(?:\.\.?/)+)`), lazyregexp.New(`^(?:#|(?:\.\.?/)+)`)

// findOwnLinks finds the beginnings of the links in double brackets, each with its ownWay.
func findOwnLinks(text string, _ int) [][]int {
	found := wikilink.Beginnings(text)
	for _, at := range found {
		at[1] += len(ownWay().FindString(text[at[1]:]))
	}
	return found
}

// leadBack returns the beginning of a link, which embeds nothing, as it is written in [Page.Reader].
func (p *Page) leadBack(link string) string {
	link = strings.TrimLeft(link, "!")
	own := strings.TrimLeft(link, "[](<")
	open, target := strings.TrimSuffix(link, own), filename.TrimExtension(p.rel)
	isWiki := open[0] == '['
	switch {
	case own == "":
		return link
	case isWiki && own == "#":
		if p.IsUnique {
			target = path.Base(target)
		}
		if strings.ContainsAny(target, wikiReserved) {
			return link
		}
	case own == "#":
		target = wayTo(path.Dir(p.Reader), p.rel)
	default:
		dir := path.Join(path.Dir(p.rel), own)
		if strings.HasPrefix(dir, "..") {
			return link
		}
		if !isWiki {
			dir = wayTo(path.Dir(p.Reader), dir)
		}
		if target, own = dir, "/"; dir == "." {
			target, own = "", ""
		}
	}
	if !isWiki {
		target = strings.NewReplacer("(", "%28", ")", "%29").Replace((&url.URL{Path: target}).EscapedPath())
	}
	return open + target + own
}

// wayTo is the relative path from a folder of the vault to something in it.
func wayTo(from, to string) string {
	up, steps := strings.FieldsFunc(path.Clean("/"+from), func(r rune) bool { return r == '/' }), strings.Split(to, "/")
	for len(up) > 0 && len(steps) > 0 && up[0] == steps[0] {
		up, steps = up[1:], steps[1:]
	}
	return path.Join(strings.Repeat("../", len(up)), path.Join(steps...))
}
