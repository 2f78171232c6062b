package tray

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/wording"
)

// ok is a view of an engine that watches.
func ok(change func(*View)) View {
	v := View{Asked: true, Status: api.Status{
		Watcher: api.Watcher{Running: true},
		Vaults:  []api.Vault{{Name: "Notes", Path: "/n", State: "watching"}, {Name: "my_work", Path: "/w", State: "watching"}},
	}}
	if change != nil {
		change(&v)
	}
	return v
}

func heldNotice(kind string, questions int) api.Notice {
	return api.NewNotice(api.NoticeHeld, "vault", "Notes", "kind", kind, "reason", "why", "count", questions)
}

// What waits for a person is told by its kinds, in their order, each of which leads to the page where
// it is released.
func TestHeldKinds(t *testing.T) {
	v := ok(func(v *View) {
		v.Status.Queue.Held = 4
		v.Status.Notices = []api.Notice{heldNotice("untrusted", 1), heldNotice("burst", 12), heldNotice("old", 3)}
	})
	menu := Menu(v)
	i := slices.IndexFunc(menu, func(item Item) bool { return item.ID == "held" })
	if got := outline(menu[i:i+1], ""); got != `Waiting for you
  3 questions to release: older than the watching…
  12 questions to release: many at once…
  1 question to release: somebody else’s words…
` {
		t.Errorf("%s", got)
	}
	for _, item := range menu[i].Sub {
		if !item.Hidden && (item.Do.Verb != Dashboard || item.Do.Arg != heldPage) {
			t.Errorf("%s does %+v", item.ID, item.Do)
		}
	}
	if menu = Menu(ok(nil)); !menu[i].Hidden {
		t.Error("nothing waits, and there is a line for it")
	}
}

