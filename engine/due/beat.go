package due

import "time"

// UntilBeat is how long it is until the next whole multiple of a period on the clock. Whoever looks from time to time
// looks then, so that a process at rest wakes once for all its looks. What is less than a tenth of the period ahead
// counts as come.
func UntilBeat(now time.Time, period time.Duration) time.Duration {
	left := period - now.Sub(now.Truncate(period))
	if left < period/10 {
		left += period
	}
	return left
}
