package tray

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
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
	Arg  string       // the name of a vault
	Note api.Dispatch // the note that is opened
}

// Verb is a kind of action.
type Verb string

// What clicks do. Nothing is no action.
const (
	Nothing   Verb = ""
	Watch     Verb = "watch" // a vault, or all
	Unwatch   Verb = "unwatch"
	Pause     Verb = "pause" // for an hour
	Scan      Verb = "scan"
	OpenNote  Verb = "note"
	Dashboard Verb = "dashboard"
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

// How many vaults and dispatches the menu has room for.
const (
	vaultLines  = 8
	recentLines = 10
)

// longest is how many characters of a line are shown.
const longest = 70

// Menu is the whole menu.
func Menu(v View) []Item {
	c := v.condition()
	up, busy := c.up(), v.Doing != ""
	running := up && v.Status.Watcher.Running
	return []Item{
		{ID: "state", Label: wording.Shorten(v.Line(), longest), Disabled: true},
		v.nextStep(c),
		{ID: "problem", Label: wording.Shorten(wording.Line(v.Problem), longest), Do: Action{Verb: ShowLog}, Hidden: v.Problem == ""},
		{ID: "divider 1", Divider: true},
		{ID: "watch", Label: "Watch vaults", Checkbox: true, Checked: running, Disabled: !up || c == empty, Do: Action{Verb: either(running, Unwatch, Watch)}},
		{ID: "pause", Label: "Pause for an hour", Disabled: !running || c == empty, Do: Action{Verb: Pause}},
		{ID: "scan", Label: "Scan now", Disabled: !up || c == empty, Do: Action{Verb: Scan}},
		{ID: "vaults", Label: "Vaults", Sub: v.vaultItems(up)},
		{ID: "recent", Label: "Recent", Sub: v.recentItems(up)},
		{ID: "dashboard", Label: "Dashboard", Disabled: !up, Do: Action{Verb: Dashboard}},
		{ID: "setup", Label: "Setup…", Do: Action{Verb: Setup}},
		{ID: "divider 2", Divider: true},
		{ID: "engine", Label: "Engine", Sub: []Item{
			{ID: "engine/start", Label: "Start", Disabled: c != offline || busy, Do: Action{Verb: Start}},
			{ID: "engine/stop", Label: "Stop", Disabled: !up && c != refused || busy, Do: Action{Verb: Stop}},
			{ID: "engine/restart", Label: "Restart", Disabled: !up && c != refused || busy, Do: Action{Verb: Restart}},
			{ID: "engine/log", Label: "Log", Do: Action{Verb: ShowLog}},
		}},
		{ID: "login", Label: "Start at login", Checkbox: true, Checked: v.Login.AtLogin, Disabled: !v.Login.Known || busy,
			Do: Action{Verb: either(v.Login.AtLogin, LoginOff, LoginOn)}},
		{ID: "divider 3", Divider: true},
		{ID: "quit", Label: either(v.Quits > 0, "Quit tray now", "Quit tray"), Do: Action{Verb: Quit}},
	}
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
	case c.up() && q.Failed+q.Parked > 0:
		set("See what needs you ("+strings.TrimPrefix(countText(api.Queue{Failed: q.Failed, Parked: q.Parked}), " – ")+")…", Dashboard)
	case c.up() && q.Held > 0:
		set(fmt.Sprintf("Look at what is held (%d)…", q.Held), Dashboard)
	case c.up() && firstNotice(v.Status) != "":
		set(wording.Shorten(wording.Line(firstNotice(v.Status)), longest), Dashboard)
	case c == stopped:
		set("Watch again", Watch)
	case c == away:
		set("See what is away…", Dashboard)
	default:
		item.Hidden = true
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
			item.Do = Action{Verb: either(on, Unwatch, Watch), Arg: vault.Name}
		}
		items = append(items, item)
	}
	more := len(v.Status.Vaults) - vaultLines
	return append(items,
		Item{ID: "vaults/more", Label: fmt.Sprintf("%d more…", more), Hidden: !up || more <= 0, Do: Action{Verb: Dashboard}},
		Item{ID: "vaults/divider", Divider: true},
		Item{ID: "vaults/add", Label: "Add a folder…", Do: Action{Verb: Setup}})
}

// recentItems is the list of dispatches; a click opens the note.
func (v View) recentItems(up bool) []Item {
	items := make([]Item, 0, recentLines+1)
	for i := range recentLines {
		item := Item{ID: "recent/" + strconv.Itoa(i), Hidden: true}
		if up && i < len(v.Status.Dispatches) {
			d := v.Status.Dispatches[i]
			item.Label, item.Hidden, item.Do = recentLabel(d), false, Action{Verb: OpenNote, Note: d}
		}
		items = append(items, item)
	}
	return append(items, Item{ID: "recent/none", Label: "Nothing was asked yet", Disabled: true, Hidden: up && len(v.Status.Dispatches) > 0})
}

// recentLabel holds no time of day, so that it changes only when something happens.
func recentLabel(d api.Dispatch) string {
	mark := map[string]string{"done": "✓", "failed": "✗", "parked": "!", "cancelled": "–", "held": "‖"}[d.Status]
	if mark == "" {
		mark = "…"
	}
	return wording.Shorten(fmt.Sprintf("%s %s: %s", mark, recentName(d), wording.Line(d.Instruction)), longest)
}

// recentName is the name of a dispatch's note.
func recentName(d api.Dispatch) string {
	return wording.Shorten(strings.TrimSuffix(path.Base(wording.Line(d.File)), ".md"), 30)
}

func either[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// firstNotice is the first notice that nobody has dismissed; empty = none.
func firstNotice(s api.Status) string {
	for _, n := range s.Notices {
		if !n.Dismissed {
			return n.Text
		}
	}
	return ""
}
