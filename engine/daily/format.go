package daily

import (
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/lazyregexp"
)

// tokens are what a format of moment.js consists of, the longest first: text in brackets, escapes, and
// runs of letters. The pattern is formattingTokens of
// https://github.com/moment/moment/blob/2.30.1/src/lib/format/format.js, without what is no letter;
// https://momentjs.com/docs/#/displaying/format/ says what they mean.
var tokens = lazyregexp.New(`\[[^\[]*\]|\\.|[Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[ow]?|W[oW]?|Qo?|N{1,5}|YYYYYY|YYYYY|YYYY|YY|y{2,4}|yo?|gg(?:ggg?)?|GG(?:GGG?)?|e|E|a|A|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|zz?|ZZ?|LTS|LT|LL?L?L?|l{1,4}|[A-Za-z]`)

// mute are the letters that stand for themselves.
const mute = "BCFIJKOPRTUVbcfijnopqrtuv"

// known are the tokens with a meaning that no language and no setting changes.
var known = map[string]func(t time.Time) string{
	"YYYY": func(t time.Time) string { return pad(t.Year(), 4) },
	"Y":    func(t time.Time) string { return fmt.Sprint(t.Year()) },
	"YY":   func(t time.Time) string { return pad(t.Year()%100, 2) },
	"Q":    func(t time.Time) string { return fmt.Sprint((int(t.Month()) + 2) / 3) },
	"M":    func(t time.Time) string { return fmt.Sprint(int(t.Month())) },
	"MM":   func(t time.Time) string { return pad(int(t.Month()), 2) },
	"D":    func(t time.Time) string { return fmt.Sprint(t.Day()) },
	"DD":   func(t time.Time) string { return pad(t.Day(), 2) },
	"DDD":  func(t time.Time) string { return fmt.Sprint(t.YearDay()) },
	"DDDD": func(t time.Time) string { return pad(t.YearDay(), 3) },
	"d":    func(t time.Time) string { return fmt.Sprint(int(t.Weekday())) },
	"E":    func(t time.Time) string { return fmt.Sprint((int(t.Weekday())+6)%7 + 1) },
	"W":    func(t time.Time) string { _, w := t.ISOWeek(); return fmt.Sprint(w) },
	"WW":   func(t time.Time) string { _, w := t.ISOWeek(); return pad(w, 2) },
	"GG":   func(t time.Time) string { y, _ := t.ISOWeek(); return pad(y%100, 2) },
	"GGGG": func(t time.Time) string { y, _ := t.ISOWeek(); return pad(y, 4) },
}

// spoken are the tokens that the language of the app decides; these are the English ones.
var spoken = map[string]func(t time.Time) string{
	"MMM":  func(t time.Time) string { return t.Format("Jan") },
	"MMMM": func(t time.Time) string { return t.Month().String() },
	"Mo":   func(t time.Time) string { return ordinal(int(t.Month())) },
	"Do":   func(t time.Time) string { return ordinal(t.Day()) },
	"DDDo": func(t time.Time) string { return ordinal(t.YearDay()) },
	"Qo":   func(t time.Time) string { return ordinal((int(t.Month()) + 2) / 3) },
	"dd":   func(t time.Time) string { return t.Weekday().String()[:2] },
	"ddd":  func(t time.Time) string { return t.Weekday().String()[:3] },
	"dddd": func(t time.Time) string { return t.Weekday().String() },
	"do":   func(t time.Time) string { return ordinal(int(t.Weekday())) },
	"e":    func(t time.Time) string { return fmt.Sprint(int(t.Weekday())) },
	"Wo":   func(t time.Time) string { _, w := t.ISOWeek(); return ordinal(w) },
	"w":    func(t time.Time) string { _, w := weekOf(t); return fmt.Sprint(w) },
	"ww":   func(t time.Time) string { _, w := weekOf(t); return pad(w, 2) },
	"wo":   func(t time.Time) string { _, w := weekOf(t); return ordinal(w) },
	"gg":   func(t time.Time) string { y, _ := weekOf(t); return pad(y%100, 2) },
	"gggg": func(t time.Time) string { y, _ := weekOf(t); return pad(y, 4) },
}

// Format writes a day in a format of moment.js. inLanguage reports whether the text depends on a language. A part
// smaller than a day is an error: the note of a day has one name.
func Format(format string, day time.Time) (text string, inLanguage bool, err error) {
	text = tokens().ReplaceAllStringFunc(format, func(token string) string {
		switch {
		case token[0] == '[':
			return token[1 : len(token)-1]
		case token[0] == '\\':
			return token[1:]
		case strings.Contains(mute, token):
			return token
		case known[token] != nil:
			return known[token](day)
		case spoken[token] != nil:
			inLanguage = true
			return spoken[token](day)
		}
		if err == nil {
			err = fmt.Errorf("the format of daily notes, %s, has a part that is not known here: %s", format, token)
		}
		return ""
	})
	return strings.TrimSpace(text), inLanguage, err
}

func pad(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

// ordinal is a number as English counts: 1st, 2nd, 11th.
func ordinal(n int) string {
	suffix := "th"
	if tens := n % 100; tens < 11 || tens > 13 {
		suffix = [...]string{"th", "st", "nd", "rd", "th", "th", "th", "th", "th", "th"}[n%10]
	}
	return fmt.Sprint(n, suffix)
}

// weekOf is the week of the year as American English counts: it begins on Sunday, and the first has the
// first of January.
func weekOf(t time.Time) (year, n int) {
	saturday := t.AddDate(0, 0, 6-int(t.Weekday()))
	return saturday.Year(), (saturday.YearDay()-1)/7 + 1
}
