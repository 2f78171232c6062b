package follow

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// place is an answer between its neighbours.
type place struct {
	key          string // hash of the answer
	upper, lower string
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return string(sum[:16])
}

func keysOf(places []place) []string {
	keys := make([]string, len(places))
	for i, p := range places {
		keys[i] = p.key
	}
	return keys
}

// findBlocks returns the response blocks of a note.
func findBlocks(src []byte) (all []place) {
	if !bytes.Contains(src, []byte("<!--")) {
		return nil
	}
	lines := note.Lines(src)
	begin, before, last := -1, "", ""
	var closed []int // those whose neighbour below comes next
	for i, line := range lines {
		if strings.Trim(line, " \t>") == "" {
			continue
		}
		for _, n := range closed {
			all[n].lower = note.Neighbour([]byte(line))
		}
		closed = nil
		switch {
		case !note.IsTag(line):
		case !isEnd(line):
			begin, before = i, last
		case begin >= 0:
			closed = append(closed, len(all))
			all = append(all, place{key: hashText(strings.Join(lines[begin:i+1], "\n")), upper: before})
			begin = -1
		}
		last = note.Neighbour([]byte(line))
	}
	return all
}

// isEnd reports whether a line that is a tag is the last one of a block.
func isEnd(tag string) bool {
	_, rest, _ := strings.Cut(tag, "<!--")
	return strings.HasPrefix(strings.TrimLeft(rest, " \t"), "/")
}

// placesOf returns where a marker was answered. The place of its question is no sign: a note made from
// the same template has it between the same neighbours.
func placesOf(m journal.Marker) []place {
	all := findBlocks(m.Block.Text)
	if len(all) == 0 {
		return nil
	}
	all = all[:1]
	all[0].upper, all[0].lower = string(m.Block.Upper), string(m.Block.Lower)
	return all
}

// countAlike counts the places of a note that is gone which another note has too, except that note's
// own.
func countAlike(gone, stand, own []place) int {
	left := make(map[string][]place)
	for _, p := range stand {
		left[p.key] = append(left[p.key], p)
	}
	take := func(list []place) (n int) {
		for _, p := range list {
			if i := slices.IndexFunc(left[p.key], p.isAt); i >= 0 {
				left[p.key] = slices.Delete(left[p.key], i, i+1)
				n++
			}
		}
		return n
	}
	take(own)
	return take(gone)
}

// isAt reports whether two places are the same: between the same neighbours, or beside one of them.
// The neighbour of an answer may be another answer by now, and below the end of a note a person may
// have written more.
func (p place) isAt(s place) bool {
	beside := p.upper != "" && p.upper == s.upper || p.lower != "" && p.lower == s.lower
	may := func(then, now string) bool { return then == now || then == "" || note.IsTag(now) }
	return beside || may(p.upper, s.upper) && may(p.lower, s.lower)
}
