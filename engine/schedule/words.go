package schedule

import (
	"fmt"
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

// readClock reads a time of day, which may have "at" before it; without one it is eight o'clock.
func readClock(words []string) (minuteAndHour string, used int) {
	at := 0
	if len(words) > 0 && words[0] == "at" {
		at = 1
	}
	if len(words) > at && hasClock(words[at]) {
		hour, minute, _ := strings.Cut(strings.TrimRight(words[at], ":,"), ":")
		h, _ := strconv.Atoi(hour)
		m, _ := strconv.Atoi(minute)
		return fmt.Sprintf("%d %d", m, h), at + 1
	}
	return "0 8", 0
}

// hasClock reports whether a word is a time of day such as 8:00.
func hasClock(word string) bool {
	_, err := time.Parse("15:04", strings.TrimRight(word, ":,"))
	return err == nil
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
