package growth

import (
	"testing"
	"time"
)

// What takes no longer than enough is not looked at any closer. mostParts is how much longer the whole may take than its parts
// together: what grows with the square takes parts times as long.
const (
	enough    = 500 * time.Millisecond
	parts     = 8
	mostParts = 4
)

// Evenly checks that work on n takes about as long as on its parts, whatever the machine and whatever else it does: the processor's time of the whole is held
// against that of a part, which is measured beside it, and both are measured anew before it is refused. For what allocates
// as little as it compares much; for all else there is [Gently].
func Evenly(t *testing.T, what string, n int, work func(n int)) {
	t.Helper()
	for try := 1; ; try++ {
		whole := timeOf(n, work)
		if whole <= enough {
			return
		}
		part := timeOf(n/parts, work)
		if whole <= mostParts*parts*part {
			return
		}
		if try == tries {
			t.Errorf("%s: %v for %d, and %v for %d, %d times in a row", what, whole, n, part, n/parts, tries)
			return
		}
	}
}

func timeOf(n int, work func(n int)) time.Duration {
	begun := processorTime()
	work(n)
	return processorTime() - begun
}
