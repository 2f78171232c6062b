// Package testmain runs the tests of a package that write many files and wait much.
//
//	func TestMain(m *testing.M) { os.Exit(testmain.Run(m)) }
//
// What such tests write lies in memory where the system has a folder for that: /dev/shm of Linux, with a
// gibibyte free. They are no test of a disk, and ext4 takes longer to make a file for each one that
// was deleted within the last minute. Where TMPDIR is set, files are made there instead, so that a bed can choose
// the disk (.ci/race, .ci/safety). TEST_MEMORY names another folder in memory, or none with "off".
package testmain

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// Run runs the tests as [Parallel] and [InMemory] say, and returns the exit code of the program.
func Run(m *testing.M) int {
	Parallel(8)
	return InMemory(m.Run)
}

// Parallel lets count tests run side by side where -parallel does not say it: they wait more than they work.
func Parallel(count int) {
	flag.Parse()
	parallel := flag.Lookup("test.parallel")
	if parallel.Value.String() != parallel.DefValue {
		return
	}
	if err := parallel.Value.Set(fmt.Sprint(count)); err != nil {
		panic(err)
	}
}

// Long skips a test where tests are to be short; why says what takes so long, as .ci/skips does. The gate has every test in
// its long form.
func Long(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: " + why)
	}
}

// InMemory runs the tests while the temporary files of this program, and of those that it starts, lie in memory, and
// returns their exit code. What a test leaves there is named and fails them all.
func InMemory(run func() int) int {
	folder := os.Getenv("TEST_MEMORY")
	if folder == "" && os.Getenv("TMPDIR") == "" && hasRoom(shared) {
		folder = shared
	}
	if folder == "" || folder == "off" {
		return run()
	}
	dir, err := os.MkdirTemp(folder, "tests")
	if err == nil {
		err = os.Chmod(dir, 0o711) // some tests become another user
	}
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err == nil {
		err = os.Setenv("TEST_MEMORY", "off") // for the programs that it starts: they have the folder
	}
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	code := run()
	entries, err := os.ReadDir(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests took away what they lie in:", err)
		return max(code, 1)
	}
	for _, entry := range entries {
		fmt.Fprintln(os.Stderr, "the tests left behind:", entry.Name())
		code = max(code, 1)
	}
	return code
}
