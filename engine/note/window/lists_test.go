package window

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"
)

// Lists that a person keeps are no data, however many letters of them are those of hex.
func TestWindowsHoldLists(t *testing.T) {
	list := func(between string, shape func(digits string) string) string {
		var out []string
		for i := range 20 {
			out = append(out, shape(fmt.Sprintf("%x", sha1.Sum([]byte{byte(i)}))))
		}
		return strings.Join(out, between)
	}
	commit := func(d string) string { return d }
	uuid := func(d string) string { return d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:32] }
	address := func(d string) string {
		return "2001:0db8:" + d[:4] + ":" + d[4:8] + ":0000:8a2e:" + d[8:12] + ":" + d[12:16]
	}
	words := strings.Repeat("and what I wanted to say ", 8)
	for _, c := range []string{
		list("\n", commit), list(" ", commit), list("\n", uuid), list(", ", uuid),
		list("\n", address), list(", ", address), list(" ", address),
		strings.Repeat("00:1a:2b:3c:4d:5e, ", 40) + "eth", strings.Repeat("00-1A-2B-3C-4D-5E ", 40) + "eth",
		strings.Repeat("00:1a:2b:3c:4d:5e 00:1a:2b:3c:4d:5f\n", 40) + "eth", strings.Repeat("9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15\n", 20) + "keys",
		strings.Repeat("ff8800, 00aa99, ", 50) + "red", strings.Repeat("a1b2c3d4, 0f9e8d7c, ", 40) + "commits",
		strings.Repeat("2026-11-26 12:30 ab ", 40) + "x", strings.Repeat("1A 2B 3C 4D ", 60) + "seats", strings.Repeat("e4 e5 d4 d5 ", 60) + "chess",
		strings.Repeat("A1:B2, C3:D4, ", 50) + "sums", strings.Repeat("be ad de fa ce ", 40) + "x", strings.Repeat("dead, beef, cafe, babe, ", 40) + "x",
		strings.Repeat("10 20 30 40 50 60 70 80 90 11 12 13\n", 30) + "x",
		`<img src="data:image/svg+xml,%3Csvg xmlns='x' viewBox='0 0 1 1'/%3E"> ` + words + "<svg>a</svg> end",
		"![](data:image/svg+xml,<svg/>) " + words + "![](data:image/svg+xml,<svg></svg>) end",
		"Begin with `data:image/svg+xml,<svg`, " + words + "and end with `</svg>`.",
		"data:text/html,<!doctype html> " + words + "<svg></svg> end",
	} {
		got := windowOf("above\n\n"+c+"\n\n> @agent-Miner q\n\nend\n", Frame{LinesAbove: 90, LinesBelow: 9, Bytes: 1 << 20})
		if want := "above\n\n" + c + "\n\n[Request 1]\n\nend"; got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		if c := "why " + c; Words(c) != c {
			t.Errorf("the words of %s are %s", c, Words(c))
		}
	}
}
