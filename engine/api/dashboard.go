package api

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// pageRoutes is what a browser may ask for. Each page can be read and used without
// JavaScript: what changes something is a form.
func pageRoutes() []route {
	get := func(path string, handle func(*Server, call) (any, error)) route {
		return route{method: "GET", path: path, page: true, handle: handle}
	}
	form := func(path string, handle func(*Server, call) (any, error)) route {
		return route{method: "POST", path: path, page: true, form: true, handle: handle}
	}
	return []route{
		{method: "GET", path: "/open/{id}", handle: (*Server).open},
		{method: "GET", path: "/style.css", handle: static("style.css", "text/css; charset=utf-8")},
		{method: "GET", path: "/live.js", handle: static("live.js", "text/javascript; charset=utf-8")},
		{method: "GET", path: "/icon.svg", handle: static("icon.svg", "image/svg+xml")},
		get("/", (*Server).nowPage),
		get("/history", (*Server).historyPage),
		get("/dispatch/{id}", (*Server).dispatchPage),
		get("/answers", (*Server).answersPage),
		get("/held", (*Server).heldPage),
		get("/search", (*Server).searchPage),
		get("/setup", (*Server).setupPage),
		{method: "POST", path: "/setup", page: true, form: true, slow: true, handle: (*Server).setupForm},
		{method: "POST", path: "/setup/prove", page: true, form: true, slow: true, handle: (*Server).proveForm},
		{method: "POST", path: "/setup/roles", page: true, form: true, slow: true, handle: (*Server).rolesForm},
		{method: "POST", path: "/setup/try", page: true, form: true, slow: true, handle: (*Server).tryForm},
		get("/doctor", (*Server).doctorPage),
		get("/log", (*Server).logPage),
		form("/dispatch/{id}/retry", onOne((*Server).retry)),
		form("/dispatch/{id}/cancel", onOne((*Server).cancel)),
		form("/dispatch/{id}/release", onOne((*Server).release)),
		form("/dispatch/{id}/undo", onOne((*Server).undo)),
		{method: "POST", path: "/held/release", page: true, form: true, slow: true, handle: (*Server).releaseAll},
		form("/watch", (*Server).watchForm),
		form("/rescan", (*Server).rescanForm),
		form("/leave", (*Server).leave),
	}
}

// nowView is what goes on at this moment.
type nowView struct {
	Status
	Working []Dispatch // the one that has run longest first
	Waiting []Dispatch // the next one first, as many as are shown
	Behind  int        // how many wait behind them
	Recent  []Dispatch // ended, the last one first
	Roles   []roleView
	Known   []noticeView
}

// roleView is a role and what it does.
type roleView struct {
	Agent
	Absent bool // its runner is not in this version, so nobody can mend it
	Doing  []Dispatch
}

// noticeView is a notice, as a page says it: where a command would help on the
// command line, a page has a link.
type noticeView struct {
	Text string
	Held bool // it is about what is held
}

func noticeOf(notice string) noticeView {
	text, _, held := strings.Cut(notice, "; wiki release --all starts ")
	return noticeView{text, held}
}

// How many dispatches the first page shows that have ended, and that wait.
const (
	mostRecent  = 10
	mostWaiting = 20
)

func (s *Server) nowPage(c call) (any, error) {
	st, err := s.state(c.r.Context())
	if err != nil {
		return nil, err
	}
	v := nowOf(st)
	if len(v.Recent) < mostRecent && st.Queue.Held > 0 {
		if v.Recent, err = s.lastEnded(c.r.Context()); err != nil {
			return nil, err
		}
	}
	return s.show(c, "now", "Now", v)
}

