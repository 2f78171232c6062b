package site

import (
	"os"
	"path/filepath"
	"testing"
)

// What was looked at is compared by what the look has found: no other look is made, which nothing would bound. Windows
// identifies a file when it is compared first, by its path (https://go.dev/src/os/types_windows.go).
func TestCompareWithoutALook(t *testing.T) {
	top := t.TempDir()
	vault := filepath.Join(top, "vault")
	if err := os.MkdirAll(filepath.Join(vault, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	one, other, inner := Inspect(vault), Inspect(filepath.Join(vault, "inner", "..")+string(filepath.Separator)), Inspect(filepath.Join(vault, "inner"))
	one.Path, other.Path, inner.Path = "a", "b", "c" // so that the names tell nothing
	if err := os.Rename(vault, filepath.Join(top, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if !one.IsSame(other) || !inner.IsWithin(one) || one.IsWithin(inner) {
		t.Errorf("the same: %v, within: %v, around: %v", one.IsSame(other), inner.IsWithin(one), one.IsWithin(inner))
	}
}
