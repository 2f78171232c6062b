package progress

import (
	"flag"

	"vaultdispatcher/engine/note/testdata/samples"
)

var randomNotes = flag.Int("notes", 1000/samples.Fewer, "how many random notes get progress comments")
