package command

import (
	"strings"
	"testing"
)

// A line that is longer than those of the terminal ends between words, in how many pieces it may come.
func TestLinesEndBetweenWords(t *testing.T) {
	for text, want := range map[string]string{
		"short\nthe line ends between words\n":                                        "short\nthe line ends\nbetween words\n",
		"ok  a row that has columns of words\n":                                       "ok  a row that has\n    columns of\n    words\n",
		"  a line further right than others\n":                                        "  a line further\n  right than\n  others\n",
		"\x1b[31mred\x1b[0m words have no width, others\n":                            "\x1b[31mred\x1b[0m words have no\nwidth, others\n",
		"\x1b[33mbad \x1b[0m  a row that is coloured\n":                               "\x1b[33mbad \x1b[0m  a row that\n      is coloured\n",
		"averyveryverylongwordthatfitsnowhere\n":                                      "averyveryverylongwordthatfitsnowhere\n",
		"| a table | of markdown | is whole |\n":                                      "| a table | of markdown | is whole |\n",
		"```\ncode of markdown is whole as well\n```\nother words of it are broken\n": "```\ncode of markdown is whole as well\n```\nother words of it\nare broken\n",
		"\rindexing, some notes to go, and more":                                      "\rindexing, some notes to go, and more",
		"日本 日本 日本 日本 日本\n":                                                            "日本 日本 日本\n日本 日本\n",
	} {
		var all, pieces lines
		if got := all.breakText(text, 18); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
		if strings.ContainsAny(text, "\r\x1b|`") || strings.HasPrefix(text, " ") || strings.HasPrefix(text, "ok") {
			continue // known by what a line begins with
		}
		var b strings.Builder
		for word := range strings.SplitAfterSeq(text, " ") {
			b.WriteString(pieces.breakText(word, 18))
		}
		if got := strings.ReplaceAll(b.String(), " \n", "\n"); got != want {
			t.Errorf("%q in pieces becomes\n%q, want\n%q", text, got, want)
		}
	}
}

// The lines of a paragraph are those of the terminal, however they are set in the source; lists and examples keep theirs.
func TestProseHasTheLinesOfTheTerminal(t *testing.T) {
	text := "Starts the questions\nthat wait. It lists\nthem first:\n  old    was there\n  burst  came at once\nAll of\n--them.\n\n- an item\n- another\nEnd"
	for columns, want := range map[int]string{
		100: "Starts the questions that wait. It lists them first:\n  old    was there\n  burst  came at once\nAll of --them.\n\n- an item\n- another\nEnd",
		22:  "Starts the questions\nthat wait. It lists\nthem first:\n  old    was there\n  burst  came at once\nAll of --them.\n\n- an item\n- another\nEnd",
	} {
		if got := BreakProse(text, columns); got != want {
			t.Errorf("at %d cells it is\n%s\nwant\n%s", columns, got, want)
		}
	}
}
