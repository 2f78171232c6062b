package dashboard

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/documents"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/tame"
	"vaultdispatcher/engine/wording"
)

// searchView is a question to the vaults and what was found.
type searchView struct {
	Query string
	api.HitList
	Notes  []*foundNote
	Vaults int // that could be searched
	More   int // how many passages to ask for next; 0 when these are all

	Documents []documents.Found // of the program
}

// foundNote is a note and its best passages, the best first.
type foundNote struct {
	Vault, Note string
	Link        string // to copy
	Place       noteLocation
	Passages    []passage // as many as are shown at once
	Others      []passage
}

// passage is one passage with the words marked that were looked for.
type passage struct {
	api.Hit
	Text template.HTML
	Why  string
}

// How many passages a search lists at first and at most, and how many of a note are shown at once.
const (
	firstHits = 20
	mostHits  = 100
	bestHits  = 2
)

func (d *Dashboard) searchPage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	v := searchView{Query: strings.TrimSpace(q.Get("q")), Vaults: len(d.backend.Roots())}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = firstHits
	}
	limit = min(max(limit, firstHits), mostHits)
	if v.Query != "" {
		if v.HitList, err = d.backend.Search(c.Request.Context(), v.Query, limit); err != nil {
			return nil, err
		}
		v.Documents = d.docs.Find(v.Query, someDocs)
	}
	if len(v.Hits) >= limit && limit < mostHits {
		v.More = min(2*limit, mostHits)
	}
	v.Notes = groupHits(v.Query, v.Hits)
	names := make([]noteName, len(v.Notes))
	for i, n := range v.Notes {
		names[i] = noteName{n.Vault, n.Note}
	}
	for i, place := range d.placesOf(names...) {
		v.Notes[i].Place = place
	}
	return d.showPage(c, "search", "Search", v)
}

// groupHits brings the passages of a note together, at the place of its best one.
func groupHits(query string, hits []api.Hit) (notes []*foundNote) {
	asked := terms.Parse(query)
	for _, h := range hits {
		i := slices.IndexFunc(notes, func(n *foundNote) bool { return n.Vault == h.Vault && n.Note == h.Note })
		if i < 0 {
			i, notes = len(notes), append(notes, &foundNote{Vault: h.Vault, Note: h.Note, Link: wikilink.WithoutLabel(h.Link)})
		}
		p := passage{Hit: h, Why: whyFound(h), Text: template.HTML(tame.HTML(h.Text, tame.Style{Top: 4, // its room escapes all that is not ours
			Link: linkIn(h.Vault), Marks: asked.Places}))}
		if n := notes[i]; len(n.Passages) < bestHits {
			n.Passages = append(n.Passages, p)
		} else {
			n.Others = append(n.Others, p)
		}
	}
	return notes
}

// whyFound says why a passage was found, as a person would; nothing where the words that are marked in it say so.
func whyFound(h api.Hit) string {
	why := ""
	switch {
	case h.Terms == 0 && h.Similarity == 0:
	case h.Matched == 0:
		why = "says something like it in other words"
	case h.Matched >= h.Terms && h.InTitle+h.InHeading+h.InTags == 0:
	case h.Matched >= h.Terms && h.Terms == 1:
		why = "has the word"
	case h.Matched >= h.Terms:
		why = "has all the words"
	default:
		why = fmt.Sprintf("has %d of %s", h.Matched, wording.Count(h.Terms, "word"))
	}
	for _, in := range []struct {
		n     int
		place string
	}{{h.InTitle, "its title"}, {h.InHeading, "its heading"}, {h.InTags, "its tags"}} {
		switch {
		case in.n > 0 && h.Terms == 1:
			why += " in " + in.place
		case in.n > 0:
			why += fmt.Sprintf(", %d in %s", in.n, in.place)
		}
	}
	return why
}
