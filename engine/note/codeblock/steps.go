package codeblock

import (
	"regexp"
	"strings"
)

// Mermaid draws some diagrams in steps, as many as they ask for, and a note app stands still meanwhile: ticks of an axis, days
// off, places without a block. https://github.com/mermaid-js/mermaid/issues/5496

var (
	// manySteps is what asks for too many, by the kind of a diagram. A packet has 32 bits in a row.
	manySteps = map[string]func() *regexp.Regexp{
		"block": expression(`space:[0-9]{3}`), "radar": expression(`\bticks\s+[0-9]{3}`), "packet": expression(`[0-9]{6}`),
		"gantt": expression(`(?i)tickInterval\W+[0-9]+(?:milli)?second`),
	}
	quotedLabel = expression(`"[^"\n]*"|'[^'\n]*'`)

	// A diagram of dates takes steps where stepping says so. longTask is a duration or a date that makes it too long: Mermaid
	// reads a date that is not of the format as JavaScript does, so 0 is the year 2000, and 202-12-08 is in the year 202.
	stepping   = expression(`(?im)tickInterval\W+[0-9]+([a-z]+)|^(?:[ \t]*|.*[;}][ \t]*|[ \t]*(?:gantt|topAxis|week(?:day|end) [a-z]+)[ \t]+)excludes[ \t]([^#\n;]*)`)
	longTask   = expression(`\b(?:[0-9]{4,}[dwM]|[0-9]{5,}(?:ms|[hms])|[0-9]{2,}y)\b|[0-9]{5,}-|\b[0-9]{1,3}-[0-9]{1,2}-[0-9]{1,2}\b|(?:[^0-9]:|,)[ \t]*[0-9]{1,2}[ \t]*,`)
	dateFormat = expression(`(?i)\bdateFormat\s+([^#\n;]*)`)
	workday    = expression(`\b(?:mon|tues|wednes|thurs|fri)day\b`)
	plainYear  = expression(`\b(?:19|20)[0-9]{2}\b`)
)

// drawsSoon reports whether a diagram takes few steps. Its text is whole, with its configuration.
func drawsSoon(kind, text string) bool {
	if form, isCounted := manySteps[kind]; isCounted && form().MatchString(quotedLabel().ReplaceAllString(text, "")) || kind == "gantt" && form().MatchString(text) {
		return false
	}
	steps := stepping().FindAllStringSubmatch(text, -1)
	if kind != "gantt" || steps == nil {
		return true
	}
	format := "YYYY"
	if formats := dateFormat().FindAllStringSubmatch(text, -1); len(formats) > 0 {
		format = formats[len(formats)-1][1] + strings.Repeat("?", len(formats)-1)
	}
	isOfDay := strings.TrimSpace(format) == "HH:mm"
	most := 100 // years
	for _, s := range steps {
		switch unit := strings.ToLower(s[1]); {
		case unit == "" && (isOfDay || len(workday().FindAllString(strings.ToLower(s[2]), -1)) > 3), unit == "minute" && !isOfDay:
			return false
		case unit == "hour":
			most = 0
		case unit == "" || unit == "day":
			most = min(most, 8)
		}
	}
	return (isOfDay || strings.Contains(format, "YYYY") && !strings.Contains(format, "?")) && !longTask().MatchString(text) && yearsIn(text) <= most
}

// yearsIn is how many years are between the first and the last one that a text names.
func yearsIn(text string) int {
	first, last := "9", "0"
	for _, y := range plainYear().FindAllString(text, -1) {
		first, last = min(first, y), max(last, y)
	}
	if last == "0" {
		return 0
	}
	number := func(y string) int { return int(y[0]-'0')*1000 + int(y[1]-'0')*100 + int(y[2]-'0')*10 + int(y[3]-'0') }
	return number(last) - number(first)
}
