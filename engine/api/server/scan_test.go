//go:build !windows

package server

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"

	"golang.org/x/text/unicode/norm"
)

func quoteForm(s string) string { return url.QueryEscape(s) }

// TestBodiesOfRealClients sends, for notes of many names, every form of body
// that real clients make of the path.
func TestBodiesOfRealClients(t *testing.T) {
	t.Parallel()
	names := []string{"note.md", "My Vault/Daily note.md", "Ünïcödé 日本 🎉.md", "Café/É.md", "it's.md", "$HOME & `id` 100%.md", "(a) [b] {c} #d, e; f+g=h.md", "10:30 meeting?.md", `quote".md`, "-rf.md", "a, b.md", "tab.new.md"}
	forms := []struct {
		name   string
		header map[string]string
		body   func(path string) string
		not    string // names that the shell destroys on the way
	}{
		{"strict JSON", apitest.AsJSON, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"strict JSON with charset", map[string]string{"Content-Type": "application/json; charset=UTF-8"}, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"strict JSON with BOM and more keys", apitest.AsJSON, func(p string) string {
			return "\xef\xbb\xbf { \"event\": \"modify\",\r\n \"file\": " + quoteJSON(p) + ", \"n\": [1] }\r\n"
		}, ""},
		{"JSON without a type", nil, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"JSON called a form", apitest.AsForm, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"JSON from the note app", apitest.Joined(apitest.AsJSON, map[string]string{"Origin": obsidian}), func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"escaped in single quotes", apitest.AsJSON, func(p string) string { return `{"file":"` + shellEscape(p, `\`) + `"}` }, "'"},
		{"escaped with more keys", apitest.AsJSON, func(p string) string { return `{"event":"modify","file":"` + shellEscape(p, `\`) + `","by":"x"}` }, `'"`},
		{"escaped and escaped quotes", apitest.AsJSON, func(p string) string { return `{\"file\":\"` + shellEscape(p, `\`) + `\"}` }, `"`},
		{"raw between quotes", apitest.AsJSON, func(p string) string { return `{"file":"` + p + `"}` }, ""},
		{"raw from the note app", apitest.Joined(apitest.AsJSON, map[string]string{"Origin": obsidian}), func(p string) string { return `{"file":"` + p + `"}` }, ""},
		{"single quotes all over", apitest.AsJSON, func(p string) string { return `{'file':'` + p + `'}` }, ""},
		{"no quotes left", apitest.AsJSON, func(p string) string { return `{file:` + p + `}` }, ""},
		{"PowerShell backticks", apitest.AsJSON, func(p string) string { return `{"file":"` + shellEscape(p, "`") + `"}` }, ""},
		{"PowerShell backticks, no quotes", apitest.AsJSON, func(p string) string { return `{file:` + shellEscape(p, "`") + `}` }, ""},
		{"encoded form", apitest.AsForm, func(p string) string { return "file=" + quoteForm(p) }, ""},
		{"encoded form with more fields", apitest.AsForm, func(p string) string { return "event=modify&file=" + quoteForm(p) }, ""},
		{"form, not encoded", apitest.AsForm, func(p string) string { return "file=" + p }, ""},
		{"form, escaped", apitest.AsForm, func(p string) string { return "file=" + shellEscape(p, `\`) }, ""},
		{"form, quoted", apitest.AsForm, func(p string) string { return `file="` + p + `"` }, ""},
		{"text", apitest.AsText, func(p string) string { return p + "\n" }, ""},
		{"text, quoted", apitest.AsText, func(p string) string { return `"` + p + `"` + "\r\n" }, ""},
		{"text, escaped", apitest.AsText, func(p string) string { return shellEscape(p, `\`) }, ""},
		{"text without a type", nil, func(p string) string { return p }, ""},
	}
	r := start(t)
	vault := r.backend.Vaults[0].Path
	count := 0
	for _, name := range names {
		apitest.WriteNote(t, filepath.Join(vault, name))
		for _, form := range forms {
			if form.not != "" && strings.ContainsAny(name, form.not) {
				continue
			}
			for _, path := range []string{filepath.Join(vault, name), name} {
				count++
				r.mustScan(t, form.name, form.header, form.body(path), name)
			}
		}
	}
	t.Logf("count: %d bodies of real clients", count)
}

// mustScan sends a body and expects the engine to be asked for a note.
func (r *running) mustScan(t *testing.T, form string, header map[string]string, body, note string) {
	t.Helper()
	r.backend.Lock()
	r.backend.Scans = nil
	r.backend.Unlock()
	a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", header, body))
	r.backend.Lock()
	defer r.backend.Unlock()
	if a.Status != 200 || len(r.backend.Scans) != 1 || r.backend.Scans[0].Rel != note {
		t.Errorf("%s: body %q: %d %s, scanned %v, want %q", form, body, a.Status, a.Code, r.backend.Scans, note)
	}
}

func TestCodePageAndNormalForms(t *testing.T) {
	r := start(t)
	vault := r.backend.Vaults[0].Path
	for _, name := range []string{"Café Œuvre/Übung – 5 €.md", "déjà vu.md"} {
		apitest.WriteNote(t, filepath.Join(vault, norm.NFC.String(name)))
		path := filepath.Join(vault, name)
		r.mustScan(t, "CP1252 JSON", apitest.AsJSON, cp1252(t, `{"file":"`+path+`"}`), name)
		r.mustScan(t, "CP1252 text", apitest.AsText, cp1252(t, path), name)
		r.mustScan(t, "CP1252 form", apitest.AsForm, "file="+quoteForm(cp1252(t, path)), name)
		r.mustScan(t, "CP1252 escaped", apitest.AsJSON, cp1252(t, `{"file":"`+shellEscape(path, `\`)+`"}`), name)
		r.mustScan(t, "NFD for NFC", apitest.AsJSON, `{"file":`+quoteJSON(norm.NFD.String(path))+`}`, name)
	}
	decomposed := norm.NFD.String("Ä/ö ü.md")
	apitest.WriteNote(t, filepath.Join(vault, decomposed))
	r.mustScan(t, "NFC for NFD", apitest.AsJSON, `{"file":`+quoteJSON(norm.NFC.String(decomposed))+`}`, decomposed)
	hard := "hard\u00a0space.md"
	apitest.WriteNote(t, filepath.Join(vault, hard))
	r.mustScan(t, "plain for a hard space", apitest.AsJSON, `{"file":"hard space.md"}`, hard)
	r.mustScan(t, "exact", apitest.AsJSON, `{"file":`+quoteJSON(hard)+`}`, hard)
}

func TestSeveralNotesAreAmbiguous(t *testing.T) {
	second := apitest.RealDir(t)
	apitest.WriteNote(t, filepath.Join(second, "note.md"))
	r := start(t, func(s *Server) {
		b := s.backend.(*apitest.Backend)
		b.Vaults = append(b.Vaults, api.Root{Name: "w", Path: second})
	})
	vault := r.backend.Vaults[0].Path
	for _, name := range []string{`a\ b.md`, "a b.md", "x y.md", "x\u00a0y.md", "x\u202fy.md"} {
		apitest.WriteNote(t, filepath.Join(vault, name))
	}
	for body, want := range map[string]int{
		`{"file":"note.md"}`:         409, // in two vaults
		`{"file":"a\ b.md"}`:         409, // two readings of a broken body
		"{\"file\":\"x\u2007y.md\"}": 404, // a space that nobody changes on the way
	} {
		if a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, body)); a.Status != want {
			t.Errorf("%s: %d %s, want %d", body, a.Status, a.Code, want)
		}
	}
	r.mustScan(t, "strict beats guesses", apitest.AsJSON, `{"file":"a\\ b.md"}`, `a\ b.md`)
	r.mustScan(t, "an exact name beats its look-alikes", apitest.AsJSON, `{"file":"x y.md"}`, "x y.md")
	r.mustScan(t, "the whole path decides", apitest.AsJSON, `{"file":`+quoteJSON(filepath.Join(second, "note.md"))+`}`, "note.md")
	os.Remove(filepath.Join(vault, "x y.md"))
	if a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"x y.md"}`)); a.Status != 409 {
		t.Errorf("two look-alikes: %d %s", a.Status, a.Code)
	}
}

func TestLinksInsideTheVaults(t *testing.T) {
	real := apitest.RealDir(t)
	links := apitest.RealDir(t)
	vault, other := filepath.Join(real, "vault"), filepath.Join(real, "other")
	for _, name := range []string{"a/note.md", "b.md"} {
		apitest.WriteNote(t, filepath.Join(vault, name))
	}
	apitest.WriteNote(t, filepath.Join(other, "far.md"))
	alias := filepath.Join(links, "Notes")
	for link, target := range map[string]string{
		alias: vault, filepath.Join(vault, "short.md"): "a/note.md", filepath.Join(vault, "dir"): "a", filepath.Join(vault, "abs.md"): filepath.Join(vault, "b.md"),
		filepath.Join(vault, "a/up.md"): "../b.md", filepath.Join(vault, "byalias.md"): filepath.Join(alias, "b.md"), filepath.Join(vault, "self"): vault, filepath.Join(vault, "far"): other,
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	r := start(t, func(s *Server) {
		s.backend.(*apitest.Backend).Vaults = []api.Root{{Name: "v", Path: vault, Aliases: []string{alias}}, {Name: "o", Path: other}}
	})
	for file, want := range map[string]string{
		filepath.Join(alias, "b.md"): "b.md", filepath.Join(vault, "b.md"): "b.md", "short.md": "a/note.md", "dir/note.md": "a/note.md", "abs.md": "b.md", "a/up.md": "b.md", "byalias.md": "b.md",
		"self/self/dir/note.md": "a/note.md", "far/far.md": "far.md", filepath.Join(alias, "dir/../b.md"): "b.md",
	} {
		r.mustScan(t, "link", apitest.AsJSON, `{"file":`+quoteJSON(file)+`}`, want)
	}
}

func TestMissingVaultIsOffline(t *testing.T) {
	r := start(t)
	r.backend.Vaults = []api.Root{{Name: "gone", Path: filepath.Join(apitest.RealDir(t), "gone")}}
	a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`))
	if a.Status != 503 || a.Code != "offline" {
		t.Errorf("%d %s", a.Status, a.Code)
	}
}

func TestNoVaults(t *testing.T) {
	r := start(t)
	r.backend.Vaults = nil
	a := r.Raw(t, apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`))
	if a.Status != 403 || a.Code != "outside_vaults" {
		t.Errorf("%d %s", a.Status, a.Code)
	}
}

func TestFormsAreLoggedOnce(t *testing.T) {
	r := start(t)
	for range 3 {
		r.mustScan(t, "form", apitest.AsForm, "file=note.md", "note.md")
		r.mustScan(t, "JSON", apitest.AsJSON, `{"file":"note.md"}`, "note.md")
	}
	var forms []string
	r.forms.Range(func(form, _ any) bool { forms = append(forms, form.(string)); return true })
	if slices.Sort(forms); !slices.Equal(forms, []string{"JSON", "form"}) {
		t.Errorf("forms %v", forms)
	}
}
