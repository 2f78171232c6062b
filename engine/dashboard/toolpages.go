package dashboard

import (
	"slices"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/dashboard/phrase"
)

// logView is the end of the log, a row for each line.
type logView struct {
	api.LogTail
	Rows []phrase.LogRow
}

// logPage shows the newest line first, with the question that it is about.
func (d *Dashboard) logPage(c server.Call) (any, error) {
	tail, err := d.server.Tools.ReadLog(c.Request)
	if err != nil {
		return nil, err
	}
	asked := make(map[string]string)
	list, _ := d.backend.Dispatches(c.Request.Context(), api.Filter{Limit: api.MostListed}) // without them the log is still one
	for _, one := range list {
		asked[one.ID] = titleOfQuestions(one)
	}
	v := logView{LogTail: tail}
	for _, line := range slices.Backward(tail.Lines) {
		row := phrase.NewLogRow(line)
		row.Asked = asked[line.Facts["dispatch"]]
		v.Rows = append(v.Rows, row)
	}
	return d.showPage(c, "log", "Log", v)
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
