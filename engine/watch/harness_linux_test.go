package watch

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kernelWatches counts the watches that the kernel holds for this process.
func kernelWatches(t *testing.T) int {
	t.Helper()
	infos, err := filepath.Glob("/proc/self/fdinfo/*")
	must(t, err)
	n := 0
	for _, info := range infos {
		f, err := os.Open(info)
		if err != nil {
			continue // closed meanwhile, or the one that read the folder
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "inotify wd:") {
				n++
			}
		}
		f.Close()
	}
	return n
}

// mirrorsDisk waits until there is one watch for each folder, in the books as in
// the kernel. Only one vault may be watched meanwhile.
func (v *vault) mirrorsDisk() {
	v.Helper()
	folders := liveFolders(v.T, v.root)
	v.until("one watch for each folder", func() bool {
		s := v.w.Stats()
		if s.Source == "poll" {
			return s.Dirs == folders && kernelWatches(v.T) == 0
		}
		return s.Watches == folders && s.Dirs == folders && kernelWatches(v.T) == folders
	})
}
