package report

import (
	"fmt"
	"io"
	"time"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// howTo is the command that releases what waits for you, by its kind.
func howTo(kind string) string {
	switch kind {
	case "budget":
		return "wiki release --kind budget starts them sooner"
	case "burst":
		return "wiki release --kind burst lists them and asks"
	case "untrusted":
		return "wiki release ID shows one whole and asks"
	}
	return "wiki release --all starts them"
}

// PrintHeld prints what was chosen of what is held, the kinds apart, each with what releases it.
func PrintHeld(w io.Writer, some api.HeldScope, list api.HeldList) {
	switch {
	case len(list.Kinds) > 0:
	case some == api.HeldScope{}:
		printable.Fprintln(w, "nothing waits for you")
	default:
		printable.Fprintln(w, "nothing of this waits for you")
	}
	for i, g := range list.Kinds {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printable.Fprintf(w, "%s (%s): %s\n  %s\n  %s\n", g.Kind, g.Title, wording.Count(g.Questions, "question"), g.Why, g.Does)
		told := ""
		for _, d := range g.Dispatches {
			printable.Fprintf(w, "%s  %s, %s: %s\n", d.ID, d.Where(), wording.Count(d.Markers, "question")+" to "+d.Role, d.Instruction)
			if why := untilText(d); why != told {
				told = why
				printable.Fprintf(w, "  %s\n", why)
			}
		}
		if n := g.Unlisted(); n > 0 {
			fmt.Fprintf(w, "%d newer ones are not listed\n", n)
		}
		printable.Fprintln(w, howTo(g.Kind))
	}
}

// untilText is why a dispatch is held, and until when where it starts by itself.
func untilText(d api.Dispatch) string {
	if d.NextAttemptAt == nil {
		return d.Error
	}
	return d.Error + ", at " + times.Clock(*d.NextAttemptAt, time.Now(), time.DateOnly)
}

// PrintReading prints all that a person has to know of a question before it is released.
func PrintReading(w io.Writer, d api.Detail) {
	kind := api.KindOf(d.Dispatch)
	printable.Fprintf(w, "%s  %s in %s: %s\n%s\n%s\n", d.ID, wording.Count(d.Markers, "question"), d.Where(), d.Error, kind.Why, kind.Does)
	for _, answer := range d.Answers {
		printable.Fprintf(w, "\nline %d, asked:\n%s\n", answer.Line, printable.Text(answer.Instruction))
	}
	printable.Fprintf(w, "\nsent to the agent:\n%s\n", printable.Text(d.Task))
	printable.Fprintf(w, "\nagent: %s, for the role %s\nit %s\n%s\n", wording.Answerer(d.Reading.Agent, d.Reading.Model), d.Role, d.Reading.Reach, d.Reading.Later)
}

// PrintReleased prints what was released, and what is left and how that is released.
func PrintReleased(w io.Writer, done api.Released) {
	for _, d := range done.Released {
		printable.Fprintln(w, StatusNow(d))
	}
	switch {
	case len(done.Released)+len(done.Refused) > 0:
	case len(done.Left) > 0:
		printable.Fprintln(w, "nothing was released")
	default:
		printable.Fprintln(w, "nothing waits for you")
	}
	for _, l := range done.Left {
		printable.Fprintf(w, "still waiting for you: %s, %s (%s); %s\n", wording.Count(l.Questions, "question"), l.Kind, l.Title, howTo(l.Kind))
	}
}
