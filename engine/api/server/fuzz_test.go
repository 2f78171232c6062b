package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/notepath"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// FuzzScanBody: no body makes a scan leave the vault, and a body that is strict
// JSON with the path of an existing note always finds that note.
func FuzzScanBody(f *testing.F) {
	outside := apitest.RealDir(f)
	vault := filepath.Join(outside, "vault")
	apitest.WriteNote(f, filepath.Join(vault, "note.md"))
	apitest.WriteNote(f, filepath.Join(vault, "sub/ä b.md"))
	apitest.WriteNote(f, filepath.Join(outside, "secret.md"))
	if err := os.Symlink(outside, filepath.Join(vault, "out")); err != nil {
		f.Fatal(err)
	}
	roots := []api.Root{{Name: "v", Path: vault}}
	for _, body := range []string{`{"file":"note.md"}`, `{"file":"sub\/ä\ b\.md"}`, "file=sub%2F%E4+b.md", `"note.md"`, "out/secret.md", `{"file":"../secret.md"}`, `{file:note.md}`, "{\"file\":\"sub/\xe4 b.md\"}",
		`{"file":"` + outside + `/secret.md"}`, `{"file":"` + vault + `/note.md","x":"}"}`, `{"file":"note.md","file":"../secret.md"}`, "\xef\xbb\xbf{'file':'note.md'}"} {
		f.Add([]byte(body), "note.md", true)
		f.Add([]byte(body), "sub/x.md", false)
	}
	f.Fuzz(func(t *testing.T, body []byte, name string, lax bool) {
		s := &Server{}
		for _, contentType := range []string{"application/json", "application/x-www-form-urlencoded", "text/plain"} {
			if all := listReadings(body, contentType, lax); len(all) > 0 {
				insideOnly(t, s, all, roots)
			}
		}
		strictFinds(t, s, name)
	})
}

func insideOnly(t *testing.T, s *Server, all []reading, roots []api.Root) {
	t.Helper()
	p, _, err := chooseAmong(s, all, roots)
	if err != nil {
		if status := statusOf(err).Status; status < 400 || status >= 500 {
			t.Fatalf("status %d: %v", status, err)
		}
		return
	}
	real, err := filepath.EvalSymlinks(filepath.Join(p.Root.Path, filepath.FromSlash(p.Rel)))
	if err != nil || !strings.HasPrefix(real, roots[0].Path+string(filepath.Separator)) || !api.HasNoteExtension(real) {
		t.Fatalf("%+v leads to %q, %v", all, real, err)
	}
}

func chooseAmong(s *Server, all []reading, roots []api.Root) (notepath.Place, string, error) {
	located, refused := locateAll(all, roots)
	if len(located) == 0 {
		return notepath.Place{}, "", refused
	}
	return chooseNote(wanted{located: located, refused: refused}, roots)
}

// strictFinds makes a note of the name, if a note can have it, and asks for it.
func strictFinds(t *testing.T, s *Server, name string) {
	t.Helper()
	if !utf8.ValidString(name) || len(name) > 100 || strings.ContainsAny(name, "/\x00") || strings.HasPrefix(name+".md", ".") {
		return
	}
	if _, err := notepath.Locate(name+".md", []api.Root{{}}, notepath.OnWindows); err != nil {
		return
	}
	vault := apitest.RealDir(t)
	apitest.WriteNote(t, filepath.Join(vault, name+".md"))
	for _, file := range []string{name + ".md", filepath.Join(vault, name+".md")} {
		body := []byte(`{"file":` + quoteJSON(file) + `}`)
		p, form, err := chooseAmong(s, listReadings(body, "application/json", false), []api.Root{{Path: vault}})
		if err != nil || p.Rel != name+".md" || form != "JSON" {
			t.Fatalf("%s: found %q by %q, %v", body, p.Rel, form, err)
		}
	}
}
