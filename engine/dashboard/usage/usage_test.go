package usage

import (
	"fmt"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// A role keeps its colour from picture to picture; those beyond the last colour are one.
func TestRolesKeepTheirColours(t *testing.T) {
	var names []string
	for i := range 9 {
		names = append(names, fmt.Sprint("R", i))
	}
	report := apitest.UsageOf(names...)
	clear(report.Roles[0].Tokens)
	all := seriesOf(report.Roles, func(u api.RoleUsage) []float64 { return u.Tokens })
	var got []string
	for _, s := range all {
		got = append(got, fmt.Sprint(s.Name, s.Colour, s.Values[api.UsageDays-1]))
	}
	if want := "R11 2400 R22 3600 R33 4800 R44 6000 others5 36000"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", strings.Join(got, " "), want)
	}
}

// The pictures begin on the first day with an answer, but have seven days at least; the report stays as it is.
func TestEmptyDays(t *testing.T) {
	report := apitest.UsageOf("Miner", "Writer")
	whole := len(report.Days)
	for _, role := range report.Roles {
		for day := range whole - 10 {
			role.Answers[day], role.Tokens[day], role.Dollars[day] = 0, 0, 0
		}
		role.Answers[whole-10] = 1
	}
	for range 2 {
		if v := Of(report, nil); len(v.Days) != 10 || len(v.Roles[0].Answers) != 10 || len(v.Wait50) != 10 || len(v.Charts[0].Labels) != 10 {
			t.Fatalf("%d days, %d of a role", len(v.Days), len(v.Roles[0].Answers))
		}
	}
	if v := Of(api.UsageReport{Days: report.Days, Wait50: report.Wait50, Wait95: report.Wait95}, nil); len(v.Days) != leastDays {
		t.Errorf("%d days without an answer", len(v.Days))
	}
}
