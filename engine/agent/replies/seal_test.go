package replies

import (
	"strings"
	"testing"
)

// What a model writes between the words is its answer to the byte, whatever stands around them.
func TestSeal(t *testing.T) {
	s := Seal("ABCDEFGH")
	for text, want := range map[string]string{
		"BEGINABCDEFGH\nOn Friday.\nENDABCDEFGH":                                              "On Friday.",
		"BEGINABCDEFGH\n\n  - a\n  - b\n\nENDABCDEFGH\n":                                      "\n  - a\n  - b\n",
		"BEGINABCDEFGH\n**Yes.**\nENDABCDEFGH":                                                "**Yes.**",
		"**BEGINABCDEFGH**\n**Yes.**\n**ENDABCDEFGH**":                                        "**Yes.**",
		"`BEGINABCDEFGH`\nsee `a`\n`ENDABCDEFGH`.\n":                                          "see `a`",
		"BEGINABCDEFGH On Friday. ENDABCDEFGH":                                                "On Friday.", // a terminal has put the lines together
		"On Friday.\nENDABCDEFGH":                                                             "On Friday.",
		"Aider v0.86.0\nModel: x\n\nBEGINABCDEFGH\nYes.\nENDABCDEFGH\n\nTokens: 5.1k sent.\n": "Yes.",
		"I look.\nENDABCDEFGH\nBEGINABCDEFGH\nYes.\nENDABCDEFGH":                              "Yes.",
		"BEGINABCDEFGH\n```go\nx := 1\n```\nENDABCDEFGH":                                      "```go\nx := 1\n```",
		"```go\nBEGINABCDEFGH\nx := 1\nENDABCDEFGH\n```":                                      "```go\nx := 1\n```",
		`{"responses":[{"request":1,"answer":"BEGINABCDEFGH\nYes.\nENDABCDEFGH"}]}`:           "Yes.",
		`{"responses":[{"request":1,"answer":"Error: 5 of 9."}]}`:                             "Error: 5 of 9.",
	} {
		if got, isSealed := s.Cut(text); !isSealed || got != want {
			t.Errorf("%q is cut to %q, sealed: %t", text, got, isSealed)
		}
	}
	for _, text := range []string{"", "On Friday.", "BEGINABCDEFGH\nOn Fri", s.Ask("What is it?"), s.Ask("a") + "\nError: no", "TextPart(text='Yes.\nENDABCDEFGH')\nTurnEnd()", "ENDABCDEFG"} {
		if got, isSealed := s.Cut(text); isSealed || got != text {
			t.Errorf("%q is cut to %q, sealed: %t", text, got, isSealed)
		}
	}
	whole := "BEGINABCDEFGH\nOn Friday.\nENDABCDEFGH"
	for i := range len(whole) + 1 {
		if shown := strings.TrimSpace(s.Show(whole[:i])); !strings.HasPrefix("On Friday.", shown) || i == len(whole) && shown != "On Friday." {
			t.Errorf("of %q is shown %q", whole[:i], shown)
		}
	}
	if text, isSealed := Seal("").Cut(whole); isSealed || text != whole || Seal("").Ask("a") != "a" || Seal("").Show("END") != "END" {
		t.Error("no seal does something")
	}
}
