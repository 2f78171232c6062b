package main

import (
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"vaultdispatcher/engine/api"
)

// soon is how soon after its save a person is told of what is not taken up.
const soon = 5 * time.Second

// untaken FILE TEXT waits until the status tells of the note with that text in the line, the
// reason or the mend; ! waits until it does not.
func awaitUntaken(ts *testscript.TestScript, neg bool, args []string) {
	eventually(ts, "told of "+strings.Join(args, " "), func() bool { return isTold(ts, args[0], args[1]) != neg })
}

// toldsoon FILE CONTENT TEXT saves a note and waits as untaken does, no longer than is promised. A
// busy machine may stall: then the note is removed and saved anew, until it was told of in time once.
func toldSoon(ts *testscript.TestScript, _ bool, args []string) {
	for try, end := 0, time.Now().Add(scriptPatience); try == 0 || time.Now().Before(end); try++ {
		if try > 0 {
			ts.Check(os.Remove(ts.MkAbs("vault/" + args[0])))
			awaitUntaken(ts, true, []string{args[0], ""})
		}
		ts.Check(os.WriteFile(ts.MkAbs("vault/"+args[0]), unquoted(ts, args[1]), 0o644))
		saved := time.Now()
		awaitUntaken(ts, false, []string{args[0], args[2]})
		took := time.Since(saved)
		ts.Logf("told of %s after %s", args[0], took.Round(time.Millisecond))
		if took <= soon {
			return
		}
	}
	ts.Fatalf("nobody was told of %s within %s, however often it was saved", args[0], soon)
}

// isTold reports whether the status has a row of a note with a text.
func isTold(ts *testscript.TestScript, file, text string) bool {
	s, err := engineStatus(ts)
	if err != nil {
		return false
	}
	for _, row := range s.NotTaken {
		if row.File == file && strings.Contains(rowText(row), text) {
			return true
		}
	}
	return false
}

func rowText(row api.Untaken) string {
	return strings.Join([]string{row.Text, row.Reason, row.Mend}, "\n")
}
