package dashboard

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/dashboard/phrase"
	"vaultdispatcher/engine/dashboard/setup"
	"vaultdispatcher/engine/proposal"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// policy lets a page load files of this server only, run no inline script, and send
// its forms to this server only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; media-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// setPageHeaders is what every answer to a browser carries. The referrer policy keeps
// the Origin of our own forms, which "no-referrer" would not.
func setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// pageNames are the pages there are; each is a template of its own.
var pageNames = []string{"now", "history", "dispatch", "answers", "held", "proposed", "search", "usage", "note", "presentations", "presentation", "setup", "moved", "doctor", "log", "docs", "problem"}

// templates are the pages before anything is put in, and the files they name.
type templates struct {
	files fs.FS
	parse func() (map[string]*template.Template, error) // once, when a page is first asked for
}

func parseTemplates(files fs.FS, vault func(string) string) (map[string]*template.Template, error) {
	layout, err := template.New("layout.html").Funcs(template.FuncMap{
		"stamp":   func(t time.Time) string { return t.Local().Format(time.DateTime) },
		"clock":   func(t time.Time) string { return t.Local().Format(time.TimeOnly) },
		"machine": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"span":    spanText,
		"begun":   startOf,
		"tab":     tabOf,
		"pages":   phrase.ListPages,
		"told":    func(text string) []phrase.Part { return phrase.Split(shortenHome(text)) },
		"vault":   vault,
		"address": dispatchAddress,
		"count":   wording.Count, "number": wording.Number[int], "tokens": wording.Number[int64], "dollars": wording.Dollars,
		"diff":    proposal.Lines,
		"homely":  shortenHome,
		"wrong":   setup.FieldError,
		"on":      func(b *bool) bool { return b != nil && *b },
		"noticed": wording.Trigger,
		"source":  watchedBy,
		"step":    wording.Step,
		"later":   isLater,
		"lasted":  uptimeText,
		"said":    func(vault, text string) said { return said{vault, text} },
		"note":    noteAddress,
		"word":    wording.Status,
		"outcome": wording.Outcome, "answerer": wording.Answerer,
		"rows":  rows.OfList,
		"asked": func(d api.Dispatch) []rows.Question { return rows.Of(d, "") },
		"all":   rows.All,
		"took":  tookText,
		"share": func(b api.Budget) string { return fmt.Sprintf("%.2f", min(b.Share(), 1)) },
		"ago":   func(t time.Time) string { return times.Ago(t, time.Now()) },
	}).ParseFS(files, "layout.html")
	if err != nil {
		return nil, fmt.Errorf("read the layout of the pages: %w", err)
	}
	all := make(map[string]*template.Template, len(pageNames))
	for _, name := range pageNames {
		own, err := layout.Clone()
		if err == nil {
			own, err = own.ParseFS(files, name+".html")
		}
		if err != nil {
			return nil, fmt.Errorf("read the page %s: %w", name, err)
		}
		all[name] = own
	}
	return all, nil
}

// view is what a template gets.
type view struct {
	Page   string    // its name, for the navigation
	Title  string    // of the page
	Follow string    // the next page of the browser; empty = it remains
	Again  int       // seconds until the browser asks once more; 0 = never
	Form   string    // the token in its forms; empty without a session
	Now    time.Time // the time the page was made
	Tools  api.Tools // those there are have a page
	Queue  api.Queue // what waits for the person, by the navigation
	Data   any       // of this page
}

// tab is one entry of the navigation.
type tab struct {
	Path, Text string
	Here       bool
	Counts     []int // of what waits there: one, or none
}

func tabOf(v view, page, path, text string, counts ...int) tab {
	return tab{path, text, v.Page == page, counts}
}

// dispatchAddress is the page of a dispatch; a text that is no id leads to the history.
func dispatchAddress(id string) string {
	if !server.IsID(id) {
		return "/history"
	}
	return "/dispatch/" + id
}

// rendered is a page that is ready to be sent.
type rendered struct {
	rotate *Sessions // whose secret is exchanged when that is due; nil = none
	status int
	html   []byte
}

// showPage makes a page of a session.
func (d *Dashboard) showPage(c server.Call, name, title string, data any) (any, error) {
	v := view{Page: name, Title: title, Form: sessionOf(c).form, Now: time.Now(), Tools: d.tools, Data: data}
	if st, err := d.backend.Status(c.Request.Context(), false); err == nil {
		v.Queue = st.Queue
	}
	html, err := d.renderPage(name, v)
	if err != nil {
		return nil, err
	}
	return rendered{rotate: d.Sessions, status: http.StatusOK, html: html}, nil
}

func (t templates) renderPage(name string, v view) ([]byte, error) {
	all, err := t.parse()
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := all[name].Execute(&buf, v); err != nil {
		return nil, fmt.Errorf("make the page %s: %w", name, err)
	}
	return buf.Bytes(), nil
}

func (a rendered) Respond(w http.ResponseWriter, r *http.Request) {
	if a.rotate != nil {
		a.rotate.rotateCookie(w, r)
	}
	h := w.Header()
	setPageHeaders(h)
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(a.status)
	w.Write(a.html)
}

// ShowProblem tells a person of a failure where a browser asked for a page, and
// says whether it has. Programs get JSON.
func (d *Dashboard) ShowProblem(w http.ResponseWriter, r *http.Request, e *api.StatusError) bool {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") || strings.HasPrefix(r.URL.Path, "/vault-mind/") {
		return false
	}
	v := view{Page: "problem", Title: titleOf(r, e), Now: time.Now(), Data: problemView{pageWords(r, e), backPath(r, e)}}
	if r.Method == http.MethodGet && e.Code == "busy" {
		v.Again = 2
	}
	if of, _ := d.Session(r).(*session); of != nil {
		v.Form, v.Tools = of.form, d.tools
	}
	html, err := d.renderPage("problem", v)
	if err != nil {
		d.log.Error("show a problem", "error", err)
		return false
	}
	rendered{status: e.Status, html: html}.Respond(w, r)
	return true
}

// problemView is what did not work, and the page to go on from.
type problemView struct {
	*api.StatusError
	Back string // empty = none
}

// file is one of the files that pages name.
type file struct {
	kind string
	text []byte
}

// serveFile serves a file of the pages. The files hold no data of a person.
func (t templates) serveFile(name, kind string) func(server.Call) (any, error) {
	return func(server.Call) (any, error) {
		text, err := fs.ReadFile(t.files, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		return file{kind, text}, nil
	}
}

func (a file) Respond(w http.ResponseWriter, _ *http.Request) {
	setPageHeaders(w.Header())
	w.Header().Set("Content-Type", a.kind)
	w.Write(a.text)
}

// shortenHome writes a path below this person's home as they would, also in a sentence.
func shortenHome(text string) string {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return text
	}
	if rest, below := strings.CutPrefix(text, home); below && (rest == "" || os.IsPathSeparator(rest[0])) {
		text = "~" + rest
	}
	below := home + string(os.PathSeparator)
	return strings.ReplaceAll(text, " "+below, " ~"+below[len(home):])
}

// spanText is a length of time as a person says it.
func spanText(from, to time.Time) string {
	return times.Span(to.Sub(from))
}

// tookText is how long an answer took; empty where that says nothing.
func tookText(q rows.Question) string {
	switch took := q.Took(); {
	case took == 0:
		return ""
	case took < time.Second:
		return "under 1 s"
	default:
		return times.Span(took)
	}
}

// uptimeText is a length of time of the wire, such as 90s, as a person says it.
func uptimeText(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil {
		return text
	}
	return times.Span(d)
}
