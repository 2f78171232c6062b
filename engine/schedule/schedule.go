// Package schedule reads when a question comes again, in English or as cron, and says when that is. It is pure.
//
// [Parse] reads the words behind "every", [ParseQuestion] an instruction that may begin with them. [Plan.Next] gives the times,
// [Plan.Due] the one run that is due after a while in which none was made.
//
// # Promises
//
// A plan is in the time of the clock on the wall: 8:00 is 8:00 in summer and winter. A time that a clock skips comes an hour
// later that day, and one that comes twice counts once. Half a plan is refused.
package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Plan is when a question comes again. The zero Plan never does.
type Plan struct {
	Keep   int    // how many answers stay in the note, the newest; 0 = all
	Newest string // where the newest of them is: First or Last; "" = it does not say so

	Problem string // why a line that has a plan comes never, with the next step; "" = it comes, or is a plain question

	words string
	times cron.Schedule
}

// Where the newest answer is among those of a question.
const (
	First = "first"
	Last  = "last"
)

// String returns the plan as it was written, in small letters.
func (p Plan) String() string { return p.words }

// Shortest is the least time between two runs.
const Shortest = 5 * time.Minute

// ErrTooOften refuses a plan whose runs follow each other too fast.
var ErrTooOften = fmt.Errorf("comes more often than every %d minutes; write a longer time", int(Shortest.Minutes()))

// The problems of a line whose plan is whole. Each is a sentence with the next step.
const (
	unreadable = `what is said of its answers cannot be read; write such as "keep 4", "newest last" or "keep 4 newest last", or a colon right behind the time`
	unclear    = `"am I" may end the time or begin the question; write a colon behind the time`
)

var errNoPlan = errors.New(`is no time that comes again; write such as "Monday 8:00", "day 18:30", "2 hours" or cron's "0 8 * * 1"`)

// Parse reads a plan, all of the text.
func Parse(text string) (Plan, error) {
	words := strings.Fields(strings.ToLower(text))
	line, used := readEnglish(words)
	if used == 0 {
		line, used = readCron(words)
	}
	if used != len(words) || used == 0 {
		return Plan{}, errNoPlan
	}
	return newPlan(strings.Join(words, " "), line)
}

// ParseQuestion splits an instruction such as "every Monday 8:00 what is open?" into its plan and its question. False means
// that it is a plain question, or one that is to be corrected: [Plan.Problem] says so. A plan without a time of day ends with
// a colon: "every 2 hours: what is new?"; so does one that says how many answers stay and where the newest is: "every day
// 8:00 keep 3 newest last: what is new?".
func ParseQuestion(instruction string) (p Plan, question string, ok bool) {
	words := strings.Fields(instruction)
	if len(words) < 3 || !strings.EqualFold(words[0], "every") {
		return Plan{}, "", false
	}
	low := strings.Fields(strings.ToLower(instruction))[1:]
	colon, plan := slices.IndexFunc(low, func(w string) bool { return strings.HasSuffix(w, ":") }), low
	if colon >= 0 {
		low[colon] = strings.TrimSuffix(low[colon], ":")
		plan = low[:colon+1]
	}
	line, used := readCron(plan)
	isCron := used > 0
	if !isCron {
		line, used = readEnglish(plan)
	}
	var more Plan
	if used > 0 && colon >= used && saysMore(low[used:colon+1]) {
		if !more.readMore(low[used : colon+1]) {
			return Plan{Problem: unreadable}, "", false
		}
		used = colon + 1
	}
	ends := used > 0 && (colon == used-1 || (isCron || endsTime(low[used-1])) && !goesOn(low[used:]))
	if !ends || used == len(low) {
		return Plan{}, "", false
	}
	if p, err := newPlan(strings.Join(low[:used], " "), line); err != nil {
		more.Problem = "its time " + err.Error()
	} else if more.words, more.times = p.words, p.times; colon != used-1 && low[used-1] == "am" && low[used] == "i" {
		more.Problem = unclear
	}
	return more, strings.Join(words[1+used:], " "), more.Problem == ""
}

