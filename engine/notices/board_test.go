package notices

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
)

func TestNoticesAreReplacedEndedAndDismissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n Board
		held := func(count int) []api.Notice {
			return []api.Notice{api.NewNotice(api.NoticeHeld, "vault", "v", "reason", "old", "count", count)}
		}
		begun := time.Now()
		n.Tell(api.NewNotice(api.NoticeIndex, "vault", "v", "folder", "/tmp/a", "error", "one"))
		n.List(held(1))
		<-time.After(time.Hour)
		n.Tell(api.NewNotice(api.NoticeIndex, "vault", "v", "folder", "/tmp/a", "error", "two"))
		rows := n.List(held(3))
		if len(rows) != 2 || !strings.Contains(rows[0].Text, "two") || !strings.HasPrefix(rows[1].Text, "3 questions of v wait for you") {
			t.Fatalf("%+v", rows)
		}
		if !rows[0].Start.Equal(begun.Add(time.Hour)) || !rows[1].Start.Equal(begun) {
			t.Errorf("since %s and %s", rows[0].Start, rows[1].Start)
		}
		if n.Dismiss("held-0") || !n.Dismiss(rows[1].ID) || !n.List(held(4))[1].Dismissed {
			t.Error("one more marker is held for a reason that was dismissed, and it is told again")
		}
		n.List(nil)
		if again := n.List(held(1)); again[1].Dismissed || !again[1].Start.Equal(begun.Add(time.Hour)) {
			t.Errorf("a notice that is true anew: %+v", again[1])
		}
		n.Dismiss(rows[0].ID)
		n.End(func(row api.Notice) bool { return row.Code == api.NoticeIndex })
		if rows := n.List(nil); len(rows) != 0 {
			t.Errorf("after the end: %+v", rows)
		}
	})
}
