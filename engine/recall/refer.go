package recall

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// reference is a link of a note to another one, as it was written. Which note
// it means is found out when somebody asks, so that a note that comes, goes or
// moves changes nothing but its own rows.
type reference struct {
	path   string // lower case, without .md; "./" before it where it starts at the note's folder
	key    string // its last element, by which notes are looked up
	anchor string // the heading it leads to, as anchorOf writes it; "" for none and for a block
}

var (
	wikiRefs   = regexp.MustCompile(`\[\[([^\[\]\n]+)\]\]`)
	inlineRefs = regexp.MustCompile(`\]\(\s*(<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)`)
	codeSpans  = regexp.MustCompile("`[^`]*`")
)

// attachments are the ends of names that are no notes.
var attachments = wordSet(`.png .jpg .jpeg .gif .svg .webp .bmp .avif .heic .pdf .mp3 .mp4 .m4a .mov .wav .ogg .webm
	.zip .canvas .base .excalidraw .csv .json .html .txt .css .js`)

// refer takes the links of one line: wikilinks, markdown links and embeds.
func (p *page) refer(line string) {
	wiki, inline := strings.Contains(line, "[["), strings.Contains(line, "](")
	if !wiki && !inline || !shown(line) {
		return
	}
	line = codeSpans.ReplaceAllString(line, " ")
	if wiki {
		for _, m := range wikiRefs.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(m[1], "|")
			p.addRef(strings.TrimSuffix(target, `\`), false) // in a table the | is escaped
		}
	}
	if inline {
		for _, m := range inlineRefs.FindAllStringSubmatch(line, -1) {
			p.addRef(strings.Trim(m[1], "<>"), true)
		}
	}
}

// addRef keeps one link. One of the markdown kind is percent-encoded and starts
// at the note's folder.
func (p *page) addRef(target string, markdown bool) {
	if strings.Contains(target, ":") && (strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:")) {
		return
	}
	target, anchor, _ := strings.Cut(target, "#")
	if markdown {
		target, anchor = unescape(target), unescape(anchor)
		if !strings.HasPrefix(target, "/") {
			target = "./" + strings.TrimPrefix(target, "./")
		}
	} else if strings.HasPrefix(anchor, "^") || strings.Contains(target, "^") {
		target, _, _ = strings.Cut(target, "^")
		anchor = ""
	}
	r := reference{path: refPath(target), anchor: anchorOf(anchor)}
	r.key = path.Base(r.path)
	if r.path == "" || r.key == "." || r.key == "/" || attachments[path.Ext(r.key)] {
		return
	}
	if p.linked == nil {
		p.linked = make(map[reference]bool)
	}
	if !p.linked[r] {
		p.linked[r] = true
		p.refs = append(p.refs, r)
	}
}

func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// refPath is the path of a target as links are compared.
func refPath(target string) string {
	target = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(target, `\`, "/")))
	target = strings.TrimSuffix(target, ".md")
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

// anchorOf is a heading as anchors are compared: letters and digits alone. Of a
// path of headings the last one counts.
func anchorOf(anchor string) string {
	if strings.HasPrefix(anchor, "^") {
		return ""
	}
	if i := strings.LastIndexByte(anchor, '#'); i >= 0 {
		anchor = anchor[i+1:]
	}
	return indexedName(strings.ReplaceAll(anchor, "-", " "))
}

// place is a note that a link may mean.
type place struct {
	id  int64
	rel string
}

// meant is the place that a link in the note from means: the one at exactly
// that path, then one whose path ends so, in the folder of from if possible and
// else the one with the shortest path, as note apps choose.
func meant(from, target string, places []place) (place, bool) {
	stem := func(p place) string { return strings.ToLower(strings.TrimSuffix(p.rel, path.Ext(p.rel))) }
	at := func(want string) (place, bool) {
		for _, p := range places {
			if stem(p) == want {
				return p, true
			}
		}
		return place{}, false
	}
	dir := strings.ToLower(path.Dir(from))
	rest, relative := strings.CutPrefix(target, "./")
	if relative || strings.HasPrefix(rest, "../") {
		if p, ok := at(path.Join(dir, rest)); ok {
			return p, true
		}
		for strings.HasPrefix(rest, "../") {
			rest = rest[3:]
		}
	}
	rest = strings.TrimPrefix(rest, "/")
	if p, ok := at(rest); ok {
		return p, true
	}
	var best place
	rank := func(p place) int {
		n := len(p.rel)
		if dir != "." && !strings.HasPrefix(stem(p), dir+"/") {
			n += 1 << 16
		}
		return n
	}
	for _, p := range places {
		if !strings.HasSuffix(stem(p), "/"+rest) {
			continue
		}
		if best.id == 0 || rank(p) < rank(best) || rank(p) == rank(best) && p.rel < best.rel {
			best = p
		}
	}
	return best, best.id != 0
}
