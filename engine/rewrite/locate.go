package rewrite

import (
	"strings"

	"vaultdispatcher/engine/note"
)

// locate finds for each place the marker it has become, or -1. A marker is used
// once and its line must be exactly the place's. Among equal lines the one with
// the same neighbours is preferred, then the same ordinal, then the nearest
// line; the surest pairs are made first, so that a sure place is never robbed
// by an unsure one.
func locate(markers []note.Marker, places []Place) []int {
	found := make([]int, len(places))
	for i := range found {
		found[i] = -1
	}
	used := make([]bool, len(markers))
	equal := byText(markers, places)
	for likeness := 5; likeness >= 0; likeness-- {
		for i, p := range places {
			if found[i] >= 0 {
				continue
			}
			best := -1
			for _, m := range equal[string(p.Text)] {
				if used[m] || alike(markers[m], p) < likeness {
					continue
				}
				if best < 0 || away(markers[m], p) < away(markers[best], p) {
					best = m
				}
			}
			if best >= 0 {
				found[i], used[best] = best, true
			}
		}
	}
	return found
}

// byText lists for each place's line the markers that have it.
func byText(markers []note.Marker, places []Place) map[string][]int {
	equal := make(map[string][]int, len(places))
	for _, p := range places {
		equal[string(p.Text)] = nil
	}
	for i, m := range markers {
		if at, ok := equal[m.Text]; ok {
			equal[m.Text] = append(at, i)
		}
	}
	return equal
}

// alike says how sure it is, from 0 to 5, that a marker with a place's line is
// that place's.
func alike(m note.Marker, p Place) int {
	n := 0
	if m.Before == string(p.Before) {
		n += 2
	}
	if m.After == string(p.After) {
		n += 2
	}
	if m.Ordinal == p.Ordinal {
		n++
	}
	return n
}

func away(m note.Marker, p Place) int {
	return max(m.Line-p.Line, p.Line-m.Line)
}

// standing reports which of the missing places' answers already stand in the
// note as response blocks: written by an earlier call whose end the caller never
// learned of. Each block counts for one answer.
func standing(src []byte, answers []string, missing []int) map[int]bool {
	there := make(map[int]bool)
	if len(missing) == 0 {
		return there
	}
	blocks := make([]string, len(missing))
	for n, i := range missing {
		blocks[n] = string(note.Respond([]byte("\n"), note.Marker{}, answers[i]).New)
	}
	open, _, _ := strings.Cut(blocks[0], "\n")
	text := bare(string(src), open)
	left := make(map[string]int)
	for n, i := range missing {
		block := bare(blocks[n], open)
		if _, ok := left[block]; !ok {
			left[block] = strings.Count(text, block)
		}
		if left[block] > 0 {
			left[block]--
			there[i] = true
		}
	}
	return there
}

// bare strips every line of what its surroundings may have put around it, so
// that the same block compares equal in a quote, a list and the open text. Only
// a block's first line, open, can stand behind a list's bullet.
func bare(text, open string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n>")
		if strings.HasSuffix(line, open) {
			line = open
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}
