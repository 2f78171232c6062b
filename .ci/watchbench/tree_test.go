//go:build peers

package watchbench

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// tree is a made vault: folders of ten notes, two levels deep, untouched for a
// day as most notes of a vault are.
type tree struct {
	root    string
	folders []string
	notes   []string
}

func plantTree(root string, notes int) (*tree, error) {
	t := &tree{root: root}
	old := time.Now().Add(-24 * time.Hour)
	for i := range notes / 10 {
		dir := filepath.Join(root, fmt.Sprintf("area %03d", i%(notes/100)), fmt.Sprintf("topic %05d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		t.folders = append(t.folders, dir)
		for j := range 10 {
			name := filepath.Join(dir, fmt.Sprintf("a note about something %05d.md", j))
			if err := os.WriteFile(name, []byte("# note\n\ntext\n"), 0o644); err != nil {
				return nil, err
			}
			if err := os.Chtimes(name, old, old); err != nil {
				return nil, err
			}
			t.notes = append(t.notes, name)
		}
	}
	return t, nil
}

// saveNote writes a note in place, or as editors do that replace the file.
func saveNote(name, text string, replacing bool) error {
	if !replacing {
		return os.WriteFile(name, []byte(text), 0o644)
	}
	temp := filepath.Join(filepath.Dir(name), ".tmp-"+filepath.Base(name))
	if err := os.WriteFile(temp, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(temp, name)
}
