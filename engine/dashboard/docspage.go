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

// docView is one of the documents that come with the program.
type docView struct {
	First bool // it leads to all the others
	HTML  template.HTML
}

// docsPage shows the document that a request names.
func (d *Dashboard) docsPage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(q.Get("page"), firstDoc)
	if d.tools.Docs == nil || path.Ext(name) != ".md" {
		return nil, api.ErrNotFound
	}
	text, err := fs.ReadFile(d.tools.Docs, name)
	if err != nil {
		return nil, api.ErrNotFound
	}
	_, whole, _ := strings.Cut("\n"+string(text), "\n# ") // above it a made one says how
	heading, body, _ := strings.Cut(whole, "\n")
	html := tame.HTML(body, tame.Style{Top: 2, Targets: true, Page: d.docLinks(name)})
	return d.showPage(c, "docs", heading, docView{name == firstDoc, template.HTML(html)}) // its room escapes all that is not ours
}

// docLinks makes links of a document lead to the pages of others.
func (d *Dashboard) docLinks(from string) func(target string) string {
	return func(target string) string {
		name, _, _ := strings.Cut(target, "#")
		name = path.Join(path.Dir(from), name)
		if _, err := fs.Stat(d.tools.Docs, name); err != nil || path.Ext(name) != ".md" {
			return ""
		}
		return "/docs?" + url.Values{"page": {name}}.Encode()
	}
}
