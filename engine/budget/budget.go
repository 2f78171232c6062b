// Package budget counts what agents use in a day, in dollars and tokens, and says which limit that has reached.
//
// [Ledger.Add] takes the use of one run, [Ledger.Why] says why no agent of a role is asked before [NextDay]. A day
// begins at midnight in the zone of the given times. A Ledger is safe for concurrent use.
package budget

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/wording"
)

// Use is what agents have used.
type Use struct {
	Dollars float64
	Tokens  int64
}

// bytesPerToken is that of English (https://platform.openai.com/tokenizer); other languages have fewer.
const bytesPerToken = 4

// EstimateTokens says about how many tokens a text of so many bytes has.
func EstimateTokens(bytes int) int64 { return int64(bytes+bytesPerToken-1) / bytesPerToken }

// DollarsOf is what tokens cost by a price.
func DollarsOf(p config.Price, in, out int64) float64 {
	return (float64(in)*p.Input + float64(out)*p.Output) / 1e6
}

// Line is one budget and what has been used of it today.
type Line struct {
	Entry string // of the configuration, such as Editor; "" = all agents that cost
	config.Budget
	Used Use
}

// Share is how much of the budget is used: 1 is all.
func (l Line) Share() float64 { return l.Record(time.Time{}).Share() }

// Record is the budget as other programs see it, with the end of its day.
func (l Line) Record(until time.Time) api.Budget {
	return api.Budget{Role: l.Entry, Dollars: l.Used.Dollars, DollarsPerDay: l.DollarsPerDay, Tokens: l.Used.Tokens, TokensPerDay: l.TokensPerDay, Text: l.String(), End: until}
}

// String returns how much of each limit is used, in words.
func (l Line) String() string {
	key := "wiki.limits"
	if l.Entry != "" {
		key = "wiki.agents." + l.Entry + ".limits"
	}
	var parts []string
	if l.DollarsPerDay > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s (%s.dollarsPerDay)", wording.Dollars(l.Used.Dollars), wording.Dollars(l.DollarsPerDay), key))
	}
	if l.TokensPerDay > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s tokens (%s.tokensPerDay)", wording.Number(l.Used.Tokens), wording.Number(l.TokensPerDay), key))
	}
	return strings.Join(parts, ", ")
}

// Ledger keeps the budgets of a configuration.
type Ledger struct {
	mu    sync.Mutex // guards the fields below
	lines []Line
	day   time.Time // some time of the day that Used is of
}

// New returns the budgets of a configuration, with nothing used.
func New(c config.Config) *Ledger {
	l := &Ledger{}
	add := func(entry string, b config.Budget) {
		if b != (config.Budget{}) {
			l.lines = append(l.lines, Line{Entry: entry, Budget: b})
		}
	}
	add("", c.Limits.Budget)
	for _, role := range c.Roles() {
		add(role, c.Agents[role].Limits)
	}
	return l
}

// Add counts what a run of a role's agent has used. The general budget counts only agents that cost.
func (l *Ledger) Add(entry string, costs bool, u Use, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beginDay(at)
	for i := range l.lines {
		if l.lines[i].counts(entry, costs) {
			l.lines[i].Used.Dollars += max(0, u.Dollars)
			l.lines[i].Used.Tokens += max(0, u.Tokens)
		}
	}
}

// Why says which budget of a role is used up today; "" = none.
func (l *Ledger) Why(entry string, costs bool, now time.Time) string {
	for _, line := range l.Lines(now) {
		if line.counts(entry, costs) && line.Share() >= 1 {
			return "today's budget is used up: " + line.String()
		}
	}
	return ""
}

// Least returns the budget of a role whose used share is the largest; found is false without one.
func (l *Ledger) Least(entry string, costs bool, now time.Time) (least Line, found bool) {
	for _, line := range l.Lines(now) {
		if line.counts(entry, costs) && (!found || line.Share() > least.Share()) {
			least, found = line, true
		}
	}
	return least, found
}

// Lines returns each budget with what is used of it today, the general one first.
func (l *Ledger) Lines(now time.Time) []Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beginDay(now)
	return append([]Line(nil), l.lines...)
}

// beginDay forgets another day; the caller holds mu.
func (l *Ledger) beginDay(now time.Time) {
	if isSameDay(now, l.day) {
		return
	}
	l.day = now
	for i := range l.lines {
		l.lines[i].Used = Use{}
	}
}

func (l Line) counts(entry string, costs bool) bool {
	return l.Entry == "" && costs || l.Entry != "" && strings.EqualFold(l.Entry, entry)
}

func isSameDay(a, b time.Time) bool {
	year, month, day := a.Date()
	y, m, d := b.In(a.Location()).Date()
	return year == y && month == m && day == d
}

// quarter is the length of time that each offset of a zone is a multiple of, but for those of long ago.
const quarter = 15 * time.Minute

// NextDay returns when the day after now begins in its zone. A day may have 23, 24 or 25 hours, and may begin at one o'clock.
func NextDay(now time.Time) time.Time {
	year, month, day := now.Date()
	begin := time.Date(year, month, day+1, 12, 0, 0, 0, now.Location()) // noon is never skipped
	for noon := begin; isSameDay(begin.Add(-quarter), noon); {
		begin = begin.Add(-quarter)
	}
	return begin
}

// BeginOfDay returns when the day of now began in its zone.
func BeginOfDay(now time.Time) time.Time {
	year, month, day := now.Date()
	return NextDay(time.Date(year, month, day-1, 12, 0, 0, 0, now.Location()))
}
