package note

import "slices"

// KeysBeside are the keys by which markers are found again in another note: by their first line and each of the neighbours. A
// marker that stands beside one of those of a trace, or between both, shares one with it ([Trace.IsBeside], [Trace.IsBetween]).
func KeysBeside(traces ...Trace) (keys []string) {
	for _, t := range traces {
		line := FoldHead(t.Text)
		keys = append(keys, line+"\nbelow "+FoldNeighbour(t.Before), line+"\nabove "+FoldNeighbour(t.After))
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
