package dashboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/teaser"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/shown"
	"vaultdispatcher/engine/wording"
)

// fileKinds are the files beside a presentation that a browser may ask for.
var fileKinds = map[string]string{
	".wav": "audio/wav", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".vtt": "text/vtt; charset=utf-8",
	".csv": "text/csv; charset=utf-8", ".tsv": "text/tab-separated-values; charset=utf-8", ".apkg": "application/octet-stream",
}

// soundEndings are those of the sounds, the one first that most browsers play and that is small.
var soundEndings = []string{".mp3", ".ogg", ".wav"}

// presentationsView is what the Broadcaster makes and has made.
type presentationsView struct {
	Making  []api.Dispatch
	Shelves []shown.Shelf
	Vaults  []string
	Kinds   []kinds.Kind // that can be made; none = no maker
	Of      string       // the form's first content
	Query   string       // a search for the notes that can be ticked
	In      string       // the vault that they are in
	Found   []*foundNote
	Others  []string // vaults with such notes beside In
}

// Languages are those that a work can be asked for in, where an agent writes or reads it aloud.
func (presentationsView) Languages() []string { return []string{"en", "de", "fr", "es", "zh", "ja"} }

// Says is how the best passage of a note reads.
func (presentationsView) Says(n *foundNote) string {
	text := n.Passages[0].Hit.Text
	if strings.HasPrefix(text, "|") { // the cells of a table
		return teaser.OfWork(text)
	}
	return wording.Shorten(strings.TrimPrefix(material.Plain(text), "- "), 120)
}

// nameless are the letters that a link to a note cannot have.
const nameless = "[]#|^"

// findSources are the notes of a vault that are about some words, each with its best passage.
func (v *presentationsView) findSources(ctx context.Context, backend api.Backend) error {
	if v.Query == "" {
		return nil
	}
	found, err := backend.Search(ctx, v.Query, firstHits)
	for _, hit := range found.Hits {
		if hit.Vault != v.In && !slices.Contains(v.Others, hit.Vault) {
			v.Others = append(v.Others, hit.Vault)
		}
	}
	v.Found = slices.DeleteFunc(groupHits(v.Query, found.Hits), func(n *foundNote) bool {
		return n.Vault != v.In || strings.ContainsAny(n.Note, nameless)
	})
	return err
}

// Teaser is how a work begins, as it is read.
func (presentationsView) Teaser(w shown.Work) string { return teaser.OfWork(w.Begins) }

// Called is what a kind is called where a person reads it.
func (presentationsView) Called(kind string) string {
	k, _ := kinds.Find(strings.ReplaceAll(kind, " ", "-"))
	return strings.ToLower(cmp.Or(k.Title, kind))
}

func (d *Dashboard) presentationsPage(c server.Call) (any, error) {
	st, err := d.server.State(c.Request.Context())
	if err != nil {
		return nil, err
	}
	q := c.Request.URL.Query()
	v := presentationsView{Of: q.Get("of"), Query: strings.TrimSpace(q.Get("q")), In: q.Get("vault")}
	for _, one := range st.Vaults {
		v.Vaults = append(v.Vaults, one.Name)
	}
	if !slices.Contains(v.Vaults, v.In) && len(v.Vaults) > 0 {
		v.In = v.Vaults[0]
	}
	if err := v.findSources(c.Request.Context(), d.backend); err != nil {
		return nil, err
	}
	for _, role := range st.Agents {
		if role.Role == maker && role.Ready && len(st.Vaults) > 0 {
			v.Kinds = slices.DeleteFunc(slices.Clone(kinds.All), kinds.Kind.NeedsAgent)
		}
	}
	v.Shelves = d.works.list()
	for _, one := range st.Dispatches {
		ours := strings.EqualFold(one.Role, maker) || strings.EqualFold(one.Role, "podcast") || one.Runner == "broadcast"
		if ours && (one.Progress != "" || slices.Contains([]string{"settling", "queued", "processing"}, one.Status)) {
			v.Making = append(v.Making, one)
		}
	}
	return d.showPage(c, "presentations", "Presentations", v)
}

// maker is the role that makes presentations.
const maker = "Broadcaster"

