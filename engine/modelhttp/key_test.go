package modelhttp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key is found in its variable, else in the file that NAME_FILE names, else among the credentials of a unit of systemd; a folder
// and a file that is too large hold none.
func TestFindKey(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if got := FindKey("MODELS_KEY", nil) + FindKey("", nil); got != "" {
		t.Errorf("found %q", got)
	}
	write("MODELS_KEY", "of systemd\n")
	t.Setenv("CREDENTIALS_DIRECTORY", dir)
	for _, tt := range []struct{ variable, file, envVariable, envFile, want string }{
		{"", "", "", "", "of systemd\n"},
		{"", write("file", "of a file"), "", "", "of a file"},
		{"", dir, "", "", ""},
		{"", write("large", strings.Repeat("x", mostKey+1)), "", "", ""},
		{"", "/nowhere/at/all", "", "", ""},
		{"", filepath.Join(dir, "file"), "", write("own", "of the role's file"), "of the role's file"},
		{"of the environment", filepath.Join(dir, "file"), "", filepath.Join(dir, "own"), "of the environment"},
		{"of the environment", "", "of the role", "", "of the role"},
	} {
		t.Setenv("MODELS_KEY", tt.variable)
		t.Setenv("MODELS_KEY_FILE", tt.file)
		if got := FindKey("MODELS_KEY", map[string]string{"MODELS_KEY": tt.envVariable, "MODELS_KEY_FILE": tt.envFile}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