// saysMore reports whether words mean to say something of answers, in pairs; the last may lack its second word.
func saysMore(words []string) bool {
	for i := 0; i < len(words); i += 2 {
		if words[i] != "keep" && words[i] != "newest" {
			return false
		}
	}
	return true
}

// readMore reads what a line says of its answers, all of the words, and reports whether it could.
func (p *Plan) readMore(words []string) bool {
	for ; len(words) > 1; words = words[2:] {
		n, err := strconv.Atoi(words[1])
		switch {
		case words[0] == "keep" && err == nil && n > 0 && p.Keep == 0:
			p.Keep = n
		case words[0] == "newest" && (words[1] == First || words[1] == Last) && p.Newest == "":
			p.Newest = words[1]
		default:
			return false
		}
	}
	return len(words) == 0
}

// layouts are the names of runs, and how people are told the time. With seconds are those that a person wanted between two runs, and
// may want again in the same minute.
var layouts = []struct{ stamp, date string }{
	{"2006-01-02-1504", "Monday 2 January 2006, 15:04"},
	{"2006-01-02-150405", "Monday 2 January 2006, 15:04:05"},
}

// Stamp names a run by its time.
func Stamp(run time.Time) string {
	if run.Second() > 0 {
		return run.Format(layouts[1].stamp)
	}
	return run.Format(layouts[0].stamp)
}

// Date returns the time of a run in words, or "" for another text.
func Date(stamp string) string {
	for _, l := range layouts {
		if run, err := time.Parse(l.stamp, stamp); err == nil {
			return run.Format(l.date)
		}
	}
	return ""
}

// Heading is the first line of the answer of a run below the line of its question.
func Heading(stamp string) string { return "*" + Date(stamp) + "*" }

// newPlan has the library read a line of cron.
func newPlan(words, line string) (Plan, error) {
	times, err := cron.ParseStandard(line)
	if err != nil {
		return Plan{}, errNoPlan
	}
	p := Plan{words: words, times: times}
	last := p.Next(time.Date(2023, 12, 31, 23, 59, 0, 0, time.UTC))
	for range 300 {
		next := p.Next(last)
		if next.IsZero() {
			break
		}
		if next.Sub(last) < Shortest {
			return Plan{}, ErrTooOften
		}
		last = next
	}
	if last.IsZero() {
		return Plan{}, errNoPlan // such as 30 February
	}
	return p, nil
}

// Next returns the first run after a time, in its zone; or the zero time.
func (p Plan) Next(after time.Time) time.Time {
	if p.times == nil {
		return time.Time{}
	}
	var next time.Time
	for wall := onWall(after).Add(-time.Hour); ; { // which a clock may have skipped just before
		if wall = p.times.Next(wall); wall.IsZero() || !next.IsZero() && !wall.Before(onWall(next)) {
			return next
		}
		if at := fromWall(wall, after.Location()); at.After(after) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
}

// Due returns the last run after last and up to now. Of several missed runs only that one is made.
func (p Plan) Due(last, now time.Time) (run time.Time, due bool) {
	const most = 100_000 // more than a year has five minutes; what is older is not told apart
	for range most {
		next := p.Next(last)
		if next.IsZero() || next.After(now) {
			return run, due
		}
		run, due, last = next, true, next
	}
	return run, due
}

// onWall is what clocks on the wall show, as a time in UTC: there no hour is skipped or comes twice. The library skips what a
// clock skips (https://github.com/robfig/cron/pull/541).
func onWall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}

// fromWall is the first time at which clocks on the wall show that, and one that they skip by the clock of the day before.
func fromWall(wall time.Time, zone *time.Location) time.Time {
	at := func(near time.Time) time.Time {
		_, offset := near.In(zone).Zone()
		return wall.Add(-time.Duration(offset) * time.Second).In(zone)
	}
	before, after := at(wall.Add(-25*time.Hour)), at(wall.Add(25*time.Hour))
	if !onWall(before).Equal(wall) && onWall(after).Equal(wall) {
		return after
	}
	return before
}
