// Package usage draws what was answered in the last days.
package usage

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/dashboard/plot"
	"vaultdispatcher/engine/wording"
)

// View is what was answered in the last days.
type View struct {
	api.UsageReport
	Charts  []Chart
	Budgets []api.Budget
}

// Chart is a picture with what is written beside it.
type Chart struct {
	plot.Chart
	ID, Note string
	SVG      template.HTML
}

// column is what a table says of each role under one name.
type column struct {
	Name  string
	Texts []string
}

// leastDays is how many days are shown, at least.
const leastDays = 7

// Of draws a report; budgets are lines in it. Days before the first on which a question ended are left out.
func Of(report api.UsageReport, budgets []api.Budget) View {
	report.DropEmptyDays(leastDays)
	return View{report, chartsOf(report, budgets), budgets}
}

// Columns are those of the table of the roles that say something of any.
func (v View) Columns() (all []column) {
	add := func(name string, text func(api.RoleUsage) string) {
		c := column{Name: name}
		for _, role := range v.Roles {
			c.Texts = append(c.Texts, text(role))
		}
		if strings.Join(c.Texts, "") != "" {
			all = append(all, c)
		}
	}
	add("Answered", func(u api.RoleUsage) string { return wording.Number(u.Answered) })
	add("Half within", func(u api.RoleUsage) string { return plot.Seconds(u.Wait50) })
	add("95 of 100 within", func(u api.RoleUsage) string { return plot.Seconds(u.Wait95) })
	add("No result", func(u api.RoleUsage) string { return plot.Share(u.NoResult, u.Answered) })
	add("Undone", func(u api.RoleUsage) string { return plot.Share(u.Undone, u.Answered) })
	add("Rejected", func(u api.RoleUsage) string { return plot.Share(u.Rejected, u.Answered) })
	add("Unanswered", func(u api.RoleUsage) string { return unlessZero(float64(u.Unanswered), wording.Number[float64]) })
	add("Tokens", func(u api.RoleUsage) string { return unlessZero(api.Sum(u.Tokens), wording.Number[float64]) })
	add("Cost", func(u api.RoleUsage) string { return unlessZero(api.Sum(u.Dollars), wording.Dollars) })
	return all
}

// unlessZero is a number in words; empty where it is nothing.
func unlessZero(n float64, format func(float64) string) string {
	return wording.Choose(n == 0, "", format(n))
}

// chartsOf draws what a report has; budgets are lines in it.
func chartsOf(r api.UsageReport, budgets []api.Budget) (all []Chart) {
	labels := make([]string, len(r.Days))
	for i, day := range r.Days {
		labels[i] = day.Format("2 Jan")
	}
	bars := func(id, title, note string, format, side func(float64) string, limit float64, values func(api.RoleUsage) []float64) {
		chart := plot.Chart{Title: title, Labels: labels, Series: seriesOf(r.Roles, values), Format: format, Side: side, Limit: limit}
		if !chart.IsEmpty() {
			all = append(all, Chart{chart, id, note, chart.Bars()})
		}
	}
	bars("answers", "Answers a day", "", wording.Number[float64], nil, 0, func(u api.RoleUsage) []float64 { return u.Answers })
	waits := plot.Chart{Title: "How long answers took", Labels: labels, Format: plot.Seconds, Ticks: waitTicks,
		Series: []plot.Series{{Name: "half within", Values: r.Wait50}, {Name: "95 of 100 within", Values: r.Wait95, Colour: 1}}}
	if !waits.IsEmpty() {
		all = append(all, Chart{waits, "waits", "From the question to the note, without what waited for you or for a limit.", waits.Lines()})
	}
	tokens, dollars := 0.0, 0.0
	for _, b := range budgets {
		if b.Role == "" {
			tokens, dollars = float64(b.TokensPerDay), b.DollarsPerDay
		}
	}
	bars("tokens", "Tokens a day", noteOfLimit(tokens), wording.Number[float64], plot.Thousands, tokens, func(u api.RoleUsage) []float64 { return u.Tokens })
	bars("money", "Dollars a day", noteOfLimit(dollars), wording.Dollars, nil, dollars, func(u api.RoleUsage) []float64 { return u.Dollars })
	return all
}

func noteOfLimit(limit float64) string {
	return "As far as the agents tell." + wording.Choose(limit > 0, " The dashed line is the limit of a day.", "")
}

// seriesOf are the values of the roles that have any. A role has the same colour in each picture; those beyond the last colour are
// one series.
func seriesOf(roles []api.RoleUsage, values func(api.RoleUsage) []float64) (all []plot.Series) {
	others := plot.Series{Name: "others", Colour: plot.Colours - 1}
	for i, role := range roles {
		v := values(role)
		switch {
		case api.Sum(v) <= 0:
		case i < others.Colour:
			all = append(all, plot.Series{Name: role.Role, Values: v, Colour: i})
		case others.Values == nil:
			others.Values = slices.Clone(v)
		default:
			for day := range v {
				others.Values[day] += v[day]
			}
		}
	}
	if others.Values != nil {
		all = append(all, others)
	}
	return all
}

// waitTicks are seconds.
var waitTicks = []float64{.1, 1, 10, 60, 600, 3600, 36000, 864000}

// Trend is a sparkline and what it shows.
type Trend struct {
	SVG     template.HTML
	Answers int
}

// TrendOf draws all answers of the last days, once two of them have any.
func TrendOf(r api.UsageReport) (v Trend) {
	if len(r.Roles) == 0 {
		return v
	}
	sums := make([]float64, len(r.Days))
	for _, role := range r.Roles {
		for i, n := range role.Answers {
			sums[i] += n
		}
	}
	v.Answers = int(api.Sum(sums))
	if days := slices.DeleteFunc(slices.Clone(sums), func(n float64) bool { return n == 0 }); len(days) < 2 {
		return v // a single bar shows no trend
	}
	v.SVG = plot.Spark(fmt.Sprintf("Answers a day, %s in %d days, %.0f today", wording.Count(v.Answers, "answer"), len(sums), sums[len(sums)-1]), sums)
	return v
}
