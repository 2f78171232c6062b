package page

import (
	"path"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/recall/terms"
)

// Reference is a link of a note to another one, as it was written. Package
// linkgraph finds out which note it means.
type Reference struct {
	Path   string // lower case, without .md; "./" before it where it starts at the note's folder
	Key    string // its last element, by which notes are looked up
	Anchor string // the heading it leads to, as anchorKey writes it; "" for none and for a block
}

var (
	inlineRefs = lazyregexp.New(`\]\(\s*(<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)`)
	codeSpans  = lazyregexp.New("`[^`]*`")
)

// attachments are the extensions of files that are not notes.
var attachments = terms.Set(`.png .jpg .jpeg .gif .svg .webp .bmp .avif .heic .pdf .mp3 .mp4 .m4a .mov .wav .ogg .webm
	.zip .canvas .base .excalidraw .csv .json .html .txt .css .js`)

// addReferences takes the links of one line: wikilinks, markdown links and embeds.
func (p *Page) addReferences(line string) {
	wiki, inline := strings.Contains(line, "[["), strings.Contains(line, "](")
	if !wiki && !inline || !isShown(line) {
		return
	}
	line = codeSpans().ReplaceAllString(line, " ")
	if wiki {
		for l, ok := wikilink.Next(line, 0); ok; l, ok = wikilink.Next(line, l.End) {
			p.addReference(strings.TrimSuffix(l.To, `\`), false) // in a table the | is escaped
		}
	}
	if inline {
		for _, m := range inlineRefs().FindAllStringSubmatch(line, -1) {
			p.addReference(strings.Trim(m[1], "<>"), true)
		}
	}
}

// addReference keeps one link. One of the markdown kind is percent-encoded and starts
// at the note's folder.
func (p *Page) addReference(target string, markdown bool) {
	if strings.Contains(target, ":") && (strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:")) {
		return
	}
	target, anchor, _ := strings.Cut(target, "#")
	if markdown {
		target, anchor = filename.Unescape(target), filename.Unescape(anchor)
		if !strings.HasPrefix(target, "/") {
			target = "./" + strings.TrimPrefix(target, "./")
		}
	} else if strings.HasPrefix(anchor, "^") || strings.Contains(target, "^") {
		target, _, _ = strings.Cut(target, "^")
		anchor = ""
	}
	r := Reference{Path: LinkPath(target), Anchor: anchorKey(anchor)}
	r.Key = path.Base(r.Path)
	if r.Path == "" || r.Key == "." || r.Key == "/" || attachments[path.Ext(r.Key)] {
		return
	}
	if p.linked == nil {
		p.linked = make(map[Reference]bool)
	}
	if !p.linked[r] {
		p.linked[r] = true
		p.References = append(p.References, r)
	}
}

// LinkPath is the path of a target as links are compared.
func LinkPath(target string) string {
	target = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(target, `\`, "/")))
	target = filename.TrimExtension(target)
	relative := strings.HasPrefix(target, "./")
	if target = strings.TrimPrefix(target, "./"); target == "" {
		return ""
	}
	target = path.Clean(target)
	if relative {
		return "./" + target
	}
	return target
}

// anchorKey is a heading as anchors are compared: letters and digits alone. In a path
// of headings the last one counts.
func anchorKey(anchor string) string {
	if strings.HasPrefix(anchor, "^") {
		return ""
	}
	if i := strings.LastIndexByte(anchor, '#'); i >= 0 {
		anchor = anchor[i+1:]
	}
	return terms.IndexedName(strings.ReplaceAll(anchor, "-", " "))
}
