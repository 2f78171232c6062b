package kinds

import (
	"strings"
	"testing"
)

// A sign that means something stays before its sentence, and nothing begins a block.
func TestPutInline(t *testing.T) {
	for text, want := range map[string]string{
		"-18 °C is cold":         "-18 °C is cold",
		"+44 20 is the code":     "+44 20 is the code",
		"~10 minutes of rest":    "~10 minutes of rest",
		"~~not~~ this":           "~~not~~ this",
		"==Never open== it":      "==Never open== it",
		"**Bold** word":          "**Bold** word",
		"*soft* word":            "*soft* word",
		"`code` word":            "`code` word",
		"-- said he":             "-- said he",
		"- item":                 "item",
		"- - item":               "item",
		"+ item":                 "item",
		"* item":                 "item",
		"-":                      "",
		"# head":                 "head",
		"#tag is one":            "tag is one",
		"> quote":                "quote",
		">> quote":               "quote",
		"> - # all":              "all",
		"| cell |":               "cell |",
		": meaning":              "meaning",
		"= equal":                "equal",
		"=====":                  "",
		"== odd":                 "odd",
		"--- x":                  "x",
		"~~~ code":               "code",
		"```js x":                "js x",
		"  two\n\n  lines - of ": "two lines - of",
		"":                       "",
	} {
		if got := strings.TrimSpace(putInline(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := asHeading("-18 °C [[x]]"); got != "-18 °C x" {
		t.Errorf("a heading is %q", got)
	}
}
