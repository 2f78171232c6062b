package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const commands = `{"use":"wiki","short":"Answers questions","sections":[{"title":"FILES","entries":[{"name":"~/x-y","text":"It's there."}]}],"flags":[{"name":"json","usage":"print JSON","type":"bool","default":"false","alone":"true","below":true}],
"commands":[{"use":"retry ID","short":"Run it now","long":"Runs it.","example":"  wiki retry 7","flags":[{"name":"vault","usage":"all of this ` + "`name`" + `","type":"string"}]}]}`

// TestWrite: one page for each command, dated as asked, with the flags of its own
// and those from above.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := writePages(strings.NewReader(commands), dir, "1.2.3", time.Unix(1e9, 0).UTC()); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"wiki.1":       {"Answers questions", "wiki-retry(1)", `--json`, ".SH FILES\n.TP\n\\fB\\(ti/x\\-y\\fR\nIt\\(aqs there.\n.SH SEE ALSO\n\\fBwiki\\-tray(1)\\fP, \\fBwiki\\-config(5)\\fP, "},
		"wiki-retry.1": {"Sep 2001", "Vault Dispatcher 1.2.3", "Runs it.", "wiki retry 7", `--vault`, `--json`, "SEE ALSO"},
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s does not hold %q:\n%s", name, want, page)
			}
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	if err := writePages(strings.NewReader("no commands"), t.TempDir(), "", time.Time{}); err == nil {
		t.Error("what is no list of commands became a manual")
	}
}
