package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that reads the configuration for each of several notes tells its warnings once.
func TestWarningsAreToldOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("wiki:\n  setle: 3s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &App{Stderr: &out, ConfigFile: file}
	for range 3 {
		if _, err := a.Config(); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(out.String(), "wiki.setle"); n != 1 {
		t.Errorf("told %d times: %s", n, &out)
	}
}
