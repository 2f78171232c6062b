package report

import (
	"fmt"
	"strings"

	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/wording"
)

// QueueLine names the counts of questions by the words of their rows, and how many questions come again.
func QueueLine(counts []rows.Count, scheduled int) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%d%s %s", c.N, wording.Choose(c.More, "+", ""), c.Word))
	}
	if scheduled > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", scheduled, wording.Status("scheduled")))
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ")
}
