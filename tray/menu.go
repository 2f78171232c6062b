package tray

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/wording"
)

// Item is one line of the menu. The lines there are, their order and their kinds are
// always the same: panels lose lines that come and go, so these are hidden.
type Item struct {
	ID       string // the same for the same line, always
	Label    string
	Do       Action
	Checkbox bool
	Checked  bool
	Disabled bool
	Hidden   bool
	Divider  bool   // only a line between others
	Sub      []Item // one level, as GNOME shows no more
}

// Action is what a click does.
type Action struct {
	Verb Verb
	Arg  string       // the name of a vault, or of a page of the dashboard
	Note api.Dispatch // the note that is opened
}

// Verb is a kind of action.
type Verb string

// The verbs of clicks. Nothing is for a line without an action.
const (
	Nothing   Verb = ""
	Watch     Verb = "watch" // a vault, or all
	Unwatch   Verb = "unwatch"
	Pause     Verb = "pause" // for an hour
	Scan      Verb = "scan"
	OpenNote  Verb = "note"
	Dashboard Verb = "dashboard"
	Ask       Verb = "ask" // a question, on the dashboard
	Setup     Verb = "setup"
	Start     Verb = "start"
	Stop      Verb = "stop"
	Restart   Verb = "restart"
	ShowLog   Verb = "log"
	ShowConf  Verb = "configuration"
	LoginOn   Verb = "login on"
	LoginOff  Verb = "login off"
	Quit      Verb = "quit"
)

// heldPage is the page of the dashboard that lists what waits for a person.
const heldPage = "held"

// proposedPage is the page with the answers that wait for a person's yes.
const proposedPage = "proposed"

// How many vaults, questions and lines the menu has room for.
const (
	vaultLines   = 8
	recentLines  = 10
	untakenLines = 8
)

// longest is how many characters of a line are shown.
const longest = 70

// Menu is the whole menu.
func Menu(v View) []Item {
	c := v.condition()
	up, busy := c.isUp(), v.Doing != ""
	running := up && v.Status.Watcher.Running
	return []Item{
		{ID: "state", Label: chooseLine(v.lines()), Disabled: true},
		v.nextStep(c),
		{ID: "problem", Label: wording.Shorten(wording.Line(v.Problem), longest), Do: Action{Verb: ShowLog}, Hidden: v.Problem == ""},
		{ID: "divider 1", Divider: true},
		{ID: "watch", Label: "Watch vaults", Checkbox: true, Checked: running, Disabled: !up || c == empty, Do: Action{Verb: wording.Choose(running, Unwatch, Watch)}},
		{ID: "pause", Label: "Pause for an hour", Disabled: !running || c == empty, Do: Action{Verb: Pause}},
		{ID: "scan", Label: "Look again", Disabled: !up || c == empty, Do: Action{Verb: Scan}},
		{ID: "ask", Label: "Ask a question…", Disabled: !up || c == empty, Do: Action{Verb: Ask}},
		{ID: "vaults", Label: "Vaults", Sub: v.vaultItems(up)},
		{ID: "recent", Label: "Recent", Sub: v.recentItems(up)},
		{ID: "held", Label: "Waiting for you", Hidden: !up || len(v.Status.CountHeld()) == 0, Sub: v.heldItems(up)},
		{ID: "proposed", Label: fmt.Sprintf("For you to approve (%d)", v.Status.Queue.Proposed), Hidden: !up || v.Status.Queue.Proposed == 0, Do: Action{Verb: Dashboard, Arg: proposedPage}},
		{ID: "untaken", Label: fmt.Sprintf("Not taken up (%d)", len(v.untaken())), Hidden: !up || len(v.untaken()) == 0, Sub: v.untakenItems(up)},
		v.comesAgain(up),
		{ID: "dashboard", Label: "Dashboard", Disabled: !up, Do: Action{Verb: Dashboard}},
		{ID: "setup", Label: "Setup…", Do: Action{Verb: Setup}},
		{ID: "divider 2", Divider: true},
		{ID: "engine", Label: "Engine", Sub: []Item{
			{ID: "engine/start", Label: "Start", Disabled: c != offline || busy, Do: Action{Verb: Start}},
			{ID: "engine/stop", Label: "Stop", Disabled: !up && c != refused || busy, Do: Action{Verb: Stop}},
			{ID: "engine/restart", Label: "Restart", Disabled: !up && c != refused || busy, Do: Action{Verb: Restart}},
			{ID: "engine/log", Label: "Log", Do: Action{Verb: ShowLog}},
		}},
		{ID: "login", Label: "Start at login", Checkbox: true, Checked: v.Login.Engine, Disabled: !v.Login.Certain || busy,
			Do: Action{Verb: wording.Choose(v.Login.Engine, LoginOff, LoginOn)}},
		{ID: "divider 3", Divider: true},
		{ID: "quit", Label: wording.Choose(v.Quits > 0, "Quit tray now", "Quit tray"), Do: Action{Verb: Quit}},
	}
}

