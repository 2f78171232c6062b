package note

import "flag"

var (
	seed        = flag.Uint64("seed", 0, "replay random notes from this seed; 0 = a new one")
	randomNotes = flag.Int("notes", 1000/fewer, "how many random notes get progress comments")
)