// makeForm has the Broadcaster make something; the page of its dispatch shows what became of it.
func (d *Dashboard) makeForm(c server.Call) (any, error) {
	kind, isKnown := kinds.Find(c.Form.Get("kind"))
	of := strings.TrimSpace(c.Form.Get("of"))
	for _, note := range c.Form["source"] {
		of = strings.TrimPrefix(of+", [["+strings.TrimSuffix(note, ".md")+"]]", ", ")
	}
	if !isKnown || of == "" {
		return nil, &api.Invalid{Reason: "Choose what to make, and name what it is made of."}
	}
	c.Form.Set("role", maker)
	question := fmt.Sprintf("%s of %s", strings.ReplaceAll(kind.Name, "-", " "), of)
	if length := c.Form.Get("length"); length != "" {
		question += " length: " + length
	}
	if lang := c.Form.Get("lang"); lang != "" {
		question += " lang: " + lang
	}
	c.Form.Set("question", question)
	return d.askForm(c)
}

// works are the presentations of the vaults.
type works struct {
	room    *shown.Room // nil = there are none
	backend api.Backend
}

// roots are the vaults now.
func (w works) roots() (list []shown.Root) {
	for _, r := range w.backend.Roots() {
		list = append(list, shown.Root{Name: r.Name, Path: r.Path, Silent: r.Silent != ""})
	}
	return list
}

// list returns the presentations of each vault.
func (w works) list() []shown.Shelf {
	if w.room == nil {
		return nil
	}
	return w.room.List(w.roots())
}

// find returns the id of the presentation that a link in a vault names, or "".
func (w works) find(vault, link string) string {
	if w.room == nil {
		return ""
	}
	return w.room.FindNote(w.roots(), vault, link)
}

// open opens a presentation, with an ending also the file beside it.
func (w works) open(id, ending string) (shown.Opened, error) {
	if w.room == nil {
		return shown.Opened{}, api.ErrNotFound
	}
	o, err := w.room.Open(w.roots(), id, ending)
	switch {
	case errors.Is(err, shown.ErrSilent):
		return o, api.ErrOffline
	case err != nil:
		return o, api.ErrNotFound // it may have been moved just now
	}
	return o, nil
}

// presentationView is one presentation.
type presentationView struct {
	shown.Opened
	Text, Map template.HTML
	Sounds    []sound
	Downloads []string // endings, without their dots
	Place     noteLocation
}

// sound is one file that can be heard.
type sound struct{ Ending, Kind string }

func (d *Dashboard) presentationPage(c server.Call) (any, error) {
	o, err := d.works.open(c.ID, "")
	if err != nil {
		return nil, err
	}
	v := presentationView{Opened: o, Place: d.placesOf(noteName{o.Vault, o.Note})[0]}
	v.Text, v.Map = template.HTML(o.HTML(linkIn(o.Vault))), template.HTML(o.Map()) // their room escapes all that is not ours
	for _, ending := range soundEndings {
		if o.Has(ending) {
			v.Sounds = append(v.Sounds, sound{ending[1:], fileKinds[ending]})
		}
	}
	for _, ending := range o.Files {
		if fileKinds[ending] != "" {
			v.Downloads = append(v.Downloads, ending[1:])
		}
	}
	return d.showPage(c, "presentation", o.Title, v)
}

// slidesPolicy shows a page that may load, run and send nothing, and is of no origin.
const slidesPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

// slides are a page of their own.
type slides []byte

func (d *Dashboard) slidesPage(c server.Call) (any, error) {
	o, err := d.works.open(c.ID, "")
	if err == nil && o.Page == nil {
		err = api.ErrNotFound
	}
	return slides(o.Page), err
}

func (a slides) Respond(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	setPageHeaders(h)
	h.Set("Content-Security-Policy", slidesPolicy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.Write(a)
}

// shownFile is a file beside a presentation.
type shownFile struct {
	*shown.File
	kind string
}

func (d *Dashboard) presentationFile(ending, kind string) func(server.Call) (any, error) {
	return func(c server.Call) (any, error) {
		o, err := d.works.open(c.ID, ending)
		if err != nil {
			return nil, err
		}
		return shownFile{o.File, kind}, nil
	}
}

func (a shownFile) Respond(w http.ResponseWriter, r *http.Request) {
	defer a.Close()
	h := w.Header()
	setPageHeaders(h)
	h.Set("Content-Type", a.kind)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.Name})) // a player does not mind
	http.ServeContent(w, r, a.Name, a.Changed, a.File)
}
