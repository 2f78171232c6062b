package texts

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/installer/doctor"
)

// Every finding is one sentence, and what is not in order has one next step.
func TestEveryFindingHasWords(t *testing.T) {
	text, err := os.ReadFile("../../../installer/doctor/code.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(codes) != len(findingTexts) {
		t.Errorf("%d codes and %d texts", len(codes), len(findingTexts))
	}
	for _, code := range codes {
		f := Findings([]doctor.Finding{{Code: doctor.Code(code[1]), Subject: "ABOUT", Detail: "DETAIL"}})[0]
		good := doctor.Code(code[1]).Level() == doctor.OK
		if f.Text == "" || (f.Step == "") != good || strings.ContainsAny(f.Text+f.Step, "{}\n") || strings.HasSuffix(f.Text, ".") {
			t.Errorf("%s: %q, next %q", code[1], f.Text, f.Step)
		}
	}
}

// What was repaired comes first, then the worst; what is as bad keeps its order.
func TestWorstFindingsFirst(t *testing.T) {
	level := func(check string, l doctor.Level, fixed bool) doctor.Finding {
		return doctor.Finding{Check: check, Level: l, Fixed: fixed}
	}
	found := Findings([]doctor.Finding{level("a", doctor.OK, false), level("b", doctor.Warning, false), level("c", doctor.Problem, false), level("d", doctor.Note, false),
		level("e", doctor.Problem, false), level("f", doctor.Warning, true)})
	order := ""
	for _, f := range found {
		order += f.Check
	}
	if order != "fcebda" {
		t.Errorf("in the order %s", order)
	}
}
