package main

import (
	"os"
	"path/filepath"
	"testing"
)

const config = `
name: notes
arch: amd64
version: 1.2.3
maintainer: The authors <authors@example.org>
description: about notes
contents:
  - {src: FILE, dst: /usr/share/notes/file}
`

// TestMakePackage: one package of each format, and none of what cannot be packed.
func TestMakePackage(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("nfpm.yaml", []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	for format, name := range map[string]string{
		"deb": "notes_1.2.3_amd64.deb", "rpm": "notes-1.2.3-1.x86_64.rpm",
		"apk": "notes_1.2.3_x86_64.apk", "archlinux": "notes-1.2.3-1-x86_64.pkg.tar.zst",
	} {
		out := t.TempDir()
		_ = os.Remove("FILE")
		if err := makePackage("nfpm.yaml", format, out); err == nil {
			t.Errorf("%s: a file that is not there was packed", format)
		}
		if left, _ := os.ReadDir(out); len(left) > 0 {
			t.Errorf("%s: %s is left of a package that could not be made", format, left[0].Name())
		}
		if err := os.WriteFile("FILE", []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := makePackage("nfpm.yaml", format, out); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: no package %s: %v", format, name, err)
		}
	}
	if err := makePackage("nfpm.yaml", "exe", t.TempDir()); err == nil {
		t.Error("there is no format exe, and it was made")
	}
}
