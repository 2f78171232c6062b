package due

import "time"

// Backoff is how long to wait after a failed attempt, counted from 1: 2 s, then four
// times as long after each further one.
func Backoff(attempt int) time.Duration { return 2 * time.Second << (2 * (attempt - 1)) }

// longestBackoff is the longest of all: that of the sixth try to write an answer.
const longestBackoff = 2 * time.Second << 10

// Believable returns a recorded time, or the zero time where it is further ahead
// than any back-off: then the clock has been set back since.
func Believable(at time.Time) time.Time {
	if time.Until(at) > longestBackoff {
		return time.Time{}
	}
	return at
}
