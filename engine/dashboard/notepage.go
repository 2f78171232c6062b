package dashboard

import (
	"cmp"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/tame"
	"vaultdispatcher/engine/wording"
)

// noteAddress is the page of a note, which is named by its path or by a link.
func noteAddress(vault, note string) string {
	if note == "" {
		return "/history"
	}
	return "/note?" + url.Values{"vault": {vault}, "note": {note}}.Encode()
}

// others are the extensions of files that are not notes and that notes link to.
var others = []string{".canvas", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pdf", ".mp3", ".wav", ".ogg", ".mp4", ".csv", ".tsv", ".html", ".apkg"}

// linkIn makes links of a text in a vault lead to the pages of notes.
func linkIn(vault string) func(target string) string {
	return func(target string) string {
		name, _, _ := strings.Cut(target, "#")
		if name == "" || slices.Contains(others, strings.ToLower(path.Ext(name))) {
			return ""
		}
		return noteAddress(vault, "[["+name+"]]")
	}
}

// said is an answer and the vault that its links lead into.
type said struct{ Vault, Text string }

// HTML is the answer as a part of a page, below a heading that says what was asked.
func (s said) HTML() template.HTML {
	return template.HTML(tame.HTML(s.Text, tame.Style{Top: 3, Targets: true, Link: linkIn(s.Vault)})) // its room escapes all that is not ours
}

// noteView is a note by what leads to it and from it.
type noteView struct {
	Vault, Note string
	Cite        string // a link to it
	Text        string // the first lines of it
	Lines, End  int    // how many it has, and where Text ends
	Problem     string // why nothing is told of it
	Live        bool   // only its questions are told, for a page that is open
	Place       noteLocation
	Questions   []*noteRows
	Backlinks   citations
	Related     citations
}

// citations are places in other notes, as many as a page has.
type citations struct {
	Results []citation
	Next    string // behind which there are more
}

// citation is a place in another note.
type citation struct{ Vault, Note, Heading, Why, Text string }

// HTML is the place as a part of a page. A link that is a property has quotes, which say nothing to its reader.
func (c citation) HTML() template.HTML {
	item, listed := strings.CutPrefix(strings.TrimSpace(c.Text), "- ")
	link := strings.Trim(item, `"`)
	if l, ok := wikilink.At(link); ok && l.End == len(link) {
		c.Text = wording.Choose(listed, "- ", "") + link
	}
	return said{c.Vault, c.Text}.HTML()
}

// relations are the words for why a note is related.
var relations = map[string]string{"linked": "it leads there", "backlink": "links to it", "match": "has words of it"}

// How many questions of a note its page has, places in others, and lines of its own.
const mostQuestions, mostCited, mostRelated, mostLines = 20, 50, 10, 200

func (d *Dashboard) notePage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	ctx := c.Request.Context()
	v, found := noteView{Vault: q.Get("vault"), Note: q.Get("note")}, struct {
		Cite, Vault, Note, Text string
		Lines, End              int
	}{}
	if v.Live = q.Has("live"); v.Live {
		// An event tells of questions. What leads there takes a look at all notes.
	} else if err := d.server.ReadNotes(ctx, "read_note", map[string]any{"vault": v.Vault, "note": v.Note, "to": mostLines}, &found); err != nil {
		v.Note = strings.TrimSuffix(strings.TrimPrefix(v.Note, "[["), "]]")
		if work := d.works.find(v.Vault, v.Note); work != "" {
			return redirect{target: "/presentations/" + work}, nil
		}
		v.Problem = syserr.Plain(err)
	} else {
		v.Text, v.Lines, v.End = found.Text, found.Lines, found.End
		v.Note, v.Cite, v.Vault = found.Note, found.Cite, cmp.Or(found.Vault, v.Vault)
		for _, list := range []struct {
			tool      string
			limit     int
			citations *citations
		}{{"backlinks", mostCited, &v.Backlinks}, {"related", mostRelated, &v.Related}} {
			if err := d.server.ReadNotes(ctx, list.tool, map[string]any{"vault": v.Vault, "note": v.Note, "limit": list.limit}, list.citations); err != nil {
				v.Problem = syserr.Plain(err)
			}
			seen := make(map[string]bool) // a note has one card, of its best place
			list.citations.Results = slices.DeleteFunc(list.citations.Results, func(r citation) bool {
				was := seen[r.Note]
				seen[r.Note] = true
				return was && list.tool == "related"
			})
			for i := range list.citations.Results {
				r := &list.citations.Results[i]
				r.Vault, r.Why = cmp.Or(r.Vault, v.Vault), cmp.Or(relations[r.Why], r.Why)
			}
		}
	}
	past, err := d.backend.Dispatches(ctx, api.Filter{Query: v.Note, Limit: api.MostListed})
	if err != nil {
		return nil, err
	}
	past = slices.DeleteFunc(past, func(one api.Dispatch) bool { return one.File != v.Note || one.Vault != v.Vault })
	v.Questions = groupByNote(ctx, d.backend, past[:min(len(past), mostQuestions)])
	v.Place = d.placesOf(noteName{v.Vault, v.Note})[0]
	return d.showPage(c, "note", cmp.Or(strings.TrimSuffix(path.Base(v.Note), ".md"), "Note"), v)
}