// chooseLine returns the first line that there is room for.
func chooseLine(lines []string) string {
	for _, line := range lines {
		if utf8.RuneCountInString(line) <= longest {
			return line
		}
	}
	return wording.Shorten(lines[len(lines)-1], longest)
}

// nextStep is what a person should do now, if anything.
func (v View) nextStep(c condition) Item {
	item := Item{ID: "next", Disabled: v.Doing != ""}
	q := v.Status.Queue
	set := func(label string, verb Verb) { item.Label, item.Do = label, Action{Verb: verb} }
	switch {
	case c == offline:
		set("Start the engine", Start)
	case c == stranger:
		set("Choose another port (wiki.httpPort)…", ShowConf)
	case c == refused:
		set("See the engine's log…", ShowLog)
	case c == empty:
		set("Choose a folder of notes…", Setup)
	case c.isUp() && q.Failed+q.Parked > 0:
		set("See what needs you ("+joinTallies(v.needs()[:2])+")…", Dashboard)
	case c.isUp() && q.Proposed > 0:
		set(fmt.Sprintf("Approve what was answered (%d)…", q.Proposed), Dashboard)
		item.Do.Arg = proposedPage
	case c.isUp() && q.Held > 0:
		set(v.heldStep(), Dashboard)
		item.Do.Arg = heldPage
	case c.isUp() && len(v.untaken()) == 1:
		u := v.untaken()[0]
		note := api.Dispatch{Vault: u.Vault, File: u.File}
		item.Label = wording.Shorten(fmt.Sprintf("Not taken up in %s: %s", recentName(note), wording.Line(u.Reason)), longest)
		item.Do = Action{Verb: OpenNote, Note: note}
	case c.isUp() && len(v.untaken()) > 1:
		set(fmt.Sprintf("See what is not taken up (%d)…", len(v.untaken())), Dashboard)
	case c.isUp() && firstNotice(v.Status) != "":
		set(wording.Shorten(wording.Line(firstNotice(v.Status)), longest), Dashboard)
	case c == stopped:
		set("Watch again", Watch)
	case c == away:
		_, _, gone, _ := v.vaultsBy()
		set(wording.Choose(gone > 0, "See what is away…", "See which machine answers…"), Dashboard)
	default:
		item.Hidden = true
	}
	return item
}

// comesAgain is the next question that comes again.
func (v View) comesAgain(up bool) Item {
	item := Item{ID: "again", Do: Action{Verb: Dashboard}, Hidden: true}
	if up && len(v.Status.Schedule) > 0 && v.Status.Schedule[0].Next != nil {
		next := v.Status.Schedule[0]
		item.Label, item.Hidden = wording.Shorten(wording.Line(next.Next.Local().Format("Mon 15:04: ")+next.Instruction), longest), false
	}
	return item
}

// vaultItems is the list of vaults, each a switch of its own.
func (v View) vaultItems(up bool) []Item {
	items := make([]Item, 0, vaultLines+3)
	for i := range vaultLines {
		item := Item{ID: "vaults/" + strconv.Itoa(i), Checkbox: true, Hidden: true}
		if up && i < len(v.Status.Vaults) {
			vault := v.Status.Vaults[i]
			on := vault.State != "paused"
			item.Label, item.Checked, item.Hidden = wording.Shorten(wording.Line(vault.Name), 40), on, false
			if state := v.vaultState(vault); state != "watching" && state != "paused" {
				item.Label += " (" + state + ")"
			}
			item.Do = Action{Verb: wording.Choose(on, Unwatch, Watch), Arg: vault.Name}
		}
		items = append(items, item)
	}
	more := len(v.Status.Vaults) - vaultLines
	return append(items,
		Item{ID: "vaults/more", Label: fmt.Sprintf("%d more…", more), Hidden: !up || more <= 0, Do: Action{Verb: Dashboard}},
		Item{ID: "vaults/divider", Divider: true},
		Item{ID: "vaults/add", Label: "Add a folder…", Do: Action{Verb: Setup}})
}

