package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

func PrintStatus(w io.Writer, s api.Status) {
	printable.Fprintf(w, "engine  %s, up %s, pid %d, port %d\n", s.Version, s.Uptime, s.PID, s.Port)
	PrintVaults(w, s)
	printable.Fprintf(w, "queue   %s\n", QueueLine(s.Queue))
	if s.Queue.Parked > 0 {
		printable.Fprintf(w, "answers %s; wiki answers shows them\n", fmt.Sprint(s.Queue.Parked, " kept, because their places in the notes are gone"))
	}
	for _, b := range s.Budgets {
		printable.Fprintf(w, "budget  %s used today\n", b.Text)
	}
	PrintSchedule(w, "again   ", s.Schedule)
	printAgents(w, s.Agents)
	if s.LastRefused != nil {
		printable.Fprintf(w, "refused %s: %s\n", s.LastRefused.At.Local().Format(time.DateTime), s.LastRefused.Text)
	}
	printUntaken(w, s)
	for _, n := range s.Notices {
		if !n.Dismissed && n.Code != api.NoticeUntaken {
			printable.Fprintf(w, "note    %s\n", NoticeText(n))
		}
	}
	if len(s.Dispatches) > 0 {
		fmt.Fprintln(w)
		PrintDispatches(w, s.Dispatches[:min(len(s.Dispatches), 10)], "")
	}
}

// printUntaken prints what is not taken up, but for what a notice or the state of its vault says.
func printUntaken(w io.Writer, s api.Status) {
	told := 0
	for _, u := range s.NotTaken {
		switch u.Kind {
		case "paused", "held", "private":
			continue
		}
		told++
		printable.Fprintf(w, "asked   %s, is not taken up: %s\n", lineOf(u), u.Reason)
		PrintMend(w, "        ", u.Mend)
	}
	if more := s.NotTakenCount - len(s.NotTaken); told > 0 && more > 0 {
		fmt.Fprintf(w, "asked   %d more are not taken up\n", more)
	}
}

// lineOf names the line of what is not taken up.
func lineOf(u api.Untaken) string {
	if u.Line == 0 {
		return u.File
	}
	return fmt.Sprintf("%s, line %d", u.File, u.Line)
}

// NoticeText is a notice and the command that helps.
func NoticeText(n api.Notice) string {
	switch {
	case n.Code == api.NoticeHeld:
		return n.Text + "; " + howTo(n.Args["kind"])
	case n.Code == api.NoticeLimit:
		return n.Text + ", wiki retry asks sooner"
	}
	return n.Text
}

// watchers are the ways to watch a vault, in words.
var watchers = map[string]string{"fsnotify": "notifications", "poll": "polling"}

func PrintVaults(w io.Writer, s api.Status) {
	if len(s.Vaults) == 0 {
		printable.Fprintln(w, "vault   none configured; wiki setup chooses one, and this engine takes it up")
	}
	for _, v := range s.Vaults {
		printable.Fprintf(w, "vault   %s (%s): %s, %s", v.Name, v.Path, vaultState(v), wording.Count(v.Notes, "note"))
		by := cmp.Or(watchers[v.Watch], v.Watch)
		switch {
		case by != "" && v.Reason != "":
			printable.Fprintf(w, ", by %s (%s)", by, v.Reason)
		case by != "":
			printable.Fprintf(w, ", by %s", by)
		case v.Reason != "":
			printable.Fprintf(w, ": %s", v.Reason)
		}
		if v.LastEvent != nil {
			printable.Fprintf(w, ", last event %s ago", times.Age(time.Since(*v.LastEvent)))
		}
		fmt.Fprintln(w)
	}
	if s.Index.Pending > 0 {
		printable.Fprintf(w, "index   %s, %s still to be read\n", wording.Count(s.Index.Notes, "note"), wording.Number(s.Index.Pending))
	}
	printEmbedding(w, s.Index.Embedding)
	if s.Index.LastError != "" {
		printable.Fprintf(w, "index   %s\n", s.Index.LastError)
	}
}

func vaultState(v api.Vault) string {
	if v.State == "paused" && v.PausedUntil != nil {
		return "paused until " + times.Clock(*v.PausedUntil, time.Now(), time.DateOnly)
	}
	return v.State
}

// printEmbedding says how far the vectors have come, where there are any.
func printEmbedding(w io.Writer, e api.Embedding) {
	if e.Provider == "none" || e.Provider == "" {
		return
	}
	printable.Fprintf(w, "meaning %s by %s: %d passages", e.Model, e.Provider, e.Vectors)
	if e.Pending > 0 {
		printable.Fprintf(w, ", %d still to be embedded", e.Pending)
	}
	fmt.Fprintln(w)
	if e.LastError != "" {
		printable.Fprintf(w, "meaning %s\n", e.LastError)
	}
}

// printAgents leaves out the built-in role that no version answers yet; wiki agents
// lists it.
func printAgents(w io.Writer, agents []api.Agent) {
	for _, a := range agents {
		switch {
		case a.Absent:
		case a.Ready:
			printable.Fprintf(w, "agent   %s: %s%s\n", a.Role, wording.Answerer(a.Runner, a.Model), fitText(a))
		default:
			printable.Fprintf(w, "agent   %s: %s, not ready: %s\n", a.Role, wording.Answerer(a.Runner, a.Model), a.Detail)
		}
	}
}

// fitText says what the last task of a role had to leave out for its model.
func fitText(a api.Agent) string {
	if a.Cut == "" {
		return ""
	}
	return "; " + a.Cut
}

func WatcherState(w api.Watcher) string {
	switch {
	case w.Running:
		return "running"
	case w.PausedUntil != nil:
		return "paused until " + times.Clock(*w.PausedUntil, time.Now(), time.DateOnly)
	}
	return "stopped"
}

// PrintMend prints a line as it would be taken up, if that is known.
func PrintMend(w io.Writer, indent, mend string) {
	lead := indent + "write "
	for line := range strings.Lines(mend) {
		printable.Fprintf(w, "%s%s\n", lead, strings.TrimSuffix(line, "\n"))
		lead = strings.Repeat(" ", len(lead))
	}
}
