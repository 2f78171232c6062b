//go:build recalleval

package recallbench

import (
	"hash/fnv"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linkedManuals are the manuals of both languages as notes of a vault, with the
// references between their pages as links.
func linkedManuals(t testing.TB) *corpus {
	t.Helper()
	c := &corpus{notes: make(map[string]string)}
	for _, file := range files(t, *pods, "*.pod") {
		if name := strings.TrimSuffix(filepath.Base(file), ".pod"); !strings.HasSuffix(name, "delta") {
			c.add("Perl/"+name+".md", fromPod(podLinks(unwrapped(read(t, file)))))
		}
	}
	pages := make(map[string]string)
	labels := make(map[string]string)
	for _, file := range append(files(t, *rsts, "*/*.rst.txt"), files(t, *rsts, "*.rst.txt")...) {
		dir, name := filepath.Split(strings.TrimSuffix(file, ".rst.txt"))
		if dir = filepath.Base(dir); dir == "whatsnew" { // they name every module there is
			continue
		}
		pages["Python/"+dir+"/"+name] = unwrapped(read(t, file))
		for _, m := range rstLabel.FindAllStringSubmatch(pages["Python/"+dir+"/"+name], -1) {
			labels[strings.ToLower(m[1])] = name
		}
		if dir == "library" {
			labels["module "+name] = name
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(pages)) {
		c.add(rel+".md", fromRst(rstLinks(pages[rel], labels)))
	}
	return c
}

var (
	podLink  = regexp.MustCompile(`L<(?:[^<>|]*\|)?([A-Za-z0-9_:]+)(?:/[^<>]*)?>`)
	rstLabel = regexp.MustCompile(`(?m)^\.\. _([^:\n]+):`)
	rstRef   = regexp.MustCompile(":(ref|mod|func|class|meth|exc|doc):`[!~]?(?:[^`<]*<)?([^`<>]+)>?`")
)

func podLinks(text string) string { return podLink.ReplaceAllString(text, "[[$1]]") }

// rstLinks makes a link of a reference to a page, to a label in one, to a module
// or to something in a module.
func rstLinks(text string, labels map[string]string) string {
	return rstRef.ReplaceAllStringFunc(text, func(ref string) string {
		m := rstRef.FindStringSubmatch(ref)
		name := labels[strings.ToLower(m[2])]
		switch m[1] {
		case "ref":
		case "doc":
			name = path.Base(m[2])
		default:
			for module := strings.TrimSuffix(m[2], "()"); name == "" && module != ""; {
				name = labels["module "+module]
				module = module[:max(strings.LastIndexByte(module, '.'), 0)]
			}
		}
		if name == "" {
			return ref
		}
		return "[[" + name + "]]"
	})
}

// unwrapped puts the lines of each paragraph that is not indented into one.
func unwrapped(text string) string {
	var out strings.Builder
	flowing := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		plain := line != "" && strings.IndexByte(" .=-~^*#+|", line[0]) < 0
		switch {
		case flowing && plain:
			out.WriteByte(' ')
		case out.Len() > 0:
			out.WriteByte('\n')
		}
		out.WriteString(line)
		flowing = plain
	}
	return out.String()
}

// paragraphs takes the links to other notes out of n paragraphs, chosen by their
// text, and returns what is left of these.
func (c *corpus) paragraphs(n int) []question {
	all := len((&corpus{notes: maps.Clone(c.notes), order: c.order}).hide(func(string) bool { return true }))
	return c.hide(func(text string) bool {
		h := fnv.New32a()
		h.Write([]byte(text))
		return h.Sum32()%uint32(all) < uint32(n)
	})
}
