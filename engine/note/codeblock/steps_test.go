package codeblock

import (
	"strings"
	"testing"
)

// TestSteps: a diagram that takes many steps is none that may be drawn, and those of every day may.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		soon bool
	}{
		{"gantt\n  title A day\n  dateFormat HH:mm\n  axisFormat %H:%M\n  tickInterval 30minute\n  section Morning\n  Mail :a, 09:00, 30m\n  Stand-up :milestone, b, 09:30, 0m\n  Work :crit, done, c, after a, 2h\n  Lunch :12:00, 13:00", true},
		{"gantt\n  dateFormat YYYY-MM-DD\n  axisFormat %d %b\n  tickInterval 1week\n  excludes weekends\n  section Sprint\n  Build :active, a1, 2026-11-02, 10d\n  Test :after a1, 5d\n  Ship: milestone, 2026-11-30, 0d", true},
		{"gantt\n  dateFormat YYYY-MM-DD\n  excludes weekends, 2026-12-24 2026-12-25\n  weekend friday\n  includes 2026-12-26\n  A :2026-12-01, 20d\n  B :30d", true},
		{"gantt\n  dateFormat YYYY-MM-DD\n  title Plan: excludes monday tuesday wednesday thursday friday saturday sunday\n  A :2026-12-01, 20d", true},
		{"gantt\n  dateFormat DD.MM.YYYY\n  tickInterval 1month\n  todayMarker stroke:#0f0,opacity:0.5\n  Call excludes all :a, 01.12.2026, 31.01.2028", true},
		{"gantt\n  dateFormat DD MMM YYYY\n  tickInterval 1week\n  excludes weekends\n  A :01 Dec 2026, 7d", true},
		{"gantt\n  dateFormat YYYY-MM-DD\n  A :0001-01-01, 9999-01-01\n  B :202-12-08, 7d", true}, // without ticks of its own
		{"gantt\n  dateFormat YYYY-MM-DD HH:mm\n  tickInterval 1hour\n  A :2026-12-01 09:00, 36h\n  B :until c\n  C :c, 2026-12-05 09:00, 1d", true},
		{"gantt\n  dateFormat DD.MM.YYYY\n  excludes weekends, holidays\n" + strings.Repeat("  A :01.12.2026, 31.12.2026\n", 50), true},
		{"gantt\n  dateFormat YYYY-MM-DD\n  excludes weekends\n" + strings.Repeat("  A :2025-12-01, 2026-12-31\n", 50), true},

		{"gantt\n  dateFormat ss\n  tickInterval 1second\n  RTT : rtt, 0, 20", false},
		{"gantt\n  dateFormat ss\n  tickInterval 1second\n  RTT : rtt, 75, 20", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  tickInterval 1week\n  A : 2024-12-01, 7d\n  B : 202-12-08, 7d", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  excludes weekends\n  A : 2024-12-01, 7d\n  B : 20245-12-08, 7d", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  excludes monday tuesday wednesday, thursday friday saturday sunday\n  A : 2024-12-01, 7d", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  excludes weekends monday tuesday wednesday thursday\n  weekend friday\n  topAxis excludes weekends sunday\n  A : 2024-12-01, 7d", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  excludes weekends\n  A : 2024-12-01, 9999999d", false},
		{"gantt\n  dateFormat HH:mm\n  excludes 00:00\n  A : 00:00, 7d", false},
		{"gantt\n  dateFormat [x]\n  excludes x\n  A : 2024-12-01, 7d", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  dateFormat ss\n  tickInterval 1day\n  A : 2024-12-01, 7d", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  tickInterval\n1second\n  A : 2024-01-01, 2025-01-01", false},
		{"gantt\n  dateFormat YYYY-MM-DD\n  tickInterval 9999minute\n  A : 2024-01-01, 2025-01-01", false},
		{"gantt\n  axisFormat %H; A : 0, 20d\n  tickInterval 1minute", false},
		{"gantt\n  title: 0, 20d\n  tickInterval 1minute\n  A :2024-01-01, 1h", false},
		{"gantt\n  A :2024-01-01, 1h; title x : 0, 20d\n  tickInterval 1minute", false},
		{"---\nconfig:\n  gantt:\n    tickInterval: 1second\n---\ngantt\n  A :2024-01-01, 7d", false},
		{"%%{init: {'gantt': {'tickInterval': '1second'}}}%%\ngantt\n  A :2024-01-01, 7d", false},

		{"packet-beta\n0-15: \"Source Port\"\n16-31: \"Destination Port\"\n32-63: \"Sequence Number (0-4294967295)\"\n64: 'URG'\n65-159: \"x\"", true},
		{"packet\ntitle Frame\n+48: \"Destination\"\n+48: \"Source\"\n+16: \"Type\"\n+12000: \"Payload\"\n+32: \"FCS\"", true},
		{"packet-beta\n0-999999: \"x\"", false},
		{"packet-beta\n0-99999999999999999999: \"x\"", false},
		{"block-beta\n  columns 5\n  a space:2 b space\n  space:5\n  c[\"x\"]:3", true},
		{"block-beta\n  a space:9999999 b", false},
		{"radar-beta\n  axis a, b, c\n  curve x{1,2,3}\n  ticks 5\n  max 5000", true},
		{"radar-beta\n  axis a, b, c\n  curve x{1,2,3}\n  ticks 9999999", false},
	} {
		if got := IsPlainDiagram(c.text); got != c.soon {
			t.Errorf("%q: plain is %v", c.text, got)
		}
	}
}
