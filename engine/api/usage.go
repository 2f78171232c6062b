package api

import "time"

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

// Sum adds what there is of the days.
func Sum(days []float64) (sum float64) {
	for _, v := range days {
		sum += v
	}
	return sum
}
