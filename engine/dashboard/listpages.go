package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// historyView is the list of dispatches and how it was asked for.
type historyView struct {
	Status, Query string
	Words         []string // of the status there are
	Dispatches    []api.Dispatch
	More          int  // how many to ask for next; 0 when these are all
	Cut           bool // there may be older ones that no list shows
}

func (d *Dashboard) historyPage(c server.Call) (any, error) {
	f, err := server.ReadFilter(c.Request)
	if err != nil {
		return nil, err
	}
	f.Query = strings.TrimSpace(f.Query)
	list, err := d.backend.Dispatches(c.Request.Context(), f)
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	// Markers that settle have no record yet, so they have no history.
	words := slices.DeleteFunc(slices.Clone(api.StatusWords), func(word string) bool { return word == "settling" })
	v := historyView{Status: f.Status, Query: f.Query, Words: words, Dispatches: server.Brief(list)}
	switch full := len(list) >= f.Limit; {
	case full && f.Limit < api.MostListed:
		v.More = min(f.Limit*4, api.MostListed)
	case full:
		v.Cut = true
	}
	return d.showPage(c, "history", "History", v)
}

// dispatchView is one dispatch and what can be done to it.
type dispatchView struct {
	api.Detail
	Retry, Cancel, Release, Undo bool
	Place                        whereabouts
}

func (d *Dashboard) dispatchPage(c server.Call) (any, error) {
	one, err := d.backend.Dispatch(c.Request.Context(), c.ID)
	if err != nil {
		return nil, fmt.Errorf("read a dispatch: %w", err)
	}
	in := func(words ...string) bool { return slices.Contains(words, one.Status) }
	return d.showPage(c, "dispatch", one.Role+", "+one.File, dispatchView{Detail: one,
		Retry:   in("failed", "cancelled") && one.NoRetry == "" || in("queued") && one.NextAttemptAt != nil,
		Cancel:  in("queued", "processing", "failed", "held", "parked"),
		Release: in("held"),
		Undo:    in("done") && one.Diff != "" && one.NoUndo == "",
		Place:   d.placesOf(noteName{one.Vault, one.File})[0],
	})
}

// answersView are the parked answers, as many as one list holds.
type answersView struct {
	List []api.Detail
	Cut  bool // there may be older ones
}

func (d *Dashboard) answersPage(c server.Call) (any, error) {
	list, err := d.backend.Answers(c.Request.Context())
	if err != nil {
		return nil, fmt.Errorf("list parked answers: %w", err)
	}
	return d.showPage(c, "answers", "Parked answers", answersView{List: list, Cut: len(list) >= api.MostAnswers})
}

// heldView lists the held dispatches, as many as one page has room for.
type heldView struct {
	List []api.Dispatch
	Cut  bool // there are older ones
}

func (d *Dashboard) heldPage(c server.Call) (any, error) {
	list, err := d.backend.Dispatches(c.Request.Context(), api.Filter{Status: "held", Limit: api.MostListed + 1})
	if err != nil {
		return nil, fmt.Errorf("list what is held: %w", err)
	}
	shown := server.Brief(list[:min(len(list), api.MostListed)])
	return d.showPage(c, "held", "Held", heldView{List: shown, Cut: len(list) > len(shown)})
}

// searchView is a question to the vaults and what was found.
type searchView struct {
	Query string
	api.HitList
	Places []whereabouts // of the hits, in their order
	Vaults int           // that could be searched
}

func (d *Dashboard) searchPage(c server.Call) (any, error) {
	q, err := server.ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	v := searchView{Query: strings.TrimSpace(q.Get("q"))}
	if v.Query != "" {
		if v.HitList, err = d.backend.Search(c.Request.Context(), v.Query, 20); err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
	}
	notes := make([]noteName, len(v.Hits))
	for i, hit := range v.Hits {
		notes[i] = noteName{hit.Vault, hit.Note}
	}
	v.Places = d.placesOf(notes...)
	v.Vaults = len(d.backend.Roots())
	return d.showPage(c, "search", "Search", v)
}