func TestStates(t *testing.T) {
	for _, test := range []struct {
		name       string
		view       View
		icon, line string
		next       string // empty = none
		verb       Verb
	}{
		{"before the first answer", View{}, "offline", "Looking for the engine…", "", ""},
		{"all is well", ok(nil), "idle", "Watching 2 vaults", "", ""},
		{"no engine", View{Asked: true, Err: api.ErrNotRunning}, "offline", "The engine is not running", "Start the engine", Start},
		{"a stranger on the port", View{Asked: true, Err: api.ErrNotOurs}, "error", "Another program has the engine's port", "Choose another port (wiki.httpPort)…", ShowConf},
		{"another user's engine", View{Asked: true, Err: notOurToken}, "error", "The engine at this port does not take our token", "Choose another port (wiki.httpPort)…", ShowConf},
		{"an engine that refuses", View{Asked: true, Err: &api.StatusError{Text: "No."}}, "error", "The engine does not answer: No.", "See the engine's log…", ShowLog},
		{"an engine that hangs", View{Asked: true, Err: fmt.Errorf("ask: %w", context.DeadlineExceeded)}, "error", "The engine takes too long to answer", "See the engine's log…", ShowLog},
		{"no vault yet", View{Asked: true}, "paused", "No folder of notes yet", "Choose a folder of notes…", Setup},
		{"at work", ok(func(v *View) { v.Status.Queue = api.Queue{Processing: 1, Queued: 1, Settling: 1} }),
			"busy", "Watching 2 vaults – 1 at work, 2 waiting", "", ""},
		{"failures wait", ok(func(v *View) { v.Status.Queue = api.Queue{Failed: 2, Done: 9} }),
			"error", "Watching 2 vaults – 2 unanswered", "See what needs you (2 unanswered)…", Dashboard},
		{"an answer without a place", ok(func(v *View) { v.Status.Queue = api.Queue{Parked: 1} }),
			"error", "Watching 2 vaults – 1 kept", "See what needs you (1 kept)…", Dashboard},
		{"at work beside a failure", ok(func(v *View) { v.Status.Queue = api.Queue{Processing: 1, Failed: 1} }),
			"error", "Watching 2 vaults – 1 unanswered, 1 at work", "See what needs you (1 unanswered)…", Dashboard},
		{"cancelled by hand", ok(func(v *View) {
			v.Status.Dispatches = []api.Dispatch{{Status: "cancelled", Error: "cancelled by hand", File: "A.md"}}
		}), "idle", "Watching 2 vaults", "", ""},
		{"to approve", ok(func(v *View) { v.Status.Queue = api.Queue{Held: 3, Proposed: 2} }),
			"error", "Watching 2 vaults – 2 for you to approve, 3 wait for you", "Approve what was answered (2)…", Dashboard},
		{"held", ok(func(v *View) { v.Status.Queue = api.Queue{Held: 3} }), "error", "Watching 2 vaults – 3 wait for you", "Look at what waits for you (3)…", Dashboard},
		{"held beside one at work", ok(func(v *View) { v.Status.Queue = api.Queue{Held: 3, Processing: 1, Queued: 2} }),
			"error", "Watching 2 vaults – 3 wait for you, 1 at work, 2 waiting", "Look at what waits for you (3)…", Dashboard},
		{"to approve, and not watching", ok(func(v *View) { v.Status.Watcher.Running, v.Status.Queue = false, api.Queue{Proposed: 1} }),
			"error", "Not watching – 1 for you to approve", "Approve what was answered (1)…", Dashboard},
		{"at work, and not watching", ok(func(v *View) { v.Status.Watcher.Running, v.Status.Queue = false, api.Queue{Processing: 1} }),
			"busy", "Not watching – 1 at work", "", ""},
		{"held for one kind", ok(func(v *View) {
			v.Status.Queue, v.Status.Notices = api.Queue{Held: 1}, []api.Notice{heldNotice("burst", 2), heldNotice("burst", 1)}
		}), "error", "Watching 2 vaults – 1 waits for you", "3 questions to release: many at once…", Dashboard},
		{"held for several", ok(func(v *View) {
			v.Status.Queue, v.Status.Notices = api.Queue{Held: 3}, []api.Notice{heldNotice("burst", 2), heldNotice("old", 1)}
		}), "error", "Watching 2 vaults – 3 wait for you", "Look at what waits for you…", Dashboard},
		{"one line that is not taken up", ok(func(v *View) {
			v.Status.NotTaken = []api.Untaken{{Vault: "Notes", File: "d/A.md", Line: 1, Reason: "a space", Kind: "miss", Quiet: true}, {Kind: "held"}, {Kind: "hidden"}}
		}), "error", "Watching 2 vaults – 1 not taken up", "Not taken up in A: a space", OpenNote},
		{"several", ok(func(v *View) {
			v.Status.Queue.Settling = 1
			v.Status.NotTaken = []api.Untaken{{File: "A.md", Kind: "role"}, {File: "A.md", Kind: "readonly"}, {Kind: "paused"}}
			v.Status.Notices = []api.Notice{{Code: api.NoticeUntaken, Text: "the same"}}
		}), "error", "Watching 2 vaults – 2 not taken up, 1 waiting", "See what is not taken up (2)…", Dashboard},
		{"a notice", ok(func(v *View) {
			v.Status.Notices = []api.Notice{{Text: "read", Dismissed: true}, {Text: "the disk\nis full"}}
		}), "idle", "Watching 2 vaults", "the disk is full", Dashboard},
		{"not watching", ok(func(v *View) { v.Status.Watcher.Running = false }), "paused", "Not watching", "Watch again", Watch},
		{"paused", ok(func(v *View) {
			until := time.Date(2026, 1, 2, 15, 4, 0, 0, time.Local)
			v.Status.Watcher, v.Time = api.Watcher{PausedUntil: &until}, until.Add(-time.Hour)
		}), "paused", "Paused until 15:04", "Watch again", Watch},
		{"paused for days", ok(func(v *View) {
			until := time.Date(2026, 1, 2, 15, 4, 0, 0, time.Local)
			v.Status.Watcher, v.Time = api.Watcher{PausedUntil: &until}, until.Add(-24*time.Hour)
		}), "paused", "Paused until Fri 2 Jan, 15:04", "Watch again", Watch},
		{"a vault away", ok(func(v *View) { v.Status.Vaults[1].State = "offline" }), "idle", "Watching 1 vault, 1 away", "", ""},
		{"all vaults away", ok(func(v *View) { v.Status.Vaults[0].State, v.Status.Vaults[1].State = "offline", "offline" }), "paused", "2 vaults are away", "See what is away…", Dashboard},
		{"one away, the other paused", ok(func(v *View) { v.Status.Vaults[0].State, v.Status.Vaults[1].State = "offline", "paused" }), "paused", "1 vault is away", "See what is away…", Dashboard},
		{"one left to another machine", ok(func(v *View) { v.Status.Vaults[1].State = "foreign" }), "idle", "Watching 1 vault, 1 left to another machine", "", ""},
		{"all left to other machines", ok(func(v *View) { v.Status.Vaults[0].State, v.Status.Vaults[1].State = "foreign", "foreign" }),
			"paused", "2 vaults left to another machine", "See which machine answers…", Dashboard},
		{"one left to another machine, the other away", ok(func(v *View) { v.Status.Vaults[0].State, v.Status.Vaults[1].State = "offline", "foreign" }),
			"paused", "1 vault is away, 1 left to another machine", "See what is away…", Dashboard},
		{"reading", ok(func(v *View) { v.Status.Vaults[1].State = "indexing" }), "idle", "Watching 2 vaults, reading notes", "", ""},
		{"a click is at work", View{Asked: true, Err: api.ErrNotRunning, Doing: "Starting the engine"}, "offline", "Starting the engine…", "Start the engine", Start},
	} {
		t.Run(test.name, func(t *testing.T) {
			menu := Menu(test.view)
			state, next := menu[0], menu[1]
			if got := test.view.Icon(); got != test.icon || assets.Icon(got).PNG == nil {
				t.Errorf("the icon is %q, want %q", got, test.icon)
			}
			if state.Label != test.line || !state.Disabled {
				t.Errorf("the state line is %q, want %q", state.Label, test.line)
			}
			if next.Hidden != (test.next == "") || next.Label != test.next || next.Do.Verb != test.verb {
				t.Errorf("the next step is %q (%q, hidden %v), want %q (%q)", next.Label, next.Do.Verb, next.Hidden, test.next, test.verb)
			}
			if next.Disabled != (test.view.Doing != "") {
				t.Errorf("the next step can be clicked: %v", !next.Disabled)
			}
			if !strings.HasPrefix(test.view.Tooltip(), "Vault Dispatcher\n"+test.line) {
				t.Errorf("the tooltip is %q", test.view.Tooltip())
			}
		})
	}
}

