package rules

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the page anew")

// acts are the parts of the page, and what a person does about the rules of one that do not say it.
var acts = []struct {
	act               Act
	title, text, mend string
}{
	{Refuse, "It is not asked here", "The line stays as it is. `wiki scan NOTE` has a question asked all the same where the last column says so.\n" +
		"What makes a note a template, and where nothing is asked: [Templates, bins and stores](left-alone.md).", ""},
	{Wait, "It waits", "These questions go on by themselves.", ""},
	{Hold, "It waits for you", "`wiki held` lists these questions.", "`wiki release ID` starts it"},
	{Start, "It starts", "No rule above has decided.", ""},
}

// pageOfRules returns the page of all rules, assets/docs/not-asked.md.
func pageOfRules() string {
	var b strings.Builder
	examples := strings.NewReplacer("{", "*", "}", "*")
	b.WriteString("<!-- Made by go test ./engine/vault/rules -update; do not edit. -->\n# Why is it not asked?\n\n" +
		"`wiki why NOTE` says it for each question of a note, in the words of these tables. The words in italics are examples.\n" +
		"The engine asks the rules by their numbers, and the first that decides is the reason.\n\n" +
		"A line that is no question, because a `>` is missing or it is in code, has no rule: `wiki why NOTE` shows how to write it.\n" +
		"A question that was asked and has no answer yet is in `wiki status` ([troubleshooting](troubleshooting.md)).\n")
	for _, part := range acts {
		columns, cell := "| rule | `wiki why` says | what to do |\n|---|---|---|\n", func(asked bool) string { return "\n" }
		if part.act == Refuse {
			columns = "| rule | `wiki why` says | what to do | by `wiki scan` |\n|---|---|---|---|\n"
			cell = func(asked bool) string { return map[bool]string{true: " asked |\n", false: " not asked |\n"}[asked] }
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", part.title, part.text, columns)
		for i, r := range List {
			if r.Act != part.act {
				continue
			}
			row := func(cause, mend string) {
				fmt.Fprintf(&b, "| %d, %s | %s | %s |%s", i+1, r.Name, cause, cmp.Or(mend, part.mend), cell(r.Unasked || strings.Contains(mend, "wiki scan")))
			}
			for _, s := range r.Reasons {
				cause, mend, _ := strings.Cut(examples.Replace(string(s)), "; ")
				row(cause, mend)
			}
			if r.Cause != "" {
				row(examples.Replace(string(r.Cause)), r.Mend)
			}
		}
	}
	return b.String()
}

// TestPageIsFresh: the page in assets/docs is that of the rules there are.
func TestPageIsFresh(t *testing.T) {
	file := filepath.Join("..", "..", "..", "assets", "docs", "not-asked.md")
	if *update {
		if err := os.WriteFile(file, []byte(pageOfRules()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(bytes.ReplaceAll(page, []byte("\r\n"), []byte("\n"))) != pageOfRules() {
		t.Errorf("%s is stale: go test ./engine/vault/rules -update writes it", file)
	}
}
