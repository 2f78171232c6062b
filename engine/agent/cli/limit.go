package cli

import (
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/lazyregexp"
)

// farthest is the longest limit that is believed; a week is the longest known.
const farthest = 8 * 24 * time.Hour

var (
	atEpoch  = lazyregexp.New(`(?i)(?:\||reset[s_ ]*at"?\s*[:=]\s*"?)(1\d{9})\b`)
	inAWhile = lazyregexp.New(`(?i)\b(?:again|retry|reset|resets|wait|available)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|ms|m|seconds?|secs?|s)\b?[\s,]*(?:and\s+)?)+)`)
	seconds  = lazyregexp.New(`(?i)(?:retry-?after|retryDelay)"?\s*[:=(]\s*"?(\d+(?:\.\d+)?)`)
	oneUnit  = lazyregexp.New(`(?i)(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|ms|m|seconds?|secs?|s)`)
	atClock  = lazyregexp.New(`(?i)\b(?:resets?(?:\s+at)?|again\s+at)\s+(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?` +
		`(\d{1,2})(?::(\d{2}))?\s*(am|pm)?(?:\s*\(([A-Za-z_+-]+(?:/[A-Za-z0-9_+-]+)*)\))?`)
)

// resetTime reads when a limit ends out of what a program says of it: a time
// stamp, a while from now, or a time of day, in the zone it names or else in this
// machine's. Zero means that it does not say, or nothing one can believe.
func resetTime(text string, now time.Time) time.Time {
	until := time.Time{}
	if m := atEpoch().FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		until = time.Unix(n, 0)
	} else if m := inAWhile().FindStringSubmatch(text); m != nil {
		until = now.Add(parseWait(m[1]))
	} else if m := seconds().FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		until = now.Add(time.Duration(n * float64(time.Second)))
	} else if m := atClock().FindStringSubmatch(text); m != nil {
		until = parseClock(m, now)
	}
	if !until.After(now) || until.Sub(now) > farthest {
		return time.Time{}
	}
	return until
}

// parseWait adds up "3 days 4 hours 5 minutes" and "6m0s".
func parseWait(text string) time.Duration {
	var sum float64
	for _, m := range oneUnit().FindAllStringSubmatch(text, -1) {
		n, _ := strconv.ParseFloat(m[1], 64)
		unit := time.Second
		switch name := strings.ToLower(m[2]); {
		case name == "ms":
			unit = time.Millisecond
		case name[0] == 'd':
			unit = 24 * time.Hour
		case name[0] == 'h':
			unit = time.Hour
		case name[0] == 'm':
			unit = time.Minute
		}
		sum += n * float64(unit)
	}
	return time.Duration(min(sum, float64(2*farthest)))
}

// parseClock returns the next time it is what atClock has matched: month, day, year,
// hour, minute, am or pm, zone, all but the hour optional.
func parseClock(m []string, now time.Time) time.Time {
	zone := time.Local
	if m[7] != "" {
		if named, err := time.LoadLocation(m[7]); err == nil {
			zone = named
		}
	}
	here := now.In(zone)
	hour, _ := strconv.Atoi(m[4])
	minute, _ := strconv.Atoi(m[5])
	if half := strings.ToLower(m[6]); half != "" {
		hour %= 12
		if half == "pm" {
			hour += 12
		}
	} else if m[5] == "" {
		return time.Time{} // a lone number is no time
	}
	if m[1] == "" {
		at := time.Date(here.Year(), here.Month(), here.Day(), hour, minute, 0, 0, zone)
		if !at.After(now) {
			at = time.Date(here.Year(), here.Month(), here.Day()+1, hour, minute, 0, 0, zone)
		}
		return at
	}
	month, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:]))
	if err != nil {
		return time.Time{}
	}
	day, _ := strconv.Atoi(m[2])
	year := here.Year()
	if m[3] != "" {
		year, _ = strconv.Atoi(m[3])
	}
	at := time.Date(year, month.Month(), day, hour, minute, 0, 0, zone)
	if m[3] == "" && !at.After(now) {
		at = time.Date(year+1, month.Month(), day, hour, minute, 0, 0, zone)
	}
	return at
}
