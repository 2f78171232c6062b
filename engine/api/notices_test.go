package api

import (
	"strings"
	"testing"
)

func TestNoticeTexts(t *testing.T) {
	one := NewNotice(NoticeHeld, "vault", "v {reason}", "reason", "old", "count", 1)
	many := NewNotice(NoticeHeld, "vault", "v {reason}", "reason", "old", "count", 2)
	if one.Text != "1 question of v {reason} waits for you: old" || many.Text != "2 questions of v {reason} wait for you: old" || one.ID != many.ID {
		t.Errorf("%+v, %+v", one, many)
	}
	if other := NewNotice(NoticeHeld, "vault", "v", "reason", "old", "count", 2); other.ID == one.ID {
		t.Errorf("two vaults have one notice: %s", one.ID)
	}
	args := []any{"vault", "x", "reason", "x", "error", "x", "problem", "x", "path", "x", "saved", 1, "lost", 1, "machines", "x", "role", "x", "file", "x",
		"copy", "x", "dispatch", "x", "folder", "x", "text", "x", "line", 1, "day", "x", "used", "x", "percent", 80, "estimate", "x"}
	for code := range noticeTexts {
		for _, count := range []int{1, 2} {
			n := NewNotice(code, append(args, "count", count)...)
			if n.Text == "" || strings.Contains(n.Text, "{") || !strings.HasPrefix(n.ID, code+"-") {
				t.Errorf("%+v", n)
			}
		}
	}
}
