//go:build !windows

package config

import (
	"os"
	"path/filepath"
	"testing"
)

// An entry stays as it is written when its path leads to a wanted folder.
func TestEditKnowsFoldersThroughLinks(t *testing.T) {
	home := alone(t)
	at := func(name string) string { return filepath.Join(home, name) }
	for _, dir := range []string{"real", "other"} {
		if err := os.Mkdir(at(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("real"), at("link")); err != nil {
		t.Fatal(err)
	}
	file := "wiki:\n  vaults: [~/gone, {path: ~/link, watch: poll}]\n"
	got, _, err := Edit("c.yaml", []byte(file), Change{Vaults: []string{at("other"), at("real"), at("other")}})
	want := "wiki:\n  vaults: [{path: ~/link, watch: poll}, ~/other]\n"
	if err != nil || string(got) != want {
		t.Errorf("got\n%s%v, want\n%s", got, err, want)
	}
}
