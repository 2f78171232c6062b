// Package rules judges the questions of notes: one ordered list says of each whether it starts, waits, is
// held for a person, or is refused, and why.
//
//	verdict := rules.Judge(marker, &facts) // of the first rule that decides
//	verdict.Reason()                       // in its own words: what wiki why prints
//
// To add a rule, add its row to [List], at its place in the order, and the fact that it asks about to [Facts].
// The page assets/docs/not-asked.md is printed from the list.
//
// # Promises
//
// No rule touches a disk, a journal or a clock, or remembers anything: it asks its facts. A fact is found out
// at most once a look, and not before a rule needs it ([Each], sync.OnceValue). A rule whose fact is not known
// decides nothing, so one list judges a question several times during a look, each time with more facts.
package rules

import (
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/wording"
)

// Act is what a verdict does with a question. The words are stable.
type Act string

const (
	Refuse Act = "refuse" // the question is not asked in this note in its present form
	Wait   Act = "wait"   // it is judged again by itself
	Hold   Act = "hold"   // it waits for a person
	Start  Act = "start"  // it is asked
)

// Rule is one row of the list. Cause and Mend are sentences without capital and full stop; the values of a [Finding]
// replace the words in braces.
type Rule struct {
	Name    string // stable
	Act     Act
	Kind    untaken.Kind     // of the report on a refused question; "" = no report
	Hold    journal.HoldKind // of held questions
	Hidden  bool             // a person put the refused line there on purpose: it is shown only on request
	Unasked bool             // it does not count when a person asks for the question
	Cause   wording.Reason
	Mend    string // the next step; "" = none
	Finds   func(m note.Marker, f *Facts) Finding

	Reasons []wording.Reason // in the place of Cause and Mend, where the fact is one of them
}

// Finding is what a rule has found about a question.
type Finding struct {
	Decides    bool
	Values     []string      // for the braces of the rule
	Sentence   string        // whole sentences in the place of the rule's
	Correction string        // the line as it would be asked; "" = not known
	Delay      time.Duration // how soon the rule may find something else though the note is the same; 0 = not known
	Recheck    time.Time     // the same as a time, where that is known
}

// Verdict is what the list says of a question.
type Verdict struct {
	Rule       string // its name
	Act        Act
	Kind       untaken.Kind
	Hidden     bool // a person put the line there on purpose: it is shown only on request
	Cause      string
	Mend       string
	Correction string    // the line as it would be asked; "" = not known
	Recheck    time.Time // when the question is to be judged again though its note is the same; zero = not by itself
}

// Reason is the verdict in one sentence.
func (v Verdict) Reason() string {
	if v.Mend == "" {
		return v.Cause
	}
	return v.Cause + "; " + v.Mend
}

// Judge returns the verdict of the first rule that decides. The last one always does.
func Judge(m note.Marker, f *Facts) (v Verdict) {
	for _, r := range List {
		if r.Unasked && f.Request {
			continue
		}
		if found := r.Finds(m, f); found.Decides {
			return r.verdict(found, f.Time)
		}
	}
	return v
}

// verdict returns what a rule says about a finding at a time.
func (r Rule) verdict(found Finding, at time.Time) Verdict {
	v := Verdict{Rule: r.Name, Act: r.Act, Kind: r.Kind, Hidden: r.Hidden, Correction: found.Correction, Recheck: found.Recheck}
	v.Cause, v.Mend = r.Cause.Say(found.Values...), r.Mend
	if found.Sentence != "" {
		v.Cause, v.Mend, _ = strings.Cut(found.Sentence, "; ")
	}
	if v.Recheck.IsZero() && found.Delay > 0 {
		v.Recheck = at.Add(found.Delay)
	}
	return v
}

// Judged is a question with its verdict.
type Judged struct {
	note.Marker
	Verdict
}

// Questions are the judged questions of a note, from top to bottom.
type Questions []Judged

// JudgeAll judges questions that were not judged before.
func JudgeAll(markers []note.Marker, f *Facts) Questions {
	list := make(Questions, len(markers))
	for i, m := range markers {
		list[i] = Judged{m, Judge(m, f)}
	}
	return list
}

// Again judges those that were not refused once more, now that more is known.
func (q Questions) Again(f *Facts) {
	for i, j := range q {
		if j.Act != Refuse {
			q[i].Verdict = Judge(j.Marker, f)
		}
	}
}

// Markers returns those of one of the acts.
func (q Questions) Markers(acts ...Act) (markers []note.Marker) {
	for _, j := range q {
		for _, act := range acts {
			if j.Act == act {
				markers = append(markers, j.Marker)
			}
		}
	}
	return markers
}

// Next is when the first of them is to be judged again; zero is never.
func (q Questions) Next() (next time.Time) {
	for _, j := range q {
		if !j.Recheck.IsZero() && (next.IsZero() || j.Recheck.Before(next)) {
			next = j.Recheck
		}
	}
	return next
}

// Rows returns the reports on the refused questions.
func (q Questions) Rows() (rows []untaken.Row) {
	for _, j := range q {
		if j.Act == Refuse && j.Kind != "" {
			row := untaken.RowOf(j.Kind, j.Marker.Line, note.Head(j.Marker.Text), j.Reason())
			row.Mend, row.Hidden = j.Correction, j.Hidden
			rows = append(rows, row)
		}
	}
	return rows
}
