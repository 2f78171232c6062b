package disk

import (
	"os"
	"path/filepath"
	"testing"
)

// To look into a folder keeps nobody from renaming it meanwhile.
func TestLookingBlocksNobody(t *testing.T) {
	at := filepath.Join(t.TempDir(), "empty")
	must(t, os.Mkdir(at, 0o755))
	done := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = IsEmpty(at, "")
				FoldsCase(at)
			}
		}
	}()
	for range 200 {
		must(t, os.Rename(at, at+"~"))
		must(t, os.Rename(at+"~", at))
	}
	close(stop)
	<-done
}
