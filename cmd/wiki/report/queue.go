package report

import (
	"fmt"
	"strings"

	"vaultdispatcher/engine/api"
)

// QueueLine names every count that is not zero.
func QueueLine(q api.Queue) string {
	var parts []string
	for _, c := range []struct {
		name string
		n    int
	}{
		{"settling", q.Settling}, {"queued", q.Queued}, {"at work", q.Processing},
		{"done", q.Done}, {"unanswered", q.Failed}, {"waiting for you", q.Held}, {"kept", q.Parked},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.name))
		}
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ")
}
