package api

import (
	"slices"
	"time"
)

// UsageDays is how many days a [UsageReport] tells of.
const UsageDays = 30

// UsageReport is what was answered in the last days, in numbers.
type UsageReport struct {
	Days  []time.Time // when each began, the last is today
	Roles []RoleUsage // the one with the most answers first

	// How many seconds half of a day's answers and 95 of 100 took at most, from the question to the note;
	// -1 without an answer. What waited for a person or a limit is left out.
	Wait50, Wait95 []float64
}

// RoleUsage is what a role has answered. A question counts on the day on which it ended.
type RoleUsage struct {
	Role     string
	Answers  []float64 // a day
	Tokens   []float64 // a day, as far as its agent tells
	Dollars  []float64
	Answered int // questions, those that were undone too

	NoResult, Undone int     // part of Answered
	Unanswered       int     // besides
	Rejected         int     // answers that a person did not approve
	Wait50, Wait95   float64 // as those of a day
}

// DropEmptyDays leaves the days out before the first on which a question ended, but for the last ones, least of them.
func (r *UsageReport) DropEmptyDays(least int) {
	first := len(r.Days) - least
	for _, role := range r.Roles {
		for day := range max(first, 0) {
			if role.Answers[day]+role.Tokens[day]+role.Dollars[day] > 0 {
				first = min(first, day)
			}
		}
	}
	if first <= 0 {
		return
	}
	r.Roles = slices.Clone(r.Roles)
	r.Days, r.Wait50, r.Wait95 = r.Days[first:], r.Wait50[first:], r.Wait95[first:]
	for i := range r.Roles {
		role := &r.Roles[i]
		role.Answers, role.Tokens, role.Dollars = role.Answers[first:], role.Tokens[first:], role.Dollars[first:]
	}
}

// Sum adds what there is of the days.
func Sum(days []float64) (sum float64) {
	for _, v := range days {
		sum += v
	}
	return sum
}
