package endings

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// soon is when an agent is asked again whose limit has ended by its own words.
const soon = time.Minute

var (
	atEpoch  = lazily(`(?i)(?:\||reset[s_ ]*at"?\s*[:=]\s*"?)(1\d{9})\b`)
	inAWhile = lazily(`(?i)\b(?:again|retry|reset|resets|wait|available)\s+(?:in|after)\s+~?((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|ms|m|seconds?|secs?|s)\b?[\s,]*(?:and\s+)?)+)`)
	seconds  = lazily(`(?i)(?:retry-?after|retryDelay)"?\s*[:=(]\s*"?(\d+(?:\.\d+)?)`)
	oneUnit  = lazily(`(?i)(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|ms|m|seconds?|secs?|s)`)
	atClock  = lazily(`(?i)\b(?:resets?(?:\s+at)?|again\s+at)\s+(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?` +
		`(\d{1,2})(?::(\d{2}))?\s*(am|pm)?(?:\s*\(([A-Za-z_+-]+(?:/[A-Za-z0-9_+-]+)*)\))?`)
	atDate = lazily(`(?i)(?:\b(?:resets?|again|until|available|access)\b(?: at| on)?:?|将在) *(20\d\d-\d\d-\d\d)(?:T| (?:at )?)(\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?(Z\b|UTC\b|[+-]\d\d:?\d\d)?`)
)

// ReadReset reads when a limit ends out of what a program, or a [Server], says of it: a time
// stamp, a date, a while from now, or a time of day, in the zone it names or else in this
// machine's. A time that has passed less than 12 hours ago is over, and the program is asked again soon: without a day,
// an hour is the one that is nearest to now. No limit lasts longer than the window that it names, or else the longest that
// the program has. Zero means that nothing is said, or nothing one can believe.
func ReadReset(program, text string, now time.Time) time.Time {
	until := time.Time{}
	if m := atEpoch().FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		until = time.Unix(n, 0)
	} else if m := atDate().FindStringSubmatch(text); m != nil {
		until = parseDate(m)
	} else if m := inAWhile().FindStringSubmatch(text); m != nil {
		until = now.Add(parseWait(m[1]))
	} else if m := seconds().FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		until = now.Add(time.Duration(min(n, unbelievable.Seconds()) * float64(time.Second)))
	} else if m := atClock().FindStringSubmatch(text); m != nil {
		until = parseClock(m, now)
	}
	switch ahead, longest := until.Sub(now), periodOf(program, text); {
	case ahead <= -day/2 || ahead >= unbelievable:
		return time.Time{}
	case ahead <= 0:
		return now.Add(soon)
	case ahead > longest:
		return now.Add(longest)
	}
	return until
}

// unbelievable is longer than any limit: a time as far away was misread.
const unbelievable = 60 * day

const halfYear = 182 * day

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
	return time.Duration(min(sum, float64(unbelievable)))
}

// beijing is the zone of a date without a zone: Zhipu writes such dates, also on z.ai
// (https://github.com/can1357/oh-my-pi/issues/11014).
var beijing = time.FixedZone("", 8*60*60)

// parseDate returns the time that atDate has matched: date, hour and minute, seconds, zone, the last two optional.
func parseDate(m []string) time.Time {
	zone := m[4]
	if strings.EqualFold(zone, "UTC") {
		zone = "Z"
	} else if len(zone) == len("+0800") { // Go prints a time so: https://github.com/anomalyco/opencode/issues/44099
		zone = zone[:3] + ":" + zone[3:]
	}
	at, err := time.ParseInLocation("2006-01-02 15:04:05Z07:00", m[1]+" "+m[2]+cmp.Or(m[3], ":00")+strings.ToUpper(zone), beijing)
	if zone == "" {
		at, err = time.ParseInLocation(time.DateTime, m[1]+" "+m[2]+cmp.Or(m[3], ":00"), beijing)
	}
	if err != nil {
		return time.Time{} // there is no such day
	}
	return at
}

// parseClock returns the time that atClock has matched: month, day, year, hour, minute, am or pm, zone, all but the hour optional. Without
// a day or a year it is the one that is nearest to now.
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
		if at.Sub(now) > day/2 {
			at = time.Date(here.Year(), here.Month(), here.Day()-1, hour, minute, 0, 0, zone)
		} else if now.Sub(at) >= day/2 {
			at = time.Date(here.Year(), here.Month(), here.Day()+1, hour, minute, 0, 0, zone)
		}
		return at
	}
	month, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:]))
	if err != nil {
		return time.Time{}
	}
	dayOfMonth, _ := strconv.Atoi(m[2])
	year := here.Year()
	if m[3] != "" {
		year, _ = strconv.Atoi(m[3])
	}
	at := time.Date(year, month.Month(), dayOfMonth, hour, minute, 0, 0, zone)
	if m[3] == "" && now.Sub(at) > halfYear {
		at = time.Date(year+1, month.Month(), dayOfMonth, hour, minute, 0, 0, zone)
	} else if m[3] == "" && at.Sub(now) > halfYear {
		at = time.Date(year-1, month.Month(), dayOfMonth, hour, minute, 0, 0, zone)
	}
	return at
}
