package engine

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
)

// textsOf are the sentences of notices, one on each line.
func textsOf(list []api.Notice) string {
	var all []string
	for _, n := range list {
		all = append(all, n.Text)
	}
	return strings.Join(all, "\n")
}

func TestNoticesAreReplacedEndedAndDismissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n notices
		held := func(count int) []api.Notice {
			return []api.Notice{api.NewNotice(api.NoticeHeld, "vault", "v", "reason", "old", "count", count)}
		}
		begun := time.Now()
		n.tell(api.NewNotice(api.NoticeIndex, "vault", "v", "folder", "/tmp/a", "error", "one"))
		n.list(held(1))
		time.Sleep(time.Hour)
		n.tell(api.NewNotice(api.NoticeIndex, "vault", "v", "folder", "/tmp/a", "error", "two"))
		rows := n.list(held(3))
		if len(rows) != 2 || !strings.Contains(rows[0].Text, "two") || !strings.HasPrefix(rows[1].Text, "3 markers of v are") {
			t.Fatalf("%+v", rows)
		}
		if !rows[0].Since.Equal(begun.Add(time.Hour)) || !rows[1].Since.Equal(begun) {
			t.Errorf("since %s and %s", rows[0].Since, rows[1].Since)
		}
		if n.dismiss("held-0") || !n.dismiss(rows[1].ID) || !n.list(held(4))[1].Dismissed {
			t.Error("one more marker is held for a reason that was dismissed, and it is told again")
		}
		n.list(nil)
		if again := n.list(held(1)); again[1].Dismissed || !again[1].Since.Equal(begun.Add(time.Hour)) {
			t.Errorf("a notice that is true anew: %+v", again[1])
		}
		n.dismiss(rows[0].ID)
		n.end(func(row api.Notice) bool { return row.Code == api.NoticeIndex })
		if rows := n.list(nil); len(rows) != 0 {
			t.Errorf("after the end: %+v", rows)
		}
	})
}
