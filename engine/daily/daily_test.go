package daily

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

var monday = time.Date(2026, 11, 23, 15, 4, 5, 0, time.UTC)

// TestFormat holds what moment.js 2.30.1 gives for the same formats in its English.
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		format string
		day    time.Time
		want   string
		spoken bool
	}{
		{"YYYY-MM-DD", monday, "2026-11-23", false},
		{"YYYY/MM/YYYY-MM-DD", monday, "2026/11/2026-11-23", false},
		{"YY.M.D", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), "26.1.2", false},
		{"dddd, Do MMMM YYYY", monday, "Monday, 23rd November 2026", true},
		{"ddd dd d E e", time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), "Sun Su 0 7 0", true},
		{"[Week] GGGG-[W]WW", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), "Week 2026-W53", false},
		{"gggg-[W]ww", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), "2027-W01", true},
		{"gggg-w", time.Date(2026, 12, 26, 0, 0, 0, 0, time.UTC), "2026-52", true},
		{"Q DDD DDDD Qo", monday, "4 327 327 4th", true},
		{"YYYYMMDD", monday, "20261123", false},
		{"[Day of] YYYY", monday, "Day of 2026", false},
		{"MMM Mo DDDo", time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC), "Mar 3rd 70th", true},
		{"Do", time.Date(2026, 1, 11, 0, 0, 0, 0, time.UTC), "11th", true},
		{"日YYYY年MM月", monday, "日2026年11月", false},
	} {
		got, spoken, err := Format(c.format, c.day)
		if got != c.want || spoken != c.spoken || err != nil {
			t.Errorf("%s: %q %t %v, want %q %t", c.format, got, spoken, err, c.want, c.spoken)
		}
	}
	for _, format := range []string{"YYYY HH", "A", "X", "LL", "YYYY-MM-DD HH:mm", "YYYYY", "NN", "hmm", "YYYY-MM-DDTHH", "Note YYYY"} {
		if got, _, err := Format(format, monday); err == nil {
			t.Errorf("%s is %q", format, got)
		}
	}
}

// TestFormatGuessesNothing: a format of any parts is written from known ones alone, or is an error; each day
// of a format with a whole date has a name of its own.
func TestFormatGuessesNothing(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 1))
	parts := []string{"YYYY", "YY", "MM", "M", "DD", "D", "DDDD", "[x]", "[YYYY]", "-", "/", " ", "WW", "GGGG", "HH", "mm", "a", "A", "Z", "X", "LT", "\\", "[", "]", "dddd", "Do", "ä", "k", "N", "y"}
	for range 1000 {
		format, whole := "", false
		for range 1 + r.IntN(6) {
			format += parts[r.IntN(len(parts))]
		}
		if r.IntN(2) == 0 {
			format, whole = "YYYY-MM-DD "+format, true
		}
		day := monday.AddDate(0, 0, r.IntN(4000))
		one, _, err := Format(format, day)
		if err != nil {
			continue
		}
		again, _, _ := Format(format, day.Add(2*time.Hour))
		if day.Hour() < 22 && one != again {
			t.Errorf("%q: %q and then %q on one day", format, one, again)
		}
		if next, _, err := Format(format, day.AddDate(0, 0, 1)); whole && (err != nil || next == one) {
			t.Errorf("%q: %q on two days (%v)", format, one, err)
		}
	}
}

func TestNote(t *testing.T) {
	note := func(files ...string) fstest.MapFS {
		m := fstest.MapFS{}
		for i := 0; i+1 < len(files); i += 2 {
			m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
		}
		return m
	}
	const core, plugins, periodic = ".obsidian/daily-notes.json", ".obsidian/community-plugins.json", ".obsidian/plugins/periodic-notes/data.json"
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"nothing is set":     {note(), "2026-11-23.md"},
		"empty":              {note(core, `{}`), "2026-11-23.md"},
		"folder":             {note(core, `{"folder":"/Daily notes/","format":"YYYY/MM-DD","template":"T"}`), "Daily notes/2026/11-23.md"},
		"byte order mark":    {note(core, "\ufeff"+`{"folder":"D"}`), "D/2026-11-23.md"},
		"names, new folder":  {note(core, `{"folder":"D","format":"dddd D MMMM YYYY"}`, "a.md", ""), "D/Monday 23 November 2026.md"},
		"names, as used":     {note(core, `{"format":"dddd YYYY-MM-DD"}`, "Friday 2026-11-20.md", ""), "Monday 2026-11-23.md"},
		"names, other":       {note(core, `{"format":"dddd YYYY-MM-DD"}`, "Freitag 2026-11-20.md", ""), "! names of days"},
		"time":               {note(core, `{"format":"YYYY HH"}`), "! not known here: HH"},
		"outside":            {note(core, `{"folder":"../x"}`), "! can be no note"},
		"no name":            {note(core, `{"format":"[a:b]"}`), "! can be no note"},
		"broken":             {note(core, `{"folder":`), "! .obsidian/daily-notes.json cannot be read"},
		"no settings":        {note(core, `[]`), "! .obsidian/daily-notes.json cannot be read"},
		"another type":       {note(core, `{"format":5}`), "! .obsidian/daily-notes.json cannot be read"},
		"a pipe":             {fstest.MapFS{core: {Mode: fs.ModeNamedPipe}}, "! it is no file"},
		"no link":            {note(core, `{"format":"[[]]YYYY"}`), "! can be no note"},
		"spaces":             {note(core, `{"folder":" D "}`), "D/2026-11-23.md"},
		"periodic":           {note(core, `{"folder":"D"}`, plugins, `["periodic-notes"]`, periodic, `{"daily":{"enabled":true,"folder":"P","format":""}}`), "P/2026-11-23.md"},
		"periodic 1":         {note(plugins, `["periodic-notes"]`, periodic, `{"activeCalendarSet":"Work","calendarSets":[{"id":"Default","day":{"enabled":true,"folder":"X"}},{"id":"Work","day":{"enabled":true,"folder":"W","format":"YYYYMMDD"}}]}`), "W/20261123.md"},
		"periodic, off":      {note(core, `{"folder":"D"}`, plugins, `["periodic-notes"]`, periodic, `{"daily":{"enabled":false,"folder":"P"}}`), "D/2026-11-23.md"},
		"periodic, disabled": {note(core, `{"folder":"D"}`, plugins, `[]`, periodic, `{"daily":{"enabled":true,"folder":"P"}}`), "D/2026-11-23.md"},
	} {
		rel, err := Note(c.files, monday)
		got := rel
		if err != nil {
			got = fmt.Sprint("! ", err)
		}
		if got != c.want && !(strings.HasPrefix(c.want, "! ") && strings.Contains(got, c.want[2:])) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
