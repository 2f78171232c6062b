//go:build realvaults

package untaken

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

var vaults = flag.String("untaken.vaults", "", "folders of real notes, separated by commas, in which hardly any line may be told of")

// In real notes, whose writers never asked an agent, at most one in 2,000 has a row.
func TestFalseAlarms(t *testing.T) {
	if *vaults == "" {
		t.Fatal("no vaults are named by -untaken.vaults")
	}
	roles := []string{"Manager", "Miner", "Broadcaster", "Heavy-Lifter", "Watcher", "Editor"}
	notes, told := 0, 0
	for _, folder := range strings.Split(*vaults, ",") {
		before, alarms := notes, told
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
				return err
			}
			src, err := os.ReadFile(path)
			notes++
			for _, row := range find(src, note.Parse(src), roles) {
				t.Logf("%s: %+v", path, row)
				if !row.Hidden {
					told++
					break
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d notes, %d told", folder, notes-before, told-alarms)
	}
	if told*2000 > notes {
		t.Errorf("%d of %d notes are told of", told, notes)
	}
}
