package growth

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// alone names the test whose calls are counted in this process.
const alone = "GROWTH_TEST_ALONE"

// looksCounted is false where the system refuses to tell of looks at files.
var looksCounted = true

// Alone runs the calling test in a process of its own, whose looks at files are counted from its first to its last moment, and
// reports whether this is that process. Elsewhere the test has nothing left to do.
//
//	if !growth.Alone(t) {
//		return
//	}
//	growth.Gently(t, 60, work, growth.Calls()...)
func Alone(t *testing.T) bool {
	t.Helper()
	if isTimed || !countsCalls {
		return true
	}
	if os.Getenv(alone) == t.Name() {
		if err := countLooks(); err != nil { // some sandboxes have no such filter; everywhere else it is counted
			t.Logf("the looks at files are not counted here: %v", err)
			looksCounted = false
		}
		return true
	}
	args := []string{"-test.run=^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$", "-test.count=1", "-test.v"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), alone+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}
