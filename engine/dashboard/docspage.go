package dashboard

import (
	"cmp"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/tame"
)

// firstDoc leads to all the other documents.
const firstDoc = "README.md"

// docKinds are the kinds of the files of the documents, by the ends of their names.
var docKinds = map[string]string{".md": "text/markdown", ".png": "image/png", ".svg": "image/svg+xml"}

// docView is one of the documents that come with the program.
type docView struct {
	First bool // it leads to all the others
	HTML  template.HTML
	Parts []tame.Part
}

// docsPage shows the document that a request names, or is a picture in one.
func (d *Dashboard) docsPage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(q.Get("page"), firstDoc)
	kind := docKinds[path.Ext(name)]
	if d.tools.Docs == nil || kind == "" {
		return nil, api.ErrNotFound
	}
	text, err := fs.ReadFile(d.tools.Docs, name)
	if err != nil {
		return nil, api.ErrNotFound
	}
	if kind != docKinds[".md"] {
		return file{kind, text}, nil
	}
	_, whole, _ := strings.Cut("\n"+string(text), "\n# ") // above it a made one says how
	heading, _, _ := strings.Cut(whole, "\n")
	v, links := docView{First: name == firstDoc}, d.docLinks(name)
	v.HTML = template.HTML(tame.HTML("# "+whole, tame.Style{Top: 2, Titled: true, Targets: true, Scrolls: true, Page: links, Picture: links, // its room escapes all that is not ours
		Part: func(p tame.Part) { v.Parts = append(v.Parts, p) }}))
	return d.showPage(c, "docs", heading, v)
}

// docLinks makes links of a document lead to others and to their parts.
func (d *Dashboard) docLinks(from string) func(target string) string {
	return func(target string) string {
		to, err := url.Parse(target)
		if err != nil || to.IsAbs() || to.Host != "" {
			return ""
		}
		name := path.Join(path.Dir(from), cmp.Or(to.Path, path.Base(from)))
		if _, err := fs.Stat(d.tools.Docs, name); err != nil || docKinds[path.Ext(name)] == "" {
			return ""
		}
		return (&url.URL{Path: "/docs", RawQuery: url.Values{"page": {name}}.Encode(), Fragment: to.Fragment}).String()
	}
}
