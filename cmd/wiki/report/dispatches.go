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

// PrintDispatches prints a row for each question that a filter means, and why it is not done under it.
func PrintDispatches(w io.Writer, list []api.Dispatch, filter api.Filter) {
	questions := slices.DeleteFunc(rows.OfList(list, filter.Query), func(q rows.Question) bool { return !q.IsOf(filter.Status) })
	printRows(w, questions, shortIDs(w, list))
}

// oneLine is how many cells a terminal has at least where a row is one line. On a narrower one the question has its own.
const oneLine = 100

// printRows prints a row for each question, with as much of its ID as short returns.
func printRows(w io.Writer, questions []rows.Question, short func(id string) string) {
	if len(questions) == 0 {
		printable.Fprintln(w, "no dispatches")
	}
	var asked, t table
	for _, q := range questions {
		took := ""
		if d := q.Took(); d > 0 {
			took = times.Age(d)
		}
		asked.add(q.Text)
		t.add(wording.Shorten(q.Text, mostAsked), strings.TrimPrefix(q.Key, "agent-"), q.Where(),
			wording.Outcome(q.Status, q.Result), took, times.Age(time.Since(q.CreatedAt))+" ago", short(q.ID))
	}
	columns, state := printable.Columns(w), 3
	if columns == 0 || columns >= oneLine {
		asked = nil
		t.fit(columns, cutter{0, wording.Shorten}, cutter{2, wording.ShortenPath})
	} else {
		asked.fit(columns, cutter{0, wording.Shorten})
		for i := range t {
			t[i], state = t[i][1:], 2
		}
		t.fit(columns-len(below), cutter{1, wording.ShortenPath})
	}
	for i, q := range questions {
		t[i][state] = paint(w, q.Status, q.Result, t[i][state])
	}
	titles, lines := asked.lines(), t.lines()
	for i, q := range questions { // a line below a row would part its columns from those of the next
		if asked != nil {
			fmt.Fprint(w, titles[i], below)
		}
		fmt.Fprint(w, lines[i])
		printBelow(w, q, i+1 == len(questions) || questions[i+1].ID != q.ID)
	}
}

// below is before what is said under a question.
const below = "  "

// printBelow says under a question how far it is or why it is not done, and under the last of a group that acts are for all.
func printBelow(w io.Writer, q rows.Question, isLast bool) {
	if !isLast {
		return
	}
	if q.Progress != "" {
		printBehind(w, below, "%s", q.Progress)
	}
	if q.Error != "" && q.Status != "done" {
		printBehind(w, below, "%s", q.Error)
	}
	if all := rows.All(q.Dispatch); all != "" && printable.Columns(w) > 0 {
		printBehind(w, below, "asked together: undo, retry and cancel act on%s", all)
	}
}

// leastID is how much of an ID a row has at least.
const leastID = 4

// shortIDs returns what rows have of the IDs of a list: on a terminal as much of their ends as tells them apart, elsewhere
// all. An ID begins with its time, so those of a day begin alike.
func shortIDs(w io.Writer, list []api.Dispatch) func(id string) string {
	n := leastID
	for i, d := range list {
		for _, other := range list[:i] {
			for n < len(d.ID) && d.ID != other.ID && strings.HasSuffix(other.ID, d.ID[len(d.ID)-n:]) {
				n++
			}
		}
	}
	return func(id string) string {
		if printable.Columns(w) == 0 {
			return id
		}
		return id[max(0, len(id)-n):]
	}
}

// colours are those of the words for a status; one that has ended without an answer has none. The dashboard has the same.
var colours = map[string]int{
	"done": printable.Green, "failed": printable.Red,
	"settling": printable.Yellow, "queued": printable.Yellow, "processing": printable.Yellow, "held": printable.Yellow, "proposed": printable.Yellow, "parked": printable.Yellow,
}

// paint colours the word for a status.
func paint(w io.Writer, status, result, word string) string {
	if colour, has := colours[status]; has && result == "" {
		return printable.Paint(w, colour, word)
	}
	return word
}

// mostAsked is how many characters of a question a row has.
const mostAsked = 60