// lastEnded are the last dispatches that have ended, also behind very many that are
// held since: a status lists the newest.
func (s *Server) lastEnded(ctx context.Context) ([]Dispatch, error) {
	var last []Dispatch
	for _, word := range []string{"done", "failed", "parked", "cancelled"} {
		found, err := s.backend.Dispatches(ctx, Filter{Status: word, Limit: mostRecent})
		if err != nil {
			return nil, fmt.Errorf("list what has ended: %w", err)
		}
		last = append(last, found...)
	}
	slices.SortStableFunc(last, func(a, b Dispatch) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return brief(last[:min(len(last), mostRecent)]), nil
}

// nowOf sorts a status the way a person looks at it.
func nowOf(st Status) nowView {
	v := nowView{Status: st}
	for _, d := range st.Dispatches {
		switch {
		case d.Status == "processing":
			v.Working = append(v.Working, d)
		case d.Status == "queued":
			v.Waiting = append(v.Waiting, d)
		case d.Status != "held" && len(v.Recent) < mostRecent:
			v.Recent = append(v.Recent, d)
		}
	}
	slices.SortFunc(v.Working, func(a, b Dispatch) int { return begun(a).Compare(begun(b)) })
	slices.SortFunc(v.Waiting, func(a, b Dispatch) int { return a.CreatedAt.Compare(b.CreatedAt) })
	v.Behind = max(len(v.Waiting)-mostWaiting, 0)
	v.Waiting = v.Waiting[:len(v.Waiting)-v.Behind]
	for _, a := range st.Agents {
		role := roleView{Agent: a, Absent: a.Absent()}
		for _, d := range v.Working {
			if strings.EqualFold(d.Role, a.Role) {
				role.Doing = append(role.Doing, d)
			}
		}
		v.Roles = append(v.Roles, role)
	}
	for _, notice := range st.Notices {
		v.Known = append(v.Known, noticeOf(notice))
	}
	return v
}

// begun is when a dispatch began to run, or when it was asked.
func begun(d Dispatch) time.Time {
	if d.StartedAt != nil {
		return *d.StartedAt
	}
	return d.CreatedAt
}

// historyView is the list of dispatches and how it was asked for.
type historyView struct {
	Status, Query string
	Words         []string // of the status there are
	Dispatches    []Dispatch
	More          int  // how many to ask for next; 0 when these are all
	Cut           bool // there may be older ones that no list shows
}

// pageSize is how many dispatches a list begins with.
const pageSize = 50

func (s *Server) historyPage(c call) (any, error) {
	f, err := filter(c.r, pageSize)
	if err != nil {
		return nil, err
	}
	f.Query = strings.TrimSpace(f.Query)
	list, err := s.backend.Dispatches(c.r.Context(), f)
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	// What is settling has no record yet, so there is no history of it.
	words := slices.DeleteFunc(slices.Clone(statusWords), func(word string) bool { return word == "settling" })
	v := historyView{Status: f.Status, Query: f.Query, Words: words, Dispatches: brief(list)}
	switch full := len(list) >= f.Limit; {
	case full && f.Limit < MostListed:
		v.More = min(f.Limit*4, MostListed)
	case full:
		v.Cut = true
	}
	return s.show(c, "history", "History", v)
}

// dispatchView is one dispatch and what can be done to it.
type dispatchView struct {
	Detail
	Retry, Cancel, Release, Undo bool
	Place                        whereabouts
}

func (s *Server) dispatchPage(c call) (any, error) {
	d, err := s.backend.Dispatch(c.r.Context(), c.id)
	if err != nil {
		return nil, fmt.Errorf("read a dispatch: %w", err)
	}
	in := func(words ...string) bool { return slices.Contains(words, d.Status) }
	return s.show(c, "dispatch", d.Role+", "+d.File, dispatchView{Detail: d,
		Retry:   in("failed", "cancelled") && d.NoRetry == "" || in("queued") && d.NextAttemptAt != nil,
		Cancel:  in("queued", "processing", "failed", "held", "parked"),
		Release: in("held"),
		Undo:    in("done") && d.Diff != "" && d.NoUndo == "",
		Place:   s.placeOf(d.Vault, d.File),
	})
}

// answersView are the parked answers, as many as one list holds.
type answersView struct {
	List []Detail
	Cut  bool // there may be older ones
}

func (s *Server) answersPage(c call) (any, error) {
	list, err := s.backend.Answers(c.r.Context())
	if err != nil {
		return nil, fmt.Errorf("list parked answers: %w", err)
	}
	return s.show(c, "answers", "Parked answers", answersView{List: list, Cut: len(list) >= MostAnswers})
}

// heldView is what is held, as much of it as one page has room for.
type heldView struct {
	List []Dispatch
	Cut  bool // there are older ones
}

func (s *Server) heldPage(c call) (any, error) {
	list, err := s.backend.Dispatches(c.r.Context(), Filter{Status: "held", Limit: MostListed + 1})
	if err != nil {
		return nil, fmt.Errorf("list what is held: %w", err)
	}
	shown := brief(list[:min(len(list), MostListed)])
	return s.show(c, "held", "Held", heldView{List: shown, Cut: len(list) > len(shown)})
}

// searchView is a question to the vaults and what was found.
type searchView struct {
	Query string
	HitList
	Places []whereabouts // of the hits, in their order
	Vaults int           // that could be searched
}

func (s *Server) searchPage(c call) (any, error) {
	q, err := query(c.r)
	if err != nil {
		return nil, err
	}
	v := searchView{Query: strings.TrimSpace(q.Get("q"))}
	if v.Query != "" {
		if v.HitList, err = s.backend.Search(c.r.Context(), v.Query, 20); err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
	}
	for _, hit := range v.Hits {
		v.Places = append(v.Places, s.placeOf(hit.Vault, hit.Note))
	}
	v.Vaults = len(s.backend.Roots())
	return s.show(c, "search", "Search", v)
}
