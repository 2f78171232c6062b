package report

import (
	"fmt"
	"io"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
)

// Spoken prints an answer while it comes. What it says at the end is the answer, whatever came
// before; who hears nothing meanwhile prints it at once.
type Spoken struct {
	Output io.Writer

	shown string // of the answer
}

// Say prints the next piece. Printed text cannot be taken back: a text that begins anew is printed below it.
func (s *Spoken) Say(piece api.Said) {
	if piece.Anew {
		s.beginAnew("it begins anew")
	}
	s.shown += piece.Text
	printable.Fprintf(s.Output, "%s", printable.Text(piece.Text))
}

// Break ends what will not go on.
func (s *Spoken) Break() {
	if s.shown != "" {
		fmt.Fprintln(s.Output)
	}
}

func (s *Spoken) beginAnew(why string) {
	if s.shown != "" {
		fmt.Fprintf(s.Output, "\n\n(%s)\n\n", why)
	}
	s.shown = ""
}

// PrintAnswer prints what is still missing of an answer, and its sources.
func (s *Spoken) PrintAnswer(answer api.Answered) {
	rest, goesOn := strings.CutPrefix(answer.Answer, s.shown)
	if !goesOn {
		s.beginAnew("this is the answer")
		rest = answer.Answer
	}
	w := s.Output
	rest = strings.TrimRight(rest, "\n")
	if s.shown == "" { // what was said so far has the lines of its pieces
		rest = string(WrapText(w, rest, 0))
	}
	printable.Fprintf(w, "%s\n", printable.Text(rest))
	if len(answer.Sources) > 0 {
		printable.Fprintf(w, "\nsources%s:\n", inVault(answer.Vault))
	}
	for _, s := range answer.Sources {
		if s.Heading != "" {
			s.File += " › " + s.Heading
		}
		printable.Fprintf(w, "  %s\n", s.File)
	}
	if answer.File != "" {
		printable.Fprintf(w, "\nadded to %s; wiki undo %s takes it out\n", answer.File, answer.Dispatch)
	}
	if answer.Notice != "" {
		printable.Fprintf(w, "\n%s\n", answer.Notice)
	}
}

// inVault says which vault was asked, where there are several.
func inVault(name string) string {
	if name == "" {
		return ""
	}
	return " in " + name
}
