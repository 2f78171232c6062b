package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writePart makes a folder with files and their sums, as a part of a release.
func writePart(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeText(t, filepath.Join(dir, name), text)
	}
	if err := writeSums(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestJoin: what was made in parts is one release, and nothing else passes for it.
func TestJoin(t *testing.T) {
	linux := writePart(t, map[string]string{product + "_1.2.3_linux_amd64.tar.gz": "for Linux", "alike.json": "the same"})
	mac := writePart(t, map[string]string{product + "_1.2.3_darwin_arm64.tar.gz": "for a Mac", "alike.json": "the same"})
	r := &release{top: "../..", version: "1.2.3", tell: t.Logf}
	made := t.TempDir()
	if err := r.joinParts([]string{linux, mac}, made); err != nil {
		t.Fatal(err)
	}
	files, err := listFiles(made)
	var names []string
	for _, f := range files {
		names = append(names, f.target)
	}
	slices.Sort(names)
	if want := []string{"alike.json", product + "_1.2.3_darwin_arm64.tar.gz", product + "_1.2.3_linux_amd64.tar.gz"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("joined: %v, %v", names, err)
	}
	changed, more, without := writePart(t, map[string]string{product + "_1.2.3_x": "a"}), writePart(t, map[string]string{product + "_1.2.3_y": "b"}), t.TempDir()
	writeText(t, filepath.Join(changed, product+"_1.2.3_x"), "changed")
	writeText(t, filepath.Join(more, "unlisted"), "")
	for part, want := range map[string]string{
		changed: "not what SHA256SUMS has",
		more:    "does not list",
		without: "SHA256SUMS",
		"":      "an empty folder",
		writePart(t, map[string]string{product + "_1.2.3_x.cdx.json": `{"metadata":{"component":{"version":"1.2.2"}}}`}): "no list of the parts of version 1.2.3",
		writePart(t, map[string]string{product + "_1.2.4_linux": ""}):                                                    "nothing of version 1.2.3",
		writePart(t, map[string]string{product + "_1.2.3_x": "", "alike.json": "another one"}):                           "not the same",
	} {
		if err := r.joinParts([]string{linux, part}, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q expected, got %v", want, err)
		}
	}
	r.base = "https://example.org/v1"
	if err := r.joinParts([]string{linux, mac}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "no manifest for scoop") {
		t.Errorf("without what is for Windows there is no whole release: %v", err)
	}
	if err := os.Remove(filepath.Join(mac, "alike.json")); err != nil {
		t.Fatal(err)
	}
	if err := r.joinParts([]string{mac}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("a part without one of its files: %v", err)
	}
}

// TestJoinTakesNoOther: what would be ignored is refused, with the reason.
func TestJoinTakesNoOther(t *testing.T) {
	for _, args := range [][]string{{"-join", "a", "-os", "linux"}, {"-join", "a", "-only", "deb"}, {"-join", "a", "b"}, {"-join="}, {"-os", ""}, {"-os", "plan9"}} {
		if err := runCommand(append(args, "-out", t.TempDir()), io.Discard); err == nil || strings.Contains(err.Error(), "SHA256SUMS") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
