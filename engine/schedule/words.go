package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// days are the words for days, as cron has them.
var days = func() map[string]string {
	words := map[string]string{"day": "*", "weekday": "1-5", "workday": "1-5", "weekend": "0,6"}
	for d := range 7 {
		name := strings.ToLower(time.Weekday(d).String())
		words[name], words[name[:3]] = fmt.Sprint(d), fmt.Sprint(d)
	}
	return words
}()

// readEnglish reads a plan at the beginning of words in small letters, as a line of cron, and says of how many words it is made.
func readEnglish(words []string) (line string, used int) {
	if len(words) == 0 {
		return "", 0
	}
	n, err := strconv.Atoi(words[0])
	if err == nil && len(words) > 1 {
		return readInterval(n, words[1])
	}
	switch words[0] {
	case "hour":
		return "0 * * * *", 1
	case "week", "month":
		clock, more := readClock(words[1:])
		return clock + map[string]string{"week": " * * 1", "month": " 1 * *"}[words[0]], more + 1
	}
	var on []string
	for used < len(words) {
		day, ends := strings.CutSuffix(words[used], ",")
		of, known := days[day]
		if !known {
			return "", 0
		}
		on, used = append(on, of), used+1
		if used < len(words) && words[used] == "and" {
			used++
		} else if !ends {
			break
		}
	}
	clock, more := readClock(words[used:])
	return clock + " * * " + strings.Join(on, ","), used + more
}

// readInterval reads a number of minutes or hours that a day can be divided into.
func readInterval(n int, unit string) (line string, used int) {
	switch strings.TrimSuffix(unit, "s") {
	case "minute":
		if n > 0 && 60%n == 0 {
			return fmt.Sprintf("*/%d * * * *", n), 2
		}
	case "hour":
		if n > 0 && 24%n == 0 {
			return fmt.Sprintf("0 */%d * * *", n), 2
		}
	}
	return "", 0
}

// readClock reads times of day of one minute, such as "8:00" or "at 8:30, 12:30 and 6:30 pm"; without one it is eight o'clock.
func readClock(words []string) (minuteAndHour string, used int) {
	next, minute := 0, 0
	if len(words) > 0 && words[0] == "at" {
		next = 1
	}
	var hours []string
	for {
		t, more := readTime(words[next:])
		if more == 0 || used > 0 && t.Minute() != minute {
			break
		}
		hours, minute, used = append(hours, strconv.Itoa(t.Hour())), t.Minute(), next+more
		if next = used; next < len(words) && words[next] == "and" {
			next++
		} else if !strings.HasSuffix(words[used-1], ",") {
			break
		}
	}
	if used == 0 {
		return "0 8", 0
	}
	return fmt.Sprintf("%d %s", minute, strings.Join(hours, ",")), used
}

// halves are the words for the halves of a day.
var halves = strings.NewReplacer("a.m.", "am", "p.m.", "pm")

// readTime reads a time of day such as "8:00" or "8:30 pm" at the beginning of words.
func readTime(words []string) (t time.Time, used int) {
	for used = min(2, len(words)); used > 0; used-- {
		text := halves.Replace(strings.TrimRight(strings.Join(words[:used], " "), ":,"))
		for _, layout := range []string{"15:04", "3:04pm", "3:04 pm"} {
			if t, err := time.Parse(layout, text); err == nil {
				return t, used
			}
		}
	}
	return t, 0
}

// endsTime reports whether a time of day may end with a word, such as "8:00" or "pm".
func endsTime(word string) bool {
	_, used := readTime([]string{word})
	word = halves.Replace(strings.TrimRight(word, ":,"))
	return used > 0 || word == "am" || word == "pm"
}

var joints = strings.Fields("and or to until till at on - – & ,")

// goesOn reports whether words go on with times that the plan before them does not have, such as "and Tuesday 9:00".
func goesOn(words []string) bool {
	i := slices.IndexFunc(words, func(w string) bool {
		return days[strings.TrimRight(w, ",")] == "" && !slices.Contains(joints, w)
	})
	return i >= 0 && endsTime(words[i])
}

// readCron reads five fields of cron with at least one star. It does not take five numbers.
func readCron(words []string) (line string, used int) {
	const fields = 5
	if len(words) < fields {
		return "", 0
	}
	for _, w := range words[:fields] {
		if strings.Trim(w, "0123456789*/,-") != "" {
			return "", 0
		}
	}
	if line = strings.Join(words[:fields], " "); !strings.Contains(line, "*") {
		return "", 0
	}
	return line, fields
}
