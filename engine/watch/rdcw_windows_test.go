package watch

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// While a vault is watched its folders can be renamed, moved and deleted by
// anybody, at every depth, and so can the vault itself.
func TestNothingIsBlocked(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "vault")
	v := newVault(t, root)
	v.write("a/b/c/n.md", "n")
	v.start()
	v.waitReady()
	if s := v.w.Stats(); s.Source != "rdcw" {
		t.Fatalf("the source is %s", s.Source)
	}
	for _, step := range [][2]string{{"a/b/c", "a/b/d"}, {"a/b", "a/e"}, {"a", "f"}, {"f/e/d", "top"}, {"f", "a"}} {
		must(t, os.Rename(v.path(step[0]), v.path(step[1])))
		v.settled()
	}
	must(t, os.RemoveAll(v.path("a")))
	v.settled()
	must(t, os.Rename(root, root+" moved"))
	must(t, os.Rename(root+" moved", root))
	v.write("late.md", "late")
	v.settled()
}

// A source that is opened and closed leaves nothing behind, however busy it is.
func TestRDCWCloses(t *testing.T) {
	root := t.TempDir()
	count := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetProcessHandleCount")
	handles := func() (n uint32) {
		ok, _, err := count.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&n)))
		if ok == 0 {
			t.Fatal(err)
		}
		return n
	}
	before := uint32(0)
	for i := range 60 {
		h := newHints()
		src, err := openRDCW(root, h, slog.New(slog.DiscardHandler))
		must(t, err)
		write(t, filepath.Join(root, fmt.Sprintf("n%d.md", i%7)), fmt.Sprint(i))
		src.close()
		if i == 10 {
			before = handles()
		}
	}
	runtime.GC()
	if now := handles(); now > before+10 {
		t.Errorf("%d handles, %d after the first ten", now, before)
	}
	buf := make([]byte, 1<<20)
	if all := string(buf[:runtime.Stack(buf, true)]); strings.Contains(all, "watch.(*rdcw)") {
		t.Errorf("still running:\n%s", all)
	}
}
