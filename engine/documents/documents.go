// Package documents reads the documents that come with the program: markdown files that link to each other, and their
// pictures. README.md leads to all of them, in the order and the groups in which they are listed beside each other.
//
//	shelf := documents.Open(assets.Docs())
//	page, err := shelf.Show("login.md") // as a part of a page of the dashboard
//	found := shelf.Find("icon in the panel", 5)
//
// # Promises
//
// A document is only read where it is asked for, and all of them once where one is looked for. No other file is read, nor one
// outside of the folder.
package documents

import (
	"cmp"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/tame"
)

// First leads to all the other documents.
const First = "README.md"

// kinds are the kinds of the files of the documents, by the ends of their names.
var kinds = map[string]string{".md": "text/markdown", ".png": "image/png", ".svg": "image/svg+xml"}

// Shelf has the documents. Any goroutine may use it.
type Shelf struct {
	files fs.FS
	pages func() []Page
	parts func() []part
}

// Page is one document.
type Page struct {
	Name  string // of its file
	Title string
	Group string // the line above it in the first document
}

// Address is where the dashboard shows a document, or its part with an id.
func Address(name, part string) string {
	return (&url.URL{Path: "/docs", RawQuery: url.Values{"page": {name}}.Encode(), Fragment: part}).String()
}

// Address is where the dashboard shows the document.
func (p Page) Address() string { return Address(p.Name, "") }

// Open returns the documents of a folder; nil has none.
func Open(files fs.FS) *Shelf {
	s := &Shelf{files: files}
	s.pages = sync.OnceValue(s.listPages)
	s.parts = sync.OnceValue(s.takeApart)
	return s
}

// readText returns the text of a document, from its title on: above it a made one says how it was made.
func (s *Shelf) readText(name string) (title, text string, err error) {
	whole, err := s.File(name)
	if err != nil {
		return "", "", err
	}
	_, text, _ = strings.Cut("\n"+string(whole), "\n# ")
	title, _, _ = strings.Cut(text, "\n")
	return title, "# " + text, nil
}

// File returns a file of the documents.
func (s *Shelf) File(name string) ([]byte, error) {
	if s.files == nil || Kind(name) == "" {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(s.files, name)
}

// Kind is the kind of a file, for a browser; "" = it is none of the documents.
func Kind(name string) string { return kinds[path.Ext(name)] }

// IsPage says whether a file is a document, and no picture in one.
func IsPage(name string) bool { return path.Ext(name) == ".md" }

// Pages returns all documents, in the order in which the first one names them; those that it does not name are at the end.
func (s *Shelf) Pages() []Page { return s.pages() }

// group is a line above links in the first document; link is one to another.
var (
	group = lazyregexp.New(`(?m)^\*\*(.+)\*\*$`)
	link  = lazyregexp.New(`\]\(([^)#:\s]+\.md)[)#]`)
)

func (s *Shelf) listPages() (all []Page) {
	if s.files == nil {
		return nil
	}
	add := func(name, group string) {
		if slices.ContainsFunc(all, func(p Page) bool { return p.Name == name }) {
			return
		}
		if title, _, err := s.readText(name); err == nil {
			all = append(all, Page{name, title, group})
		}
	}
	add(First, "")
	_, text, _ := s.readText(First)
	above := ""
	for line := range strings.Lines(text) {
		if found := group().FindStringSubmatch(line); found != nil {
			above = found[1]
		}
		for _, to := range link().FindAllStringSubmatch(line, -1) {
			add(path.Clean(to[1]), above)
		}
	}
	_ = fs.WalkDir(s.files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && IsPage(name) {
			add(name, "")
		}
		return nil
	})
	return all
}

// Group is the documents that are listed below one line.
type Group struct {
	Name  string
	Pages []Page
}

// Groups returns all documents in their groups.
func (s *Shelf) Groups() (all []Group) {
	for _, p := range s.Pages() {
		if len(all) == 0 || all[len(all)-1].Name != p.Group {
			all = append(all, Group{Name: p.Group})
		}
		last := &all[len(all)-1]
		last.Pages = append(last.Pages, p)
	}
	return all
}

// Shown is a document as a part of a page.
type Shown struct {
	Page
	HTML          string
	Parts         []tame.Part
	Before, After *Page // nil = there is none
}

// Show returns a document as a part of a page, below whose heading it is.
func (s *Shelf) Show(name string) (Shown, error) {
	_, text, err := s.readText(name)
	if err != nil {
		return Shown{}, err
	}
	pages := s.Pages()
	i := slices.IndexFunc(pages, func(p Page) bool { return p.Name == name })
	if i < 0 {
		return Shown{}, fs.ErrNotExist
	}
	v := Shown{Page: pages[i]}
	if i > 0 {
		v.Before = &pages[i-1]
	}
	if i+1 < len(pages) {
		v.After = &pages[i+1]
	}
	v.HTML = s.renderText(name, text, func(p tame.Part) { v.Parts = append(v.Parts, p) })
	return v, nil
}

// renderText makes a part of a page of a text, and tells of its headings.
func (s *Shelf) renderText(name, text string, tell func(tame.Part)) string {
	links := s.linksOf(name)
	return tame.HTML(text, tame.Style{Top: 2, Titled: true, Targets: true, Scrolls: true, Page: links, Picture: links, Part: tell})
}

// linksOf makes links of a document lead to others and to their parts.
func (s *Shelf) linksOf(from string) func(target string) string {
	return func(target string) string {
		to, err := url.Parse(target)
		if err != nil || to.IsAbs() || to.Host != "" {
			return ""
		}
		name := path.Join(path.Dir(from), cmp.Or(to.Path, path.Base(from)))
		if _, err := fs.Stat(s.files, name); err != nil || Kind(name) == "" {
			return ""
		}
		return Address(name, to.Fragment)
	}
}
