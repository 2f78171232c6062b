package dashboard

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// logPage shows the newest line first.
func (d *Dashboard) logPage(c server.Call) (any, error) {
	tail, err := d.server.Tools.ReadLog(c.Request)
	if err != nil {
		return nil, err
	}
	slices.Reverse(tail.Lines)
	return d.showPage(c, "log", "Log", tail)
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
