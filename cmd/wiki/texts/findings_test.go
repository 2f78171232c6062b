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
