package dashboard

import (
	"cmp"
	"html/template"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/documents"
)

// docView is one of the documents that come with the program, or those that have the words of a search.
type docView struct {
	documents.Shown
	HTML   template.HTML
	Groups []documents.Group // all documents
	Query  string
	Found  []documents.Found
}

// How many parts of documents their search lists, and how many the search of notes.
const (
	mostDocs = 30
	someDocs = 5
)

// docsPage shows the document that a request names, or is a picture in one, or looks for words in all of them.
func (d *Dashboard) docsPage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	v := docView{Groups: d.docs.Groups(), Query: strings.TrimSpace(q.Get("q"))}
	if len(v.Groups) == 0 {
		return nil, api.ErrNotFound
	}
	if v.Query != "" {
		v.Found = d.docs.Find(v.Query, mostDocs)
		return d.showPage(c, "docs", "Search the documents", v)
	}
	name := cmp.Or(q.Get("page"), documents.First)
	if !documents.IsPage(name) {
		text, err := d.docs.File(name)
		if err != nil {
			return nil, api.ErrNotFound
		}
		return file{documents.Kind(name), text}, nil
	}
	if v.Shown, err = d.docs.Show(name); err != nil {
		return nil, api.ErrNotFound
	}
	v.HTML = template.HTML(v.Shown.HTML) // its room escapes all that is not ours
	return d.showPage(c, "docs", v.Title, v)
}
