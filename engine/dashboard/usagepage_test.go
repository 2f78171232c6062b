package dashboard

import (
	"context"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// used is a backend with a report and budgets.
type used struct {
	*apitest.Backend
	report  api.UsageReport
	budgets []api.Budget
}

func (b used) Usage(context.Context) (api.UsageReport, error) { return b.report, nil }

func (b used) Status(context.Context, bool) (api.Status, error) {
	return api.Status{Budgets: b.budgets}, nil
}

func openUsed(t *testing.T, path string, b used) string {
	t.Helper()
	return openSite(t, func(s *parts) { b.Backend = s.backend.(*apitest.Backend); s.backend = b }).browser(t).get(t, path).text
}

// The page has each number as a picture and as a table, and the limits of a day.
func TestUsagePage(t *testing.T) {
	report := apitest.UsageOf("Miner", "Writer")
	for i := range report.Roles {
		report.Roles[i].Unanswered = 0
	}
	html := openUsed(t, "/usage", used{report: report, budgets: []api.Budget{{Tokens: 1200, TokensPerDay: 4000, Text: "1200 tokens of 4000"}}})
	for _, want := range []string{
		`aria-label="Answers a day"`, `<title>1 Sep, Writer: 4</title>`, `<td role="cell" data-label="Miner">4</td>`, // both
		`data-label="95 of 100 within">1 min</td>`, `data-label="Writer">2,400</td>`, `data-label="Writer">$0.04</td>`,
		`value="0.30" aria-label="1200 tokens of 4000"`, `class="limit"`, `data-label="Undone">1 (14%)</td>`, `data-label="Rejected">1 (13%)</td>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(html, ">Unanswered</th>") {
		t.Error("a column is there that says nothing of any role")
	}
	if t.Failed() {
		t.Log(html)
	}
	if html := openUsed(t, "/usage", used{}); strings.Contains(html, "<svg") || !strings.Contains(html, "Nothing was answered") {
		t.Errorf("of nothing there is\n%s", html)
	}
}

// The first page has a sparkline that leads to the page, when there is something to see.
func TestNowHasATrend(t *testing.T) {
	if html := openUsed(t, "/", used{report: apitest.UsageOf("Miner")}); !strings.Contains(html, `class="spark"`) || !strings.Contains(html, `<a href="/usage">7 answers in 30 days</a>`) {
		t.Errorf("%s", html)
	}
	once := apitest.UsageOf("Miner")
	for i := range once.Roles[0].Answers[1:] {
		once.Roles[0].Answers[i+1] = 0
	}
	once.Roles[0].Answers[0] = 4
	if html := openUsed(t, "/", used{report: once}); strings.Contains(html, `class="spark"`) || !strings.Contains(html, `<a href="/usage">4 answers in 30 days</a>`) {
		t.Errorf("a day makes a trend:\n%s", html)
	}
	if html := openUsed(t, "/", used{}); strings.Contains(html, `class="spark"`) {
		t.Errorf("of nothing there is a trend: %s", html)
	}
}
