package note

import (
	"slices"
	"strings"
)

// KeysBeside are the keys by which markers are found again in another note: by their first line and each of the neighbours, or
// by having none. A marker that stands beside one of those of a trace, or between both, shares one with it ([Trace.IsBeside],
// [Trace.IsBetween]). Either may go on in lines that are the neighbours of the other ([ParseCut]).
func KeysBeside(traces ...Trace) (keys []string) {
	for _, t := range traces {
		head := Neighbour([]byte(FoldHead(t.Text)))
		if t.Before == "" && t.After == "" {
			keys = append(keys, head+"\nalone")
		}
		if t.Before != "" {
			keys = append(keys, head+"\nbelow "+FoldNeighbour(t.Before))
		}
		if t.After != "" {
			keys = append(keys, head+"\nabove "+FoldNeighbour(t.After))
		}
		for _, line := range strings.Split(UnifyLineEnds(t.Text), "\n")[1:] {
			if !IsMute([]byte(line)) {
				keys = append(keys, head+"\nabove "+FoldNeighbour(Neighbour([]byte(line))))
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Keys are those of markers, and their first lines ([FoldHead]), whatever stands beside them.
func Keys(traces ...Trace) []string {
	keys := KeysBeside(traces...)
	for _, t := range traces {
		keys = append(keys, FoldHead(t.Text))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
