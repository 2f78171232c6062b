package report

import (
	"fmt"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
)

// QueueLine names every count that is not zero.
func QueueLine(q api.Queue) string {
	var parts []string
	for _, c := range []struct {
		status string
		n      int
	}{
		{"settling", q.Settling}, {"queued", q.Queued}, {"processing", q.Processing},
		{"proposed", q.Proposed}, {"done", q.Done}, {"failed", q.Failed}, {"held", q.Held}, {"parked", q.Parked}, {"scheduled", q.Scheduled},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, wording.Status(c.status)))
		}
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ")
}
