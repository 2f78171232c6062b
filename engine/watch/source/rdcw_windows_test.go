package source

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
		h := NewHints()
		src, err := openRDCW(root, h, slog.New(slog.DiscardHandler))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(root, fmt.Sprintf("n%d.md", i%7)), []byte(fmt.Sprint(i)), 0o644))
		src.Close()
		if i == 10 {
			before = handles()
		}
	}
	runtime.GC()
	if now := handles(); now > before+10 {
		t.Errorf("%d handles, %d after the first ten", now, before)
	}
	buf := make([]byte, 1<<20)
	if all := string(buf[:runtime.Stack(buf, true)]); strings.Contains(all, "source.(*rdcw)") {
		t.Errorf("still running:\n%s", all)
	}
}
