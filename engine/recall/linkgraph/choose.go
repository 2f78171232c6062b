package linkgraph

import (
	"path"
	"strings"
)

// Note is a note that a link may mean.
type Note struct {
	ID  int64
	Rel string
}

// chooseNote is the place that a link in the note from means: the one at exactly
// that path, then one whose path ends so, in the folder of from if possible and
// else the one with the shortest path, as note apps choose.
func chooseNote(from, target string, places []Note) (Note, bool) {
	stem := func(p Note) string { return strings.ToLower(strings.TrimSuffix(p.Rel, path.Ext(p.Rel))) }
	at := func(want string) (Note, bool) {
		for _, p := range places {
			if stem(p) == want {
				return p, true
			}
		}
		return Note{}, false
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
	var best Note
	rank := func(p Note) int {
		n := len(p.Rel)
		if dir != "." && !strings.HasPrefix(stem(p), dir+"/") {
			n += 1 << 16
		}
		return n
	}
	for _, p := range places {
		if !strings.HasSuffix(stem(p), "/"+rest) {
			continue
		}
		if best.ID == 0 || rank(p) < rank(best) || rank(p) == rank(best) && p.Rel < best.Rel {
			best = p
		}
	}
	return best, best.ID != 0
}
