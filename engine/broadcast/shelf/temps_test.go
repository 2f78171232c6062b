package shelf

import (
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/rewrite/swap"
)

// namer remembers the temporary files that are made.
type namer struct {
	swap.Files
	made []string
}

func (n *namer) Create(name string) (swap.Handle, error) {
	n.made = append(n.made, filepath.Base(name))
	return n.Files.Create(name)
}

// What is left behind of a work by a kill names its engine, which sweeps it.
func TestTempsNameTheirEngine(t *testing.T) {
	root, disk := t.TempDir(), &namer{Files: swap.System()}
	w := work("Plan", "one\n")
	put(t, root, w)
	w.Body, w.Engine, w.disk = "two\n", "0123456789abcdef", disk
	if p := put(t, root, w); !strings.Contains(read(t, root, p.Note), "two") {
		t.Fatal("the work was not made anew")
	}
	if len(disk.made) == 0 {
		t.Error("no temporary file was made")
	}
	for _, name := range disk.made {
		if !strings.HasPrefix(name, "0123456789abcdef-") {
			t.Errorf("%s names no engine", name)
		}
	}
}
