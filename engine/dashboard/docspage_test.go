package dashboard

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
)

// partLink is a link to a part of a document, as it is written.
var partLink = regexp.MustCompile(`\]\([^):\s]*#[^)]+\)`)

// Each document that comes with the program is a page, and each of them is reached from the first by links. A link to a
// part leads to one that its page has, and a picture is there.
func TestDocs(t *testing.T) {
	b := openSite(t, func(s *parts) { s.UseTools(api.Tools{Docs: assets.Docs()}) }).browser(t)
	seen, open := map[string]bool{"/docs?page=README.md": true}, []string{"/docs?page=README.md"}
	ids, parts := map[string]bool{}, map[string]string{} // with their pages; where a link leads, and which page has it
	pictures, toParts := map[string]bool{}, 0
	for len(open) > 0 {
		address := open[0]
		open = open[1:]
		a := b.get(t, address)
		if a.status != 200 || strings.Contains(a.text, "<article class=\"made doc\">\n<pre>#") || strings.Contains(a.text, "Made by go test") || strings.Contains(a.text, "<h1></h1>") {
			t.Fatalf("%s: %d\n%s", address, a.status, a.text)
		}
		elements, _ := parsed(t, a.text)
		for _, e := range elements {
			if to := e.attrs["href"]; strings.HasPrefix(to, "/docs?page=") || to[:min(1, len(to))] == "#" {
				page, part, partly := strings.Cut(to, "#")
				if page = cmp.Or(page, address); !seen[page] {
					seen[page] = true
					open = append(open, page)
				}
				if partly {
					toParts += strings.Count(to[:1], "/") // those of the page's own list are not in the text
					parts[page+"#"+part] = address
				}
			}
			if id := e.attrs["id"]; id != "" {
				if ids[address+"#"+id] {
					t.Errorf("%s has two %s", address, id)
				}
				ids[address+"#"+id] = true
			}
			if e.name == "img" && e.attrs["src"] != "/icon.svg" {
				pictures[e.attrs["src"]] = true
				if e.attrs["alt"] == "" {
					t.Errorf("%s: the picture %s has no words", address, e.attrs["src"])
				}
			}
		}
	}
	for to, from := range parts {
		if !ids[to] {
			t.Errorf("%s leads to %s, which is not there", from, to)
		}
	}
	for picture := range pictures {
		if a := b.get(t, picture); a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "image/") || a.header.Get("Content-Security-Policy") != policy {
			t.Errorf("%s: %d %v", picture, a.status, a.header)
		}
	}
	count, shown, linked := 0, 0, 0
	_ = fs.WalkDir(assets.Docs(), ".", func(name string, _ fs.DirEntry, _ error) error {
		if text, _ := fs.ReadFile(assets.Docs(), name); path.Ext(name) == ".md" {
			count++
			shown += strings.Count(string(text), "\n![")
			linked += len(partLink.FindAll(text, -1))
		}
		return nil
	})
	if len(seen) != count || count < 30 || len(pictures) != shown || shown == 0 || toParts != linked || linked < 30 {
		t.Errorf("%d of %d documents are reached, with %d of %d pictures and %d of %d links to parts", len(seen), count, len(pictures), shown, toParts, linked)
	}
}

// What is no document, or lies elsewhere, is no page.
func TestDocsAreAllThereIs(t *testing.T) {
	files := fstest.MapFS{"README.md": {Data: []byte("# Documents\n\n[other](../x.md) [gone](gone.md) [one](sub/one.md#a-part) [x](mailto:a@b) [y](https://e/README.md) [z](//e/README.md) ![p](a.png) ![q](secret.txt) ![r](https://e/a.png)\n")},
		"sub/one.md": {Data: []byte("# One\n\n[back](../README.md) [here](#one-1) ![*p*](../a.png)\n\n## One\n")}, "secret.txt": {Data: []byte("x")}, "a.png": {Data: []byte("y")}}
	b := openSite(t, func(s *parts) { s.UseTools(api.Tools{Docs: files}) }).browser(t)
	for _, name := range []string{"secret.txt", "../README.md", "/README.md", "gone.md", "sub", "..", "gone.png", "../a.png"} {
		if a := b.get(t, "/docs?page="+name); a.status != 404 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	for address, want := range map[string]string{
		"/docs":                     `<p>other gone <a href="/docs?page=sub%2Fone.md#a-part">one</a> x <code>mailto:a@b</code> y <code>https://e/README.md</code> z <img src="/docs?page=a.png" alt="p"> q r</p>`,
		"/docs?page=sub%2Fone.md":   `<p><a href="/docs?page=README.md">back</a> <a href="/docs?page=sub%2Fone.md#one-1">here</a> <img src="/docs?page=a.png" alt="p"></p>` + "\n" + `<h2 id="one-1">One</h2>`,
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

// The documents are searched by a form, from their pages and beside the notes; each page has the list of all, and leads on.
func TestDocsAreSearched(t *testing.T) {
	files := fstest.MapFS{"README.md": {Data: []byte("# Documents\n\n**Begin**\n\n[one](one.md) [two](two.md)\n")},
		"one.md": {Data: []byte("# One\n")}, "two.md": {Data: []byte("# Two\n\n## Tea & tray\n\nIt has a menu.\n")}}
	b := openSite(t, func(s *parts) { s.UseTools(api.Tools{Docs: files}) }).browser(t)
	for address, wants := range map[string][]string{
		"/docs?page=one.md": {`<form method="get" action="/docs" role="search"`, `<li><a href="/docs?page=one.md" aria-current="page">One</a></li>`, `<a class="button" href="/docs?page=README.md" rel="prev">`,
			`<a class="button" href="/docs?page=two.md" rel="next">Next: Two</a>`},
		"/docs?q=menu":     {`1 part of the documents for menu.`, `<a href="/docs?page=two.md#tea--tray">Two › Tea &amp; tray</a><p class="minor">It has a menu.</p>`, `<a href="/search?q=menu">`},
		"/docs?q=zeppelin": {"No document has these words."},
		"/search?q=menu":   {"<h2>In the documents</h2>", `<a href="/docs?page=two.md#tea--tray">`, `<a href="/docs?q=menu">`},
	} {
		html := b.get(t, address).text
		for _, want := range wants {
			if strings.Count(html, want) != 1 {
				t.Errorf("%s has no %s:\n%s", address, want, html)
			}
		}
	}
	if html := b.get(t, "/search?q=zeppelin").text; strings.Contains(html, "In the documents") {
		t.Errorf("nothing is found in the documents:\n%s", html)
	}
}
