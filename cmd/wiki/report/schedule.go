package report

import (
	"io"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// PrintSchedule prints the questions that come again, each line after the given words.
func PrintSchedule(w io.Writer, before string, list []api.Scheduled) {
	for _, s := range list {
		when := "paused"
		if s.Next != nil {
			when = "next " + times.Clock(*s.Next, time.Now(), time.DateOnly)
		}
		in := ""
		if s.InNote {
			in = " (" + s.Note + ")"
		}
		printBehind(w, before, "%s  every %s, %s: %s %s%s", s.ID, s.Every, when, s.Role, wording.Shorten(wording.Line(s.Instruction), 80), in)
		if s.Problem != "" {
			printBehind(w, before, "not asked now: %s", s.Problem)
		}
	}
}
