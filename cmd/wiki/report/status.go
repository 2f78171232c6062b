package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// PrintStatus prints the state of an engine, with the counts of [rows.CountAll].
func PrintStatus(w io.Writer, s api.Status, counts []rows.Count) {
	printBehind(w, "engine  ", "%s, up %s, pid %d, port %d", s.Version, Uptime(s), s.PID, s.Port)
	PrintVaults(w, s)
	printBehind(w, "queue   ", "%s", QueueLine(counts, s.Queue.Scheduled))
	if s.Queue.Parked > 0 {
		printBehind(w, "answers ", "%d kept, because their places in the notes are gone; wiki answers shows them", s.Queue.Parked)
	}
	for _, b := range s.Budgets {
		printBehind(w, "budget  ", "%s used today", b.Text)
	}
	PrintSchedule(w, "again   ", s.Schedule)
	printAgents(w, s.Agents)
	if r := s.LastRefused; r != nil && slices.Contains(intrusions, r.Code) && time.Since(r.At) < 24*time.Hour {
		printBehind(w, "refused ", "%s: %s", times.Ago(r.At, time.Now()), r.Text)
	}
	printUntaken(w, s)
	for _, n := range s.Notices {
		if !n.Dismissed && n.Code != api.NoticeUntaken {
			printBehind(w, "note    ", "%s", NoticeText(n))
		}
	}
	if len(s.Dispatches) > 0 {
		fmt.Fprintln(w)
		printRows(w, rows.OfList(s.Dispatches[:min(len(s.Dispatches), 10)], ""), shortIDs(w, s.Dispatches))
	}
}

// intrusions are the refusals that are news: another site, another name of this machine or another user wanted to get in. What
// one's own browser or program did wrong it was told itself.
var intrusions = []string{"host_not_allowed", "origin_not_allowed", "wrong_user"}

// Uptime is how long the engine has run, as a person says it.
func Uptime(s api.Status) string {
	if d, err := time.ParseDuration(s.Uptime); err == nil {
		return times.Span(d)
	}
	return s.Uptime
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
		printBehind(w, "asked   ", "%s, is not taken up: %s", lineOf(u), u.Reason)
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

func PrintVaults(w io.Writer, s api.Status) {
	if len(s.Vaults) == 0 {
		printBehind(w, "vault   ", "none configured; wiki setup chooses one, and this engine takes it up")
	}
	for _, v := range s.Vaults {
		last := ""
		if v.LastEvent != nil {
			last = ", last change " + times.Ago(*v.LastEvent, time.Now())
		}
		printBehind(w, "vault   ", "%s (%s): %s, %s%s%s", v.Name, v.Path, vaultState(v), wording.Count(v.Notes, "note"), watchText(v), last)
	}
	if s.Index.Pending > 0 {
		printBehind(w, "index   ", "%s, %s still to be read", wording.Count(s.Index.Notes, "note"), wording.Number(s.Index.Pending))
	}
	printEmbedding(w, s.Index.Embedding)
	if s.Index.LastError != "" {
		printBehind(w, "index   ", "%s", s.Index.LastError)
	}
}

// watchText says how the changes of a vault become known, and why if that is not the usual way; or why it is not watched.
func watchText(v api.Vault) string {
	switch {
	case v.State == "foreign" || v.State == "offline" || v.Watch == "":
		return wording.Choose(v.Reason == "", "", ": "+v.Reason)
	case v.Watch == "poll":
		return ", looked through again and again" + wording.Choose(v.FoundWithin == "", "", " (a save is found within "+v.FoundWithin+")") +
			wording.Choose(v.Reason == "", "", ", because "+v.Reason)
	}
	return ", the system tells of each change"
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
	pending := ""
	if e.Pending > 0 {
		pending = fmt.Sprintf(", %d still to be embedded", e.Pending)
	}
	printBehind(w, "meaning ", "%s by %s: %d passages%s", e.Model, e.Provider, e.Vectors, pending)
	if e.LastError != "" {
		printBehind(w, "meaning ", "%s", e.LastError)
	}
}

// printAgents leaves out the built-in role that no version answers yet; wiki agents
// lists it.
func printAgents(w io.Writer, agents []api.Agent) {
	for _, a := range agents {
		switch {
		case a.Absent:
		case a.Ready:
			printBehind(w, "agent   ", "%s: %s%s", a.Role, wording.Answerer(a.Runner, a.Model), fitText(a))
		default:
			printBehind(w, "agent   ", "%s: %s, not ready: %s", a.Role, wording.Answerer(a.Runner, a.Model), a.Detail)
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
	defer printable.KeepLines(w)()
	lead := indent + "write "
	for line := range strings.Lines(mend) {
		printable.Fprintf(w, "%s%s\n", lead, strings.TrimSuffix(line, "\n"))
		lead = strings.Repeat(" ", len(lead))
	}
}
