package dashboard

import (
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
		return nil, err
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
	Retry, Again, Cancel, Undo bool
	Kind                       api.HeldKind // while it is held
	Place                      noteLocation
}

func (d *Dashboard) dispatchPage(c server.Call) (any, error) {
	one, err := d.server.Dispatch(c.Request.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	in := func(words ...string) bool { return slices.Contains(words, one.Status) }
	return d.showPage(c, "dispatch", one.Role+", "+one.Where(), dispatchView{Detail: one,
		Retry:  in("failed", "cancelled") && one.NoRetry == "" || in("queued") && one.NextAttemptAt != nil,
		Again:  in("failed", "cancelled") && one.NoRetry == "" || in("done") && (one.Diff != "" || one.File == ""),
		Cancel: in("queued", "processing", "failed", "held", "proposed", "parked"),
		Kind:   api.KindOf(one.Dispatch),
		Undo:   in("done") && one.Diff != "" && one.NoUndo == "",
		Place:  d.placesOf(noteName{one.Vault, one.File})[0],
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
		return nil, err
	}
	return d.showPage(c, "answers", "Kept answers", answersView{List: list, Cut: len(list) >= api.MostAnswers})
}