// heldStep says what waits for the person: its kind, where there is one alone.
func (v View) heldStep() string {
	switch held := v.Status.CountHeld(); {
	case len(held) == 1:
		return heldLabel(held[0])
	case len(held) > 1:
		return "Look at what waits for you…"
	}
	return fmt.Sprintf("Look at what waits for you (%d)…", v.Status.Queue.Held)
}

// heldItems are the kinds of what waits for the person, each a line of its own that leads to the
// page where it is released.
func (v View) heldItems(up bool) []Item {
	items := make([]Item, len(api.HeldKinds))
	for i, kind := range api.HeldKinds {
		items[i] = Item{ID: "held/" + kind.Kind, Hidden: true}
		for _, held := range v.Status.CountHeld() {
			if up && held.Kind == kind.Kind {
				items[i].Label, items[i].Hidden, items[i].Do = heldLabel(held), false, Action{Verb: Dashboard, Arg: heldPage}
			}
		}
	}
	return items
}

// untakenItems are the lines that are not taken up; a click opens the note.
func (v View) untakenItems(up bool) []Item {
	items, all := make([]Item, untakenLines), v.untaken()
	for i := range items {
		items[i] = Item{ID: "untaken/" + strconv.Itoa(i), Hidden: true}
		if up && i < len(all) {
			note := api.Dispatch{Vault: all[i].Vault, File: all[i].File}
			items[i].Label = wording.Shorten(fmt.Sprintf("%s: %s", recentName(note), wording.Line(cmp.Or(all[i].Text, all[i].Reason))), longest)
			items[i].Hidden, items[i].Do = false, Action{Verb: OpenNote, Note: note}
		}
	}
	more := len(all) - untakenLines
	return append(items, Item{ID: "untaken/more", Label: fmt.Sprintf("%d more…", more), Hidden: !up || more <= 0, Do: Action{Verb: Dashboard}})
}

func heldLabel(held api.HeldLeft) string {
	return wording.Shorten(wording.Count(held.Questions, "question")+" to release: "+strings.ToLower(held.Title[:1])+held.Title[1:]+"…", longest)
}

// recentItems is the list of questions; a click opens the note, or the page of one that is about none.
func (v View) recentItems(up bool) []Item {
	items, all := make([]Item, 0, recentLines+1), rows.OfList(v.Status.Dispatches, "")
	for i := range recentLines {
		item := Item{ID: "recent/" + strconv.Itoa(i), Hidden: true}
		if up && i < len(all) {
			q := all[i]
			item.Label, item.Hidden, item.Do = recentLabel(q), false, Action{Verb: OpenNote, Note: q.Dispatch}
			if q.File == "" {
				item.Do = Action{Verb: Dashboard, Arg: "dispatch/" + q.ID}
			}
		}
		items = append(items, item)
	}
	return append(items, Item{ID: "recent/none", Label: "Nothing was asked yet", Disabled: true, Hidden: up && len(v.Status.Dispatches) > 0})
}

// recentLabel holds no time of day, so that it changes only when something happens. What is
// done with a word to say was not answered just now, but written again.
func recentLabel(q rows.Question) string {
	mark := map[string]string{"done": "✓", "failed": "✗", "parked": "!", "cancelled": "–", "held": "‖"}[q.Status]
	if mark == "" {
		mark = "…"
	}
	what := q.Text
	switch {
	case q.Status == "done" && q.Error != "":
		mark, what = "↺", q.Error
	case q.Status == "done" && q.Result != "":
		mark = "∅"
	}
	return wording.Shorten(fmt.Sprintf("%s %s: %s", mark, recentName(q.Dispatch), wording.Line(what)), longest)
}

// recentName is the name of a dispatch's note.
func recentName(d api.Dispatch) string {
	return wording.Shorten(strings.TrimSuffix(strings.TrimSuffix(path.Base(wording.Line(d.Where())), ".md"), ".markdown"), 30)
}

// firstNotice returns the first notice that is not dismissed and that the tray does not tell in another way, or "".
func firstNotice(s api.Status) string {
	for _, n := range s.Notices {
		if !n.Dismissed && n.Code != api.NoticeUntaken && n.Code != api.NoticePrivate {
			return n.Text
		}
	}
	return ""
}
