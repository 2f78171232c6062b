// Package merge brings two versions of a text together that were made from one. It is pure text.
package merge

import (
	"bytes"
	"slices"
)

// Lines brings together two versions of a text that were made from one base, line
// by line. Where one version has changed something its lines are taken, where both
// have changed the same in the same way it is taken once. It fails where they have
// changed one place in different ways, and where there is more to change than is
// worth the work.
func Lines(base, a, b []byte) (merged []byte, ok bool) {
	ids := make(map[string]int)
	old, one, other := lineIDs(base, ids), lineIDs(a, ids), lineIDs(b, ids)
	ours, ok := findChanges(old.ids, one.ids)
	if !ok {
		return nil, false
	}
	theirs, ok := findChanges(old.ids, other.ids)
	if !ok {
		return nil, false
	}
	var out [][]byte
	at := 0
	take := func(c change, from [][]byte) {
		out = append(append(out, old.lines[at:c.oldStart]...), from[c.start:c.end]...)
		at = c.oldEnd
	}
	for len(ours) > 0 || len(theirs) > 0 {
		switch {
		case len(theirs) == 0 || len(ours) > 0 && ours[0].isBefore(theirs[0]):
			take(ours[0], one.lines)
			ours = ours[1:]
		case len(ours) == 0 || theirs[0].isBefore(ours[0]):
			take(theirs[0], other.lines)
			theirs = theirs[1:]
		case ours[0].oldStart == theirs[0].oldStart && ours[0].oldEnd == theirs[0].oldEnd &&
			slices.Equal(one.ids[ours[0].start:ours[0].end], other.ids[theirs[0].start:theirs[0].end]):
			take(ours[0], one.lines)
			ours, theirs = ours[1:], theirs[1:]
		default:
			return nil, false
		}
	}
	out = append(out, old.lines[at:]...)
	return bytes.Join(out, nil), haveLineEnds(out)
}

// Changed says of each item of two lists whether it is in that list alone: the rest is the same in both, in the same order. It
// fails where there is more to change than is worth the work.
func Changed(a, b []string) (inA, inB []bool, ok bool) {
	ids := make(map[string]int)
	changes, ok := findChanges(number(a, ids), number(b, ids))
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	for _, c := range changes {
		for i := c.oldStart; i < c.oldEnd; i++ {
			inA[i] = true
		}
		for i := c.start; i < c.end; i++ {
			inB[i] = true
		}
	}
	return inA, inB, ok
}

// haveLineEnds reports whether every line but the last has its end: otherwise a line that
// was the last of its version would run into the next.
func haveLineEnds(lines [][]byte) bool {
	for i, line := range lines {
		if i < len(lines)-1 && !bytes.HasSuffix(line, []byte("\n")) && !bytes.HasSuffix(line, []byte("\r")) {
			return false
		}
	}
	return true
}

// numbered is a text cut into lines, line ends included; equal lines have equal
// numbers.
type numbered struct {
	lines [][]byte
	ids   []int
}

func lineIDs(src []byte, ids map[string]int) numbered {
	var lines [][]byte
	for len(src) > 0 {
		n := lineLength(src)
		lines, src = append(lines, src[:n]), src[n:]
	}
	return numbered{lines, number(lines, ids)}
}

// number gives equal items equal numbers, also those of other lists with the same ids.
func number[T string | []byte](list []T, ids map[string]int) []int {
	numbers := make([]int, len(list))
	for i, item := range list {
		id, known := ids[string(item)]
		if !known {
			id = len(ids)
			ids[string(item)] = id
		}
		numbers[i] = id
	}
	return numbers
}

// lineLength is the length of the first line of a text with its end: LF, CRLF or a lone CR.
func lineLength(src []byte) int {
	i := bytes.IndexAny(src, "\r\n")
	switch {
	case i < 0:
		return len(src)
	case src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n':
		return i + 2
	}
	return i + 1
}

// change says that the lines [from, to) of the base became the lines [start, end).
type change struct{ oldStart, oldEnd, start, end int }

// isBefore reports whether c can be made before d without a doubt about their order.
func (c change) isBefore(d change) bool {
	bothAdd := c.oldStart == c.oldEnd && d.oldStart == d.oldEnd
	return c.oldEnd < d.oldStart || c.oldEnd == d.oldStart && !bothAdd
}

// mostChanges is how many lines may have been added and removed in all. The search
// takes room and time with its square.
const mostChanges = 500

// findChanges is the shortest way from a to b, after Myers: An O(ND) Difference
// Algorithm and Its Variations (1986).
func findChanges(a, b []int) ([]change, bool) {
	n, m := len(a), len(b)
	zero := mostChanges + 1
	reach := make([]int, 2*mostChanges+3) // by diagonal: how far into a
	var rounds [][]int                    // reach before each round, around the diagonal 0
	for d := 0; d <= mostChanges; d++ {
		rounds = append(rounds, slices.Clone(reach[zero-d-1:zero+d+2]))
		for k := -d; k <= d; k += 2 {
			x := reach[zero+k-1] + 1
			if isAddition(reach[zero-d-1:zero+d+2], d, k) {
				x = reach[zero+k+1]
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			reach[zero+k] = x
			if x >= n && x-k >= m {
				return traceChanges(rounds, n, m), true
			}
		}
	}
	return nil, false
}

// isAddition reports whether diagonal k is reached in round d by adding a line of b, and
// not by leaving out one of a.
func isAddition(reach []int, d, k int) bool {
	return k == -d || k != d && reach[d+k] < reach[d+k+2]
}

// traceChanges walks back through the rounds and joins adjacent steps into changes.
func traceChanges(rounds [][]int, x, y int) []change {
	var list []change
	for d := len(rounds) - 1; d > 0; d-- {
		k := x - y
		from := k - 1
		if isAddition(rounds[d], d, k) {
			from = k + 1
		}
		px := rounds[d][d+1+from]
		py := px - from
		c := change{px, px + 1, py, py}
		if from == k+1 {
			c = change{px, px, py, py + 1}
		}
		if n := len(list); n > 0 && list[n-1].oldStart == c.oldEnd && list[n-1].start == c.end {
			list[n-1].oldStart, list[n-1].start = c.oldStart, c.start
		} else {
			list = append(list, c)
		}
		x, y = px, py
	}
	slices.Reverse(list)
	return list
}
