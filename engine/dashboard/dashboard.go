// Package dashboard shows the state of the engine as pages for a browser. It gets its
// data from the server and from the [api.Backend], like any client. [New] makes a
// dashboard for [server.Server.UsePages].
//
// # Sessions
//
// A browser gets in by a link that is good once and makes a session: a cookie that no
// script can read and no other page can use. Every page can be read and used without
// JavaScript. Nothing on a page comes from anywhere else, and every text of a note is
// escaped. A failure is shown as a page, too.
//
// # How to add a page
//
// A page is a template, a view and a route:
//
//  1. Write assets/web/NAME.html. It defines "content"; layout.html puts the
//     navigation around it. Add the name to pageNames in pages.go.
//  2. Write a type nameView with the data that the template shows, and a handler that
//     fills it: func (d *Dashboard) namePage(c server.Call) (any, error). It asks
//     d.backend or d.server and ends with d.showPage(c, "name", "Title", view).
//     [Dashboard.answersPage] is a small one.
//  3. Add page("/name", d.namePage) to [Dashboard.Routes], and a tab to layout.html
//     if the page belongs into the navigation.
//  4. A button is a form with the hidden field "form" (see any <form> of the other
//     pages) and a route made by form or slow. Its handler reads c.Form, acts, and
//     returns redirect{to: "/name"}, so that loading the result again acts only once.
//
// The tests of sessions find the page by its route. Add its path to pagesOf in
// dashboard_test.go as well: the tests there fill every text with hostile markup and
// check headings, labels and links.
package dashboard

import (
	"html/template"
	"io/fs"
	"log/slog"
	"sync"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/broadcast/shown"
	"vaultdispatcher/engine/documents"
)

// Dashboard is the server's pages for a browser.
type Dashboard struct {
	*Sessions
	templates
	server  *server.Server
	backend api.Backend
	tools   api.Tools
	docs    *documents.Shelf
	log     *slog.Logger
	works   works
	lent    bool // the sessions outlive the server
}

// Options are what a dashboard is made of.
type Options struct {
	Server  *server.Server
	Backend api.Backend
	Tools   api.Tools
	Files   fs.FS // layout.html, one template for each page, and the files they name
	Log     *slog.Logger

	Presentations *shown.Room // reads what the Broadcaster has made

	// Sessions may be of a server before this one; nil = the dashboard's own.
	Sessions *Sessions
}

// New returns a dashboard for [server.Server.UsePages].
func New(o Options) *Dashboard {
	d := &Dashboard{server: o.Server, backend: o.Backend, tools: o.Tools, docs: documents.Open(o.Tools.Docs), log: o.Log, works: works{o.Presentations, o.Backend},
		Sessions: o.Sessions, lent: o.Sessions != nil}
	if !d.lent {
		d.Sessions = NewSessions()
	}
	d.templates = templates{o.Files, sync.OnceValues(func() (map[string]*template.Template, error) { return parseTemplates(o.Files, d.vaultAmongOthers) })}
	return d
}

// vaultAmongOthers is the name of a vault where there are several, of which it says one.
func (d *Dashboard) vaultAmongOthers(name string) string {
	if len(d.backend.Roots()) < 2 {
		return ""
	}
	return name
}

// End ends the sessions, if they are the dashboard's own.
func (d *Dashboard) End() {
	if !d.lent {
		d.endAll()
	}
}

// served are the files that pages name, and their kinds.
var served = map[string]string{
	"style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml",
	"live.js": "text/javascript; charset=utf-8", "palette.js": "text/javascript; charset=utf-8", "studio.js": "text/javascript; charset=utf-8",
}

// Routes is what a browser may ask for. Each page can be read and used without
// JavaScript: what changes something is a form.
func (d *Dashboard) Routes() []server.Route {
	type handler = func(server.Call) (any, error)
	page := func(path string, handle handler) server.Route {
		return server.Route{Method: "GET", Path: path, Page: true, Handle: handle}
	}
	form := func(path string, handle handler) server.Route {
		return server.Route{Method: "POST", Path: path, Page: true, Check: readForm, Handle: handle}
	}
	slow := func(path string, handle handler) server.Route {
		return server.Route{Method: "POST", Path: path, Page: true, Check: readForm, Slow: true, Handle: handle}
	}
	file := func(name, kind string) server.Route {
		return server.Route{Method: "GET", Path: "/" + name, Handle: d.serveFile(name, kind)}
	}
	routes := []server.Route{
		{Method: "GET", Path: "/open/{id}", Handle: d.openLink},
		page("/", d.nowPage),
		page("/history", d.historyPage),
		page("/dispatch/{id}", d.dispatchPage),
		page("/answers", d.answersPage),
		page("/held", d.heldPage),
		page("/proposed", d.proposedPage),
		page("/search", d.searchPage),
		page("/usage", d.usagePage),
		page("/note", d.notePage),
		page("/presentations", d.presentationsPage),
		page("/presentations/{id}", d.presentationPage),
		page("/presentations/{id}/slides", d.slidesPage),
		page("/setup", d.setupPage),
		slow("/setup", d.setupForm),
		slow("/setup/prove", d.proveForm),
		slow("/setup/roles", d.rolesForm),
		slow("/setup/try", d.tryForm),
		page("/doctor", d.doctorPage),
		page("/log", d.logPage),
		page("/docs", d.docsPage),
		form("/dispatch/{id}/retry", dispatchForm(d.backend.Retry)),
		form("/dispatch/{id}/again", dispatchForm(d.backend.AskAgain)),
		form("/dispatch/{id}/cancel", dispatchForm(d.backend.Cancel)),
		form("/dispatch/{id}/release", d.releaseForm),
		form("/dispatch/{id}/accept", d.acceptForm),
		form("/dispatch/{id}/reject", d.rejectForm),
		form("/dispatch/{id}/undo", dispatchForm(d.backend.Undo)),
		slow("/held/release", d.releaseSome),
		form("/ask", d.askForm),
		form("/presentations/make", d.makeForm),
		form("/watch", d.watchForm),
		form("/rescan", func(c server.Call) (any, error) { return redirect{target: "/"}, d.backend.Rescan(c.Request.Context()) }),
		form("/notices/{id}/dismiss", d.dismissForm),
		form("/leave", d.signOut),
	}
	for name, kind := range served {
		routes = append(routes, file(name, kind))
	}
	for ending, kind := range fileKinds {
		routes = append(routes, page("/presentations/{id}/"+ending[1:], d.presentationFile(ending, kind)))
	}
	return routes
}
