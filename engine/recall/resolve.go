package recall

import (
	"path"
	"strings"
)

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