// Where the state line has no room for all, what needs the person is one number, and then what is watched is left out;
// nothing is cut. The tooltip has it all.
func TestStateLineIsNotCut(t *testing.T) {
	for _, test := range []struct {
		change     func(*api.Status)
		line, full string
	}{
		{func(s *api.Status) { s.Queue = api.Queue{Failed: 1, Parked: 1, Processing: 1} }, "Watching 2 vaults – 1 unanswered, 1 kept, 1 at work", ""},
		{func(s *api.Status) {
			s.Queue = api.Queue{Failed: 1, Parked: 1, Proposed: 2, Held: 1, Processing: 1, Queued: 2}
		},
			"Watching 2 vaults – 5 need you, 1 at work, 2 waiting", "Watching 2 vaults – 1 unanswered, 1 kept, 2 for you to approve, 1 waits for you, 1 at work, 2 waiting"},
		{func(s *api.Status) {
			s.Vaults = append(s.Vaults, api.Vault{State: "indexing"}, api.Vault{State: "offline"}, api.Vault{State: "foreign"})
			s.Queue = api.Queue{Failed: 100, Processing: 1, Queued: 2}
		}, "100 unanswered, 1 at work, 2 waiting", "Watching 3 vaults, reading notes, 1 away, 1 left to another machine – 100 unanswered, 1 at work, 2 waiting"},
		{func(s *api.Status) {
			s.Vaults = append(s.Vaults, api.Vault{State: "indexing"}, api.Vault{State: "offline"}, api.Vault{State: "foreign"})
			s.Queue = api.Queue{Failed: 12345, Parked: 12345, Proposed: 12345, Held: 12345, Processing: 12345, Queued: 1234567}
		}, "49380 need you, 12345 at work, 1234567 waiting", ""},
	} {
		v := ok(func(v *View) { test.change(&v.Status) })
		if got := Menu(v)[0].Label; got != test.line {
			t.Errorf("the state line is %q, want %q", got, test.line)
		}
		if !strings.Contains(v.Tooltip(), "\n"+test.full) {
			t.Errorf("the tooltip is %q", v.Tooltip())
		}
	}
}

// outline is the menu as a person reads it.
func outline(items []Item, indent string) string {
	var b strings.Builder
	for _, item := range items {
		switch {
		case item.Hidden:
			continue
		case item.Divider:
			b.WriteString(indent + "--\n")
			continue
		case item.Checkbox:
			b.WriteString(indent + wording.Choose(item.Checked, "[x] ", "[ ] "))
		default:
			b.WriteString(indent)
		}
		b.WriteString(item.Label + wording.Choose(item.Disabled, " (grey)", "") + "\n" + outline(item.Sub, indent+"  "))
	}
	return b.String()
}

