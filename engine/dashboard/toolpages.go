package dashboard

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// logView is the end of the log, a row for each line.
type logView struct {
	api.LogTail
	Rows []logRow
}

// logRow is a line of the log as a person reads it: what happened and why, and the facts that no link tells.
type logRow struct {
	api.LogLine
	What, Rest string
}

// linked are the facts that the page words and links itself.
var linked = []string{"dispatch", "line", "note", "reason", "role", "vault"}

func newLogRow(line api.LogLine) logRow {
	row := logRow{LogLine: line, What: cmp.Or(line.Said, line.Text)}
	if why := line.Facts["reason"]; why != "" {
		row.What += ": " + why
	}
	for _, key := range slices.Sorted(maps.Keys(line.Facts)) {
		if !slices.Contains(linked, key) {
			row.Rest = strings.TrimPrefix(row.Rest+", "+key+" "+line.Facts[key], ", ")
		}
	}
	return row
}

// logPage shows the newest line first.
func (d *Dashboard) logPage(c server.Call) (any, error) {
	tail, err := d.server.Tools.ReadLog(c.Request)
	if err != nil {
		return nil, err
	}
	v := logView{LogTail: tail}
	for _, line := range slices.Backward(tail.Lines) {
		v.Rows = append(v.Rows, newLogRow(line))
	}
	return d.showPage(c, "log", "Log", v)
}

// pageOf are the pages that show what a command shows.
var pageOf = []struct{ command, path string }{{"wiki held", "/held"}, {"wiki proposals", "/proposed"}, {"wiki answers", "/answers"}, {"wiki setup", "/setup"}, {"wiki logs", "/log"}}

// commandPages are the pages that do what the commands of a text do.
func commandPages(text string) (paths []string) {
	for _, p := range pageOf {
		if strings.Contains(text, p.command) {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// doctorView is what was found, the worst first.
type doctorView struct {
	Findings []api.Finding
	Wrong    int // how many keep something from working
}

func (d *Dashboard) doctorPage(c server.Call) (any, error) {
	found, err := d.server.Tools.AskDoctor(c.Request.Context())
	if err != nil {
		return nil, err
	}
	v := doctorView{Findings: slices.SortedStableFunc(slices.Values(found.Findings), func(a, b api.Finding) int { return api.CompareLevels(a.Level, b.Level) })}
	for _, f := range v.Findings {
		if f.Level == "problem" {
			v.Wrong++
		}
	}
	return d.showPage(c, "doctor", "Doctor", v)
}
