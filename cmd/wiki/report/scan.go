package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// Scanned is what `wiki scan --json` prints for each file.
type Scanned struct {
	api.ScanResult
	NearMisses []NearMiss `json:"nearMisses"`
}

// NearMiss is a line that looks like a marker but does not count as one.
type NearMiss struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
	Mend   string `json:"mend,omitempty"` // as it would be taken up
}

// PrintScan prints what a look at a note has found.
func PrintScan(w io.Writer, r Scanned) {
	if r.Remembered {
		printable.Fprintf(w, "%s: remembered; many notes wait to be looked at, and it is when its turn comes\n", r.File)
	} else {
		printable.Fprintf(w, "%s: %s\n", r.File, wording.Count(r.Groups, "group"))
	}
	for _, g := range r.Details {
		printable.Fprintf(w, "  %s, %s: %s", g.Key, wording.Count(g.Markers, "marker"), wording.Status(g.Status))
		if g.Dispatch != "" {
			printable.Fprintf(w, " (%s)", g.Dispatch)
		}
		if g.Reason != "" {
			printable.Fprintf(w, "not started: %s", g.Reason)
		}
		fmt.Fprintln(w)
	}
	for _, m := range r.NearMisses {
		if m.Text == "" {
			printable.Fprintf(w, "  line %d: %s\n", m.Line, m.Reason)
			continue
		}
		printable.Fprintf(w, "  line %d is no marker: %s\n", m.Line, m.Reason)
		PrintMend(w, "    ", m.Mend)
	}
}

// PrintReasons prints why lines of a note are not answered.
func PrintReasons(w io.Writer, reasons []NearMiss, answered bool) {
	switch {
	case len(reasons) == 0 && answered:
		printable.Fprintln(w, "no question of this note is open; its answers are in it")
	case len(reasons) == 0:
		printBehind(w, "", "%s", "no line of this note asks an agent; write > @agent-Miner and a question on a line of its own")
	}
	for _, r := range reasons {
		printable.Fprintf(w, "line %d: %s\n", r.Line, r.Reason)
		PrintMend(w, "  ", r.Mend)
	}
}

// PrintAnswered names the answered questions of a note.
func PrintAnswered(w io.Writer, list []api.Dispatch) {
	if len(list) == 0 {
		return
	}
	printable.Fprintln(w, "answered; wiki dispatches show ID shows one:")
	PrintDispatches(w, list, api.Filter{})
}

// ReasonOf says in one sentence what a dispatch waits for; agents are those of the status.
func ReasonOf(d api.Detail, agents []api.Agent) string {
	away := whyNotReady(d.Role, agents)
	switch {
	case d.Status == "queued" && d.NextAttemptAt != nil && (d.Attempts == 0 || d.Answered): // no agent failed
		return fmt.Sprintf("%s; it is tried again at %s", cmp.Or(d.Error, "it waits"), d.NextAttemptAt.Local().Format(time.TimeOnly))
	case d.Status == "queued" && d.NextAttemptAt != nil:
		return fmt.Sprintf("attempt %d failed (%s); it is tried again at %s", d.Attempts, d.Error, d.NextAttemptAt.Local().Format(time.TimeOnly))
	case d.Status == "queued" && away != "":
		return "it is queued, and its agent is not ready: " + away
	case d.Status == "queued":
		return "it is queued; at most three agents run at once"
	case d.Status == "processing" && d.Runner == "worker" && away != "":
		return "it was given to a worker that is away now, and goes to the next one: " + away
	case d.Status == "processing":
		return fmt.Sprintf("an agent (%s) is working on it", wording.Answerer(d.Runner, ""))
	case d.Status == "failed":
		return fmt.Sprintf("it failed: %s; wiki retry %s runs it again", d.Error, d.ID)
	case d.Status == "cancelled" && d.Undone:
		return fmt.Sprintf("its answer was undone by hand; wiki retry %s writes it again, and a change of its line asks anew", d.ID)
	case d.Status == "cancelled":
		return fmt.Sprintf("it was cancelled; wiki retry %s or a change of its line runs it", d.ID)
	case d.Status == "proposed":
		return fmt.Sprintf("its answer waits for your approval; wiki accept %s shows it and asks", d.ID)
	case d.Status == "scheduled" && d.NextAttemptAt != nil:
		return fmt.Sprintf("it %s, next %s; wiki schedule pauses it or asks it now", d.Error, times.Clock(*d.NextAttemptAt, time.Now(), time.DateOnly))
	case d.Status == "scheduled":
		return fmt.Sprintf("it %s, and is paused; wiki schedule resume %s ends that", d.Error, d.ID)
	case d.Status == "held" && d.NextAttemptAt != nil:
		return fmt.Sprintf("it waits for you until %s: %s; wiki release %s starts it now", d.NextAttemptAt.Local().Format(time.TimeOnly), d.Error, d.ID)
	case d.Status == "held":
		return fmt.Sprintf("it waits for you: %s; wiki release %s starts it", d.Error, d.ID)
	}
	return fmt.Sprintf("its dispatch %s is %s", d.ID, wording.Outcome(d.Status, d.Result))
}

// whyNotReady says why what answers a role is not ready, or nothing.
func whyNotReady(role string, agents []api.Agent) string {
	for _, name := range []string{role, "*"} {
		if i := slices.IndexFunc(agents, func(a api.Agent) bool { return strings.EqualFold(a.Role, name) }); i >= 0 {
			return agents[i].Detail
		}
	}
	return ""
}

// PrintAnswers prints the answers that found no place.
func PrintAnswers(w io.Writer, list []api.Parked) {
	if len(list) == 0 {
		printable.Fprintln(w, "no answer is kept")
		return
	}
	for _, p := range list {
		printable.Fprintf(w, "%s  %s  %s: %s\n", p.ID, p.Where(), p.Key, p.Error)
		for _, answer := range p.Answers {
			if !answer.Written {
				printable.Fprintf(w, "\nline %d: %s\n%s\n", answer.Line, wording.Line(answer.Instruction), printable.Text(answer.Answer))
			}
		}
		fmt.Fprintln(w)
	}
	printable.Fprintln(w, "wiki cancel ID takes an answer off this list")
}
