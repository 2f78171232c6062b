package source

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// The queue of the kernel really overflows while nobody empties it, and that is said;
// where it does not overflow every path is said.
func TestOverflowReal(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := NewHints()
	src, err := Open(root, h, slog.New(slog.DiscardHandler))
	must(t, err)
	defer src.Close()
	if folders, ok := src.(FolderSource); ok {
		e, err := disk.Inspect(root)
		must(t, err)
		must(t, folders.Arm("", e.ID, false))
	}
	limit := 16384
	if text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events"); err == nil {
		fmt.Sscan(string(text), &limit)
	}
	h.mu.Lock() // the goroutine that empties the queue waits here
	for i := 0; i <= limit/2+3000; i++ {
		must(t, os.WriteFile(filepath.Join(root, fmt.Sprintf("n%d.md", i)), []byte("text"), 0o644))
	}
	h.mu.Unlock()
	everything := false
	for end := time.Now().Add(time.Minute); !everything || runtime.GOOS == "linux" && h.Overflows() == 0; {
		if time.Now().After(end) {
			t.Fatalf("everything is said: %v; %d overflows", everything, h.Overflows())
		}
		select {
		case <-h.Wake:
		case <-time.After(time.Second):
		}
		_, all := h.Take()
		everything = everything || all
	}
}
