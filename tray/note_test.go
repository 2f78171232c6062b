package tray

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/api"
)

func TestNoteLink(t *testing.T) {
	plain, app := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(app, ".obsidian"), 0o700); err != nil {
		t.Fatal(err)
	}
	vaults := []api.Vault{{Name: "plain", Path: plain}, {Name: "app", Path: app}}
	for _, test := range []struct{ vault, file, scheme string }{
		{"plain", "a b/c+d&e #1.md", "file"},
		{"app", "a b/c+d&e #1.md", "obsidian"},
		{"plain", "../a.md", ""},
		{"plain", "/etc/passwd.md", ""},
		{"app", "run.exe", ""},
		{"gone", "a.md", ""},
	} {
		link, err := noteLink(vaults, api.Dispatch{Vault: test.vault, File: test.file})
		if test.scheme == "" {
			if err == nil {
				t.Errorf("%s of %s is opened by %s", test.file, test.vault, link)
			}
			continue
		}
		u, problem := url.Parse(link)
		if err != nil || problem != nil || u.Scheme != test.scheme || u.Fragment != "" {
			t.Errorf("%s: %q, %v, %v", test.file, link, err, problem)
			continue
		}
		want, got := filepath.ToSlash(filepath.Join(plain, test.file)), u.Path
		if test.scheme == "obsidian" {
			want, got = filepath.Join(app, test.file), u.Query().Get("path")
		} else if want[0] != '/' {
			want = "/" + want
		}
		if got != want || u.Host != map[string]string{"file": "", "obsidian": "open"}[test.scheme] {
			t.Errorf("%s leads to %q, want %q", link, got, want)
		}
	}
}