func TestMenu(t *testing.T) {
	login := Login{Certain: true, Installed: true, Engine: true}
	for _, test := range []struct {
		name string
		view View
		want string
	}{
		{"watching", ok(func(v *View) {
			v.Login = login
			v.Status.Vaults[1].State = "paused"
			v.Status.Dispatches = []api.Dispatch{
				{File: "Daily/To day.md", Instruction: "what\tnow?", Status: "processing"},
				{File: "Old.md", Instruction: "who?", Status: "done"},
				{File: "Two.md", Instruction: "one?", Instructions: []string{"one?", "two?"}, Markers: 2, Status: "done", Result: "some", NoResult: []int{2}},
				{File: "Again.md", Instruction: "why?", Status: "done", Error: "your editor wrote its old text over this answer"},
			}
			v.Status.NotTaken = []api.Untaken{{File: "Typo.md", Text: "> @agent-Minr what?", Kind: "role"}, {File: "Code.md", Text: "quoted", Kind: "hidden"},
				{File: "Away.md", Reason: "it cannot be read", Kind: "unread"}}
			monday := time.Date(2026, 11, 30, 8, 0, 0, 0, time.Local)
			v.Status.Schedule = []api.Scheduled{{Instruction: "what is\nopen?", Next: &monday}, {Instruction: "more"}}
		}), `Watching 1 vault – 2 not taken up (grey)
See what is not taken up (2)…
--
[x] Watch vaults
Pause for an hour
Look again
Ask a question…
Vaults
  [x] Notes
  [ ] my_work
  --
  Add a folder…
Recent
  … To day: what now?
  ✓ Old: who?
  ✓ Two: one?
  ∅ Two: two?
  ↺ Again: your editor wrote its old text over this answer
Not taken up (2)
  Typo: > @agent-Minr what?
  Away: it cannot be read
Mon 08:00: what is open?
Dashboard
Setup…
--
Engine
  Start (grey)
  Stop
  Restart
  Log
[x] Start at login
--
Quit tray
`},
		{"no engine", View{Asked: true, Err: api.ErrNotRunning, Login: login, Problem: "no."}, `The engine is not running (grey)
Start the engine
no.
--
[ ] Watch vaults (grey)
Pause for an hour (grey)
Look again (grey)
Ask a question… (grey)
Vaults
  --
  Add a folder…
Recent
  Nothing was asked yet (grey)
Dashboard (grey)
Setup…
--
Engine
  Start
  Stop (grey)
  Restart (grey)
  Log
[x] Start at login
--
Quit tray
`},
	} {
		if got := outline(Menu(test.view), ""); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// A question about no note leads to its page on the dashboard.
func TestRecentAboutNoNote(t *testing.T) {
	v := ok(func(v *View) {
		v.Status.Dispatches = []api.Dispatch{{ID: "d1", Vault: "Notes", Instruction: "why?", Status: "done"}}
	})
	if line, _ := findItem(Menu(v), "recent/0"); line.Hidden || line.Do.Verb != Dashboard || line.Do.Arg != "dispatch/d1" {
		t.Errorf("%q does %+v", line.Label, line.Do)
	}
}

// An engine that hangs can be stopped and started again, as long as it is ours.
func TestEngineLines(t *testing.T) {
	for _, test := range []struct {
		name                 string
		view                 View
		start, stop, restart bool
	}{
		{"none runs", View{Asked: true, Err: api.ErrNotRunning}, true, false, false},
		{"one watches", ok(nil), false, true, true},
		{"one hangs", View{Asked: true, Err: context.DeadlineExceeded}, false, true, true},
		{"a stranger has the port", View{Asked: true, Err: api.ErrNotOurs}, false, false, false},
		{"one is being stopped", ok(func(v *View) { v.Doing = "Stopping the engine" }), false, false, false},
	} {
		for id, want := range map[string]bool{"engine/start": test.start, "engine/stop": test.stop, "engine/restart": test.restart} {
			if line, _ := findItem(Menu(test.view), id); line.Disabled == want {
				t.Errorf("%s: %s can be clicked: %v", test.name, id, !want)
			}
		}
	}
}

// anyView is some view there may be.
func anyView(r *rand.Rand) View {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	v := View{
		Asked: r.IntN(4) > 0, Doing: pick("", "", "Doing"), Problem: pick("", "no\nway", "\xe9"),
		Login: Login{Certain: r.IntN(2) > 0, Engine: r.IntN(2) > 0},
		Err:   []error{nil, nil, nil, nil, api.ErrNotRunning, api.ErrNotOurs, errors.New("a\tb")}[r.IntN(7)],
	}
	for range r.IntN(2 * untakenLines) {
		v.Status.NotTaken = append(v.Status.NotTaken, api.Untaken{File: pick("a.md", "b/c d.md"), Text: pick("", "> @agent-M\r\n"), Reason: "no", Kind: pick("miss", "role", "hidden")})
	}
	v.Status.Watcher.Running = r.IntN(3) > 0
	v.Status.Queue = api.Queue{Failed: r.IntN(2), Processing: r.IntN(2), Held: r.IntN(2), Parked: r.IntN(2)}
	for _, kind := range api.HeldKinds {
		if r.IntN(4) == 0 {
			v.Status.Notices = append(v.Status.Notices, heldNotice(kind.Kind, 1+r.IntN(100)))
		}
	}
	for i := range r.IntN(2 * vaultLines) {
		v.Status.Vaults = append(v.Status.Vaults, api.Vault{Name: fmt.Sprintf("v%d\n%s", i, strings.Repeat("x_", r.IntN(60))), State: pick("watching", "paused", "offline", "indexing", "foreign")})
	}
	for range r.IntN(2 * recentLines) {
		v.Status.Dispatches = append(v.Status.Dispatches, api.Dispatch{
			File: pick("a.md", "b/c d.md", "\u202egnp.md"), Instruction: strings.Repeat("what?\r\n", r.IntN(30)), Status: pick("done", "failed", "queued", "parked", "held", "proposed", "cancelled"),
		})
	}
	return v
}

// lines are the IDs and kinds of all lines.
func lines(items []Item) (all []string) {
	for _, item := range items {
		all = append(all, fmt.Sprint(item.ID, item.Checkbox, item.Divider))
		all = append(all, lines(item.Sub)...)
	}
	return all
}

// Whatever happens, the menu has the same lines, each can be found by its ID, says
// one readable line, and does something if it can be clicked.
func TestMenuIsSteady(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	want := lines(Menu(View{}))
	for range 2000 {
		v := anyView(r)
		menu := Menu(v)
		if got := lines(menu); !slices.Equal(got, want) {
			t.Fatalf("seed %d: other lines: %q", seed, got)
		}
		for _, group := range append([][]Item{menu}, subs(menu)...) {
			for _, item := range group {
				if found, ok := findItem(menu, item.ID); !ok || found.Label != item.Label {
					t.Fatalf("seed %d: %q is not found", seed, item.ID)
				}
				if item.Divider || item.Hidden {
					continue
				}
				if strings.ContainsFunc(item.Label, unicode.IsControl) || strings.ContainsRune(item.Label, '\u202e') || item.Label == "" || !utf8.ValidString(item.Label) || len([]rune(item.Label)) > longest {
					t.Fatalf("seed %d: %s reads %q", seed, item.ID, item.Label)
				}
				if item.Sub == nil && !item.Disabled && item.Do.Verb == Nothing {
					t.Fatalf("seed %d: %q does nothing", seed, item.Label)
				}
			}
		}
	}
}

func subs(items []Item) (all [][]Item) {
	for _, item := range items {
		if item.Sub != nil {
			all = append(all, item.Sub)
		}
	}
	return all
}

// More vaults than there is room for lead to the dashboard.
func TestMoreVaults(t *testing.T) {
	v := ok(func(v *View) {
		v.Status.Vaults = slices.Repeat([]api.Vault{{Name: "n", State: "watching"}}, vaultLines+3)
	})
	if more, _ := findItem(Menu(v), "vaults/more"); more.Hidden || more.Label != "3 more…" || more.Do.Verb != Dashboard {
		t.Errorf("%+v", more)
	}
}

func TestLabel(t *testing.T) {
	for _, test := range []struct{ system, text, want string }{
		{"linux", "my_notes_2026 & co", "my__notes__2026 & co"},
		{"windows", "my_notes & co", "my_notes && co"},
		{"darwin", "my_notes & co", "my_notes & co"},
	} {
		if got := menuLabel(test.system, test.text); got != test.want {
			t.Errorf("%s: %q", test.system, got)
		}
	}
}

func TestTip(t *testing.T) {
	long := strings.Repeat("😀", 100)
	if got := tooltipText("linux", long); got != long {
		t.Errorf("%q", got)
	}
	if got := tooltipText("windows", long); got != strings.Repeat("😀", 60)+"…" {
		t.Errorf("%d characters", len([]rune(got)))
	}
	if got := tooltipText("windows", "short"); got != "short" {
		t.Errorf("%q", got)
	}
}
