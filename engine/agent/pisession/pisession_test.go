package pisession

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// An exchange is two messages in a chain, each at its own time; one without a time
// happened now, and a note is named where it is known.
func TestPrint(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 8e6, time.FixedZone("", 3600))
	lines := strings.Split(strings.TrimSuffix(string(Print([]Turn{
		{Note: "A.md", Question: "first?", Answer: "yes", At: now.Add(-time.Hour)},
		{Question: "second?", Answer: "no"},
	}, func(t Turn) Turn { return t }, "/vault", now)), "\n"), "\n")
	type entry struct {
		Type, Timestamp, Cwd, ID string
		ParentID                 *string
		Message                  struct {
			Role      string
			Timestamp int64
			Content   []struct{ Text string }
		}
	}
	if len(lines) != 5 {
		t.Fatalf("%d lines", len(lines))
	}
	var parent *string
	for i, want := range []struct{ role, text, at string }{
		{"", "", "2026-03-04T04:06:07.008Z"},
		{"user", "first?\n(asked in the note A.md)", "2026-03-04T03:06:07.008Z"}, {"assistant", "yes", "2026-03-04T03:06:07.008Z"},
		{"user", "second?", "2026-03-04T04:06:07.008Z"}, {"assistant", "no", "2026-03-04T04:06:07.008Z"},
	} {
		var e entry
		if err := json.Unmarshal([]byte(lines[i]), &e); err != nil {
			t.Fatal(err)
		}
		if e.Timestamp != want.at {
			t.Errorf("line %d is of %s, want %s", i, e.Timestamp, want.at)
		}
		if i == 0 {
			if e.Type != "session" || e.Cwd != "/vault" {
				t.Errorf("header %s", lines[0])
			}
			continue
		}
		at, _ := time.Parse(time.RFC3339Nano, want.at)
		if m := e.Message; m.Role != want.role || len(m.Content) != 1 || m.Content[0].Text != want.text || m.Timestamp != at.UnixMilli() {
			t.Errorf("line %d: %s", i, lines[i])
		}
		if (parent == nil) != (e.ParentID == nil) || parent != nil && *parent != *e.ParentID {
			t.Errorf("line %d does not name the one before it: %s", i, lines[i])
		}
		parent = &e.ID
	}
}
