//go:build !windows

package api

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func quoteForm(s string) string { return url.QueryEscape(s) }

// TestBodiesOfRealClients sends, for notes of many names, every form of body
// that real clients make of the path.
func TestBodiesOfRealClients(t *testing.T) {
	names := []string{"note.md", "My Vault/Daily note.md", "Ünïcödé 日本 🎉.md", "Café/É.md", "it's.md", "$HOME & `id` 100%.md", "(a) [b] {c} #d, e; f+g=h.md", "10:30 meeting?.md", `quote".md`, "-rf.md", "a, b.md", "tab.new.md"}
	forms := []struct {
		name   string
		header map[string]string
		body   func(path string) string
		not    string // names that the shell destroys on the way
	}{
		{"strict JSON", asJSON, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"strict JSON with charset", map[string]string{"Content-Type": "application/json; charset=UTF-8"}, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"strict JSON with BOM and more keys", asJSON, func(p string) string {
			return "\xef\xbb\xbf { \"event\": \"modify\",\r\n \"file\": " + quoteJSON(p) + ", \"n\": [1] }\r\n"
		}, ""},
		{"JSON without a type", nil, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"JSON called a form", asForm, func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"JSON from the note app", joined(asJSON, map[string]string{"Origin": obsidian}), func(p string) string { return `{"file":` + quoteJSON(p) + `}` }, ""},
		{"escaped in single quotes", asJSON, func(p string) string { return `{"file":"` + shellEscape(p, `\`) + `"}` }, "'"},
		{"escaped with more keys", asJSON, func(p string) string { return `{"event":"modify","file":"` + shellEscape(p, `\`) + `","by":"x"}` }, `'"`},
		{"escaped and escaped quotes", asJSON, func(p string) string { return `{\"file\":\"` + shellEscape(p, `\`) + `\"}` }, `"`},
		{"raw between quotes", asJSON, func(p string) string { return `{"file":"` + p + `"}` }, ""},
		{"raw from the note app", joined(asJSON, map[string]string{"Origin": obsidian}), func(p string) string { return `{"file":"` + p + `"}` }, ""},
		{"single quotes all over", asJSON, func(p string) string { return `{'file':'` + p + `'}` }, ""},
		{"no quotes left", asJSON, func(p string) string { return `{file:` + p + `}` }, ""},
		{"PowerShell backticks", asJSON, func(p string) string { return `{"file":"` + shellEscape(p, "`") + `"}` }, ""},
		{"PowerShell backticks, no quotes", asJSON, func(p string) string { return `{file:` + shellEscape(p, "`") + `}` }, ""},
		{"encoded form", asForm, func(p string) string { return "file=" + quoteForm(p) }, ""},
		{"encoded form with more fields", asForm, func(p string) string { return "event=modify&file=" + quoteForm(p) }, ""},
		{"form, not encoded", asForm, func(p string) string { return "file=" + p }, ""},
		{"form, escaped", asForm, func(p string) string { return "file=" + shellEscape(p, `\`) }, ""},
		{"form, quoted", asForm, func(p string) string { return `file="` + p + `"` }, ""},
		{"text", asText, func(p string) string { return p + "\n" }, ""},
		{"text, quoted", asText, func(p string) string { return `"` + p + `"` + "\r\n" }, ""},
		{"text, escaped", asText, func(p string) string { return shellEscape(p, `\`) }, ""},
		{"text without a type", nil, func(p string) string { return p }, ""},
	}
	r := start(t)
	vault := r.backend.roots[0].Path
	count := 0
	for _, name := range names {
		write(t, filepath.Join(vault, name))
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
	r.backend.mu.Lock()
	r.backend.scans = nil
	r.backend.mu.Unlock()
	a := r.raw(t, ask("POST", "/vault-mind/scan", header, body))
	r.backend.mu.Lock()
	defer r.backend.mu.Unlock()
	if a.status != 200 || len(r.backend.scans) != 1 || r.backend.scans[0].rel != note {
		t.Errorf("%s: body %q: %d %s, scanned %v, want %q", form, body, a.status, a.code, r.backend.scans, note)
	}
}

func TestCodePageAndNormalForms(t *testing.T) {
	r := start(t)
	vault := r.backend.roots[0].Path
	for _, name := range []string{"Café Œuvre/Übung – 5 €.md", "déjà vu.md"} {
		write(t, filepath.Join(vault, norm.NFC.String(name)))
		path := filepath.Join(vault, name)
		r.mustScan(t, "CP1252 JSON", asJSON, cp1252(t, `{"file":"`+path+`"}`), name)
		r.mustScan(t, "CP1252 text", asText, cp1252(t, path), name)
		r.mustScan(t, "CP1252 form", asForm, "file="+quoteForm(cp1252(t, path)), name)
		r.mustScan(t, "CP1252 escaped", asJSON, cp1252(t, `{"file":"`+shellEscape(path, `\`)+`"}`), name)
		r.mustScan(t, "NFD for NFC", asJSON, `{"file":`+quoteJSON(norm.NFD.String(path))+`}`, name)
	}
	decomposed := norm.NFD.String("Ä/ö ü.md")
	write(t, filepath.Join(vault, decomposed))
	r.mustScan(t, "NFC for NFD", asJSON, `{"file":`+quoteJSON(norm.NFC.String(decomposed))+`}`, decomposed)
	hard := "hard\u00a0space.md"
	write(t, filepath.Join(vault, hard))
	r.mustScan(t, "plain for a hard space", asJSON, `{"file":"hard space.md"}`, hard)
	r.mustScan(t, "exact", asJSON, `{"file":`+quoteJSON(hard)+`}`, hard)
}

func TestSeveralNotesAreAmbiguous(t *testing.T) {
	second := realDir(t)
	write(t, filepath.Join(second, "note.md"))
	r := start(t, func(s *Server) {
		b := s.backend.(*fake)
		b.roots = append(b.roots, Root{Name: "w", Path: second})
	})
	vault := r.backend.roots[0].Path
	for _, name := range []string{`a\ b.md`, "a b.md", "x y.md", "x\u00a0y.md", "x\u202fy.md"} {
		write(t, filepath.Join(vault, name))
	}
	for body, want := range map[string]int{
		`{"file":"note.md"}`:         409, // in two vaults
		`{"file":"a\ b.md"}`:         409, // two readings of a broken body
		"{\"file\":\"x\u2007y.md\"}": 404, // a space that nobody changes on the way
	} {
		if a := r.raw(t, ask("POST", "/vault-mind/scan", asJSON, body)); a.status != want {
			t.Errorf("%s: %d %s, want %d", body, a.status, a.code, want)
		}
	}
	r.mustScan(t, "strict beats guesses", asJSON, `{"file":"a\\ b.md"}`, `a\ b.md`)
	r.mustScan(t, "an exact name beats its look-alikes", asJSON, `{"file":"x y.md"}`, "x y.md")
	r.mustScan(t, "the whole path decides", asJSON, `{"file":`+quoteJSON(filepath.Join(second, "note.md"))+`}`, "note.md")
	os.Remove(filepath.Join(vault, "x y.md"))
	if a := r.raw(t, ask("POST", "/vault-mind/scan", asJSON, `{"file":"x y.md"}`)); a.status != 409 {
		t.Errorf("two look-alikes: %d %s", a.status, a.code)
	}
}

func TestLinksInsideTheVaults(t *testing.T) {
	real := realDir(t)
	links := realDir(t)
	vault, other := filepath.Join(real, "vault"), filepath.Join(real, "other")
	for _, name := range []string{"a/note.md", "b.md"} {
		write(t, filepath.Join(vault, name))
	}
	write(t, filepath.Join(other, "far.md"))
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
		s.backend.(*fake).roots = []Root{{Name: "v", Path: vault, Aliases: []string{alias}}, {Name: "o", Path: other}}
	})
	for file, want := range map[string]string{
		filepath.Join(alias, "b.md"): "b.md", filepath.Join(vault, "b.md"): "b.md", "short.md": "a/note.md", "dir/note.md": "a/note.md", "abs.md": "b.md", "a/up.md": "b.md", "byalias.md": "b.md",
		"self/self/dir/note.md": "a/note.md", "far/far.md": "far.md", filepath.Join(alias, "dir/../b.md"): "b.md",
	} {
		r.mustScan(t, "link", asJSON, `{"file":`+quoteJSON(file)+`}`, want)
	}
}

// TestTrueNames takes the way of file systems that know one name by several
// spellings: the name is read from the folder.
func TestTrueNames(t *testing.T) {
	vault := realDir(t)
	root := Root{Path: vault}
	composed := norm.NFC.String("sub/Ä.md")
	write(t, filepath.Join(vault, composed))
	for rel, want := range map[string]string{composed: composed, norm.NFD.String(composed): composed, "sub/absent.md": ""} {
		r := &resolver{roots: []Root{root}, oneSpelling: false}
		found, err := r.notes(place{root, rel})
		switch {
		case want == "" && err == nil, want != "" && (err != nil || len(found) != 1 || found[0].rel != want):
			t.Errorf("%q: %v, %v", rel, found, err)
		}
	}
}

func TestMissingVaultIsOffline(t *testing.T) {
	r := start(t)
	r.backend.roots = []Root{{Name: "gone", Path: filepath.Join(realDir(t), "gone")}}
	a := r.raw(t, ask("POST", "/vault-mind/scan", asJSON, `{"file":"note.md"}`))
	if a.status != 503 || a.code != "offline" {
		t.Errorf("%d %s", a.status, a.code)
	}
}

func TestNoVaults(t *testing.T) {
	r := start(t)
	r.backend.roots = nil
	a := r.raw(t, ask("POST", "/vault-mind/scan", asJSON, `{"file":"note.md"}`))
	if a.status != 403 || a.code != "outside_vaults" {
		t.Errorf("%d %s", a.status, a.code)
	}
}

func TestFormsAreLoggedOnce(t *testing.T) {
	r := start(t)
	for range 3 {
		r.mustScan(t, "form", asForm, "file=note.md", "note.md")
		r.mustScan(t, "JSON", asJSON, `{"file":"note.md"}`, "note.md")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.forms) != 2 || !r.forms["form"] || !r.forms["JSON"] {
		t.Errorf("forms %v", r.forms)
	}
}