// PrintDetail prints all about a dispatch; the task, which is long, and a change that its answers tell, only where they are asked for.
func PrintDetail(w io.Writer, d api.Detail, withTask bool) {
	fmt.Fprint(w, printable.Sprintf("%s  ", d.ID), paint(w, d.Status, d.Result, wording.Outcome(d.Status, d.Result)), printable.Sprintf("  %s in %s\n", d.Key, d.Where()))
	if d.Error != "" {
		printable.Fprintf(w, "%s\n", d.Error)
	}
	if d.Progress != "" {
		printable.Fprintf(w, "%s\n", d.Progress)
	}
	if d.Usage != nil {
		printable.Fprintf(w, "%s\n", SpentText(*d.Usage))
	}
	for _, s := range d.Steps {
		printable.Fprintf(w, "  %s  %s\n", s.At.Local().Format(time.TimeOnly+".000"), wording.Step(s.Step, s.Detail))
	}
	for _, answer := range d.Answers {
		place, title := "asked", "answer"
		if answer.Line > 0 {
			place = fmt.Sprintf("line %d", answer.Line)
		}
		if !answer.Written {
			title = "answer, not in the note"
		}
		printable.Fprintf(w, "\n%s: %s\n", place, wording.Line(answer.Instruction))
		if answer.Answer != "" {
			printable.Fprintf(w, "%s:\n%s\n", title, WrapText(w, answer.Answer, 0))
		}
		for i, why := range answer.Cleaned {
			if i == 0 {
				fmt.Fprintln(w, "changed before it was written:")
			}
			printable.Fprintf(w, "  %s\n", why)
		}
	}
	if d.Diff != "" && (withTask || !isAsAnswered(d)) {
		printable.Fprintf(w, "\nwritten:\n%s", WrapText(w, d.Diff, 0))
	}
	if d.Cut != "" {
		printable.Fprintf(w, "\nsaid beside the answer, not in the note:\n%s\n", WrapText(w, d.Cut, 0))
	}
	if withTask {
		printable.Fprintf(w, "\ntask:\n%s\n", printable.Text(d.Task))
	} else if d.Task != "" {
		fmt.Fprintf(w, "\nsent to the agent: %s; --task shows them, and what was written\n", wording.Count(strings.Count(strings.TrimRight(d.Task, "\n"), "\n")+1, "line"))
	}
}

// isAsAnswered says whether the change to the note is known by the questions and answers alone: each question became its
// answer, between the comments of a response.
func isAsAnswered(d api.Detail) bool {
	var removed, added []string
	for line := range strings.Lines(d.Diff) {
		switch line = strings.TrimRight(line, "\n"); {
		case strings.HasPrefix(line, "-"):
			removed = append(removed, line[1:])
		case strings.HasPrefix(line, "+") && line != "+<!-- agent-response -->" && line != "+<!-- /agent-response -->":
			added = append(added, line[1:])
		}
	}
	var answers []string
	for _, answer := range d.Answers {
		answers = append(answers, strings.TrimRight(answer.Answer, "\n"))
	}
	return len(removed) <= len(answers) && strings.Join(added, "\n") == strings.Join(answers, "\n")
}

// SpentText says what an agent's runs have cost, as far as it told.
func SpentText(u api.Usage) string {
	var parts []string
	if u.Model != "" {
		parts = append(parts, u.Model)
	}
	if u.InputTokens+u.OutputTokens > 0 {
		parts = append(parts, wording.Number(u.InputTokens)+" tokens read, "+wording.Number(u.OutputTokens)+" written")
	}
	if u.CostUSD > 0 {
		parts = append(parts, wording.Dollars(u.CostUSD))
	}
	return strings.Join(parts, ", ")
}

// StatusNow says what a dispatch is now, and why if there is a reason.
func StatusNow(d api.Dispatch) string {
	is := d.ID + " is " + wording.Outcome(d.Status, d.Result)
	if all := rows.All(d); all != "" {
		is += "," + all + " questions"
	}
	if d.Error == "" {
		return is
	}
	return is + ": " + d.Error
}

// UndoneText says what an undo put back, and where it is now.
func UndoneText(d api.Dispatch) string {
	if len(d.Lines) == 0 {
		return fmt.Sprintf("%s is undone: the question and the answer that it had added are gone from %s again; wiki retry %s adds them again", d.ID, d.Where(), d.ID)
	}
	back, again := "the question is back", "its answer"
	if len(d.Lines) > 1 {
		back, again = "the questions are back", "its answers"
	}
	if _, where, told := strings.Cut(d.Error, ": "); told {
		back = where
	}
	return fmt.Sprintf("%s is undone: %s in %s; wiki retry %s writes %s again", d.ID, back, d.File, d.ID, again)
}
