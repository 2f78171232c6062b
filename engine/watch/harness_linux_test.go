package watch

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// kernelWatches counts the watches that the kernel holds for a vault: those of each source that watches a folder of it.
func kernelWatches(t *testing.T, root string) (all int) {
	t.Helper()
	ours := make(map[uint64]bool) // folders
	err := filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			ours[info.Sys().(*syscall.Stat_t).Ino] = true
		}
		return err
	})
	must(t, err)
	infos, err := filepath.Glob("/proc/self/fdinfo/*")
	must(t, err)
	for _, info := range infos {
		f, err := os.Open(info)
		if err != nil {
			continue // closed meanwhile, or the one that read the folder
		}
		n, isOurs := 0, false
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var wd, inode uint64 // https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html
			if read, _ := fmt.Sscanf(lines.Text(), "inotify wd:%x ino:%x", &wd, &inode); read == 2 {
				n, isOurs = n+1, isOurs || ours[inode]
			}
		}
		if isOurs {
			all += n
		}
		f.Close()
	}
	return all
}

// mirrorsDisk waits until there is one watch for each folder, in the books as in
// the kernel.
func (v *vault) mirrorsDisk() {
	v.Helper()
	folders := liveFolders(v.T, v.root)
	v.until("one watch for each folder", func() bool {
		s := v.w.Stats()
		if s.Source == "poll" {
			return s.Dirs == folders && kernelWatches(v.T, v.root) == 0
		}
		return s.Watches == folders && s.Dirs == folders && kernelWatches(v.T, v.root) == folders
	})
}
