package report

import (
	"cmp"
	"fmt"
	"io"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
)

// PrintProposed prints what each answer would change in its note.
func PrintProposed(w io.Writer, list []api.Proposal) {
	if len(list) == 0 {
		printable.Fprintln(w, "no answer waits for your approval")
		return
	}
	for _, p := range list {
		printable.Fprintf(w, "%s  %s  %s: %s\n", p.ID, p.Where(), p.Key, p.Instruction)
		for _, answer := range p.Answers {
			for _, why := range answer.Cleaned {
				printable.Fprintf(w, "  %s\n", why)
			}
		}
		if p.Diff == "" {
			printable.Fprintln(w, cmp.Or(p.Problem, "The note has this answer already."))
		}
		printable.Fprintf(w, "%s\n", printable.Text(p.Diff))
	}
	fmt.Fprintln(w, "wiki accept ID writes one into its note, wiki reject ID does not")
}
