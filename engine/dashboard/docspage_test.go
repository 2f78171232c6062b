package dashboard

import (
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
)

// Each document that comes with the program is a page, and each of them is reached from the first by links.
func TestDocs(t *testing.T) {
	b := openSite(t, func(s *parts) { s.UseTools(api.Tools{Docs: assets.Docs()}) }).browser(t)
	seen, open := map[string]bool{"/docs?page=README.md": true}, []string{"/docs"}
	for len(open) > 0 {
		address := open[0]
		open = open[1:]
		a := b.get(t, address)
		if a.status != 200 || strings.Contains(a.text, "<article class=\"made doc\">\n<pre>#") || strings.Contains(a.text, "Made by go test") || strings.Contains(a.text, "<h1></h1>") {
			t.Fatalf("%s: %d\n%s", address, a.status, a.text)
		}
		elements, _ := parsed(t, a.text)
		for _, e := range elements {
			if to := e.attrs["href"]; strings.HasPrefix(to, "/docs?page=") && !seen[to] {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	count := 0
	_ = fs.WalkDir(assets.Docs(), ".", func(name string, _ fs.DirEntry, _ error) error {
		if path.Ext(name) == ".md" {
			count++
		}
		return nil
	})
	if len(seen) != count || count < 30 {
		t.Errorf("%d of %d documents are reached", len(seen), count)
	}
}

// What is no document, or lies elsewhere, is no page.
func TestDocsAreAllThereIs(t *testing.T) {
	files := fstest.MapFS{"README.md": {Data: []byte("# Documents\n\n[other](../x.md) [gone](gone.md) [one](sub/one.md#part)\n")}, "sub/one.md": {Data: []byte("# One\n\n[back](../README.md)")}, "secret.txt": {Data: []byte("x")}}
	b := openSite(t, func(s *parts) { s.UseTools(api.Tools{Docs: files}) }).browser(t)
	for _, name := range []string{"secret.txt", "../README.md", "/README.md", "gone.md", "sub", ".."} {
		if a := b.get(t, "/docs?page="+name); a.status != 404 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	for address, want := range map[string]string{
		"/docs":                     `<p>other gone <a href="/docs?page=sub%2Fone.md">one</a></p>`,
		"/docs?page=sub%2Fone.md":   `<p><a href="/docs?page=README.md">back</a></p>`,
		"/docs?page=sub%2Fone.md&x": "<h1>One</h1>",
	} {
		if a := b.get(t, address); !strings.Contains(a.text, want) {
			t.Errorf("%s has no %s:\n%s", address, want, a.text)
		}
	}
	if a := openSite(t, func(s *parts) { s.UseTools(api.Tools{}) }).browser(t).get(t, "/docs"); a.status != 404 {
		t.Errorf("without documents: %d", a.status)
	}
}
