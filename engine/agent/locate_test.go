package agent

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLocate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("scripts of Windows name no interpreter; only the lookup is tried")
	}
	home := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(home, filepath.FromSlash(name))
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + filepath.Join(home, "empty")}
	if _, err := Locate("my-agent", env, nil); !isNotFound(err, "my-agent") {
		t.Errorf("nothing is there: %v", err)
	}
	agent := script(".local/bin/my-agent", "#!/usr/bin/env -S LANG=C my-node --x\n")
	found, err := Locate("my-agent", env, nil)
	if found.Path != agent || runtime.GOOS != "windows" && !isNotFound(err, "my-node") {
		t.Errorf("without its interpreter: %+v, %v", found, err)
	}
	node := script(".bun/bin/my-node", "")
	found, err = Locate("my-agent", env, nil)
	if err != nil || found.Path != agent || runtime.GOOS != "windows" && found.Interpreter != node {
		t.Errorf("both there: %+v, %v", found, err)
	}
	if found, err := Locate("my-node", env, nil); err != nil || found.Interpreter != "" {
		t.Errorf("a program that is no script: %+v, %v", found, err)
	}
}

func isNotFound(err error, program string) bool {
	missing, ok := errors.AsType[*NotFound](err)
	return ok && missing.Program == program
}
