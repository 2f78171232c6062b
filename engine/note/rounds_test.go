package note

import "flag"

var randomNotes = flag.Int("notes", 1000/fewer, "how many random notes get progress comments")
