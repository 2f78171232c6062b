package dashboard

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// A note is opened in its app only where there is one and the note is there, and by
// its path alone.
func TestPlacesOf(t *testing.T) {
	vault := apitest.RealDir(t)
	d := New(Options{Backend: &apitest.Backend{Vaults: []api.Root{{Name: "v", Path: vault}}}})
	placeOf := func(vault, file string) noteLocation { return d.placesOf(noteName{vault, file})[0] }
	write := func(file string) string {
		path := filepath.Join(vault, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write("a.md")
	if got := placeOf("v", "a.md"); got.Path != path || got.Open != "" || got.Gone {
		t.Errorf("a plain folder: %+v", got)
	}
	if err := os.Mkdir(filepath.Join(vault, ".obsidian"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := []string{"a.md", "sub folder/ä & b.md", "100%25.md", "a&vault=other.md"}
	if runtime.GOOS != "windows" {
		files = append(files, `"><script>.md`, "x?x=1#y.md")
	}
	for _, file := range files {
		path := write(file)
		got := placeOf("v", file)
		u, err := url.Parse(string(got.Open))
		if err != nil || u.Scheme != "obsidian" || u.Host != "open" || u.Fragment != "" || len(u.Query()) != 1 || u.Query().Get("path") != path {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
	}
	if got := placeOf("v", "gone.md"); !got.Gone || got.Open != "" {
		t.Errorf("a note that is gone: %+v", got)
	}
	for _, of := range [][2]string{{"w", "a.md"}, {"v", "../a.md"}, {"v", "/etc/passwd"}, {"v", ""}} {
		if got := placeOf(of[0], of[1]); got.Path != "" || got.Open != "" || got.Gone {
			t.Errorf("%q: %+v", of, got)
		}
	}
}

// A page does not wait for a disk that is known not to respond.
func TestPlacesOnASilentDisk(t *testing.T) {
	vault := apitest.RealDir(t)
	d := New(Options{Backend: &apitest.Backend{Vaults: []api.Root{{Name: "v", Path: vault, Silent: "not responding since 14:05"}}}})
	want := filepath.Join(vault, "gone.md")
	if got := d.placesOf(noteName{"v", "gone.md"})[0]; got.Path != want || got.Gone || got.Open != "" {
		t.Errorf("%+v", got)
	}
}

// A vault is named where there are several to tell apart.
func TestVaultIsNamedAmongOthers(t *testing.T) {
	for vaults, want := range map[int]bool{1: false, 2: true} {
		backend := &finding{hits: []api.Hit{{Vault: "v", Note: "A.md", Text: "a"}}}
		b := openSite(t, func(s *parts) {
			backend.Backend, s.backend = s.backend.(*apitest.Backend), backend
			backend.Vaults = make([]api.Root, vaults)
		}).browser(t)
		for _, address := range []string{"/search?q=a", "/history"} {
			if html := b.get(t, address).text; strings.Contains(html, `<span class="minor">v</span>`) != want {
				t.Errorf("%d vaults: named on %s is not %v:\n%s", vaults, address, want, html)
			}
		}
	}
}
