package tray

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// View is all that the menu depends on.
type View struct {
	Status api.Status // the last one; of no meaning with Err
	Err    error      // why Status is missing
	Asked  bool       // the engine was asked at least once

	Quits   int       // how often the person has quit; what was clicked before is still done
	Doing   string    // an unfinished action of a click, such as "Starting the engine"
	Problem string    // the error of the last click
	Time    time.Time // by it a time of today needs no date
	Login   Login
}

// Login is the entry that starts the engine, and this tray, at login.
type Login struct {
	Certain   bool // it was found out
	Installed bool // the engine has its entry
	Engine    bool // and that starts it at login
	Active    bool // the service keeps the engine now
}

// condition is what kind of state it is; each has one icon, one line and one next step.
type condition int

const (
	waiting  condition = iota // for the first answer
	offline                   // no engine
	stranger                  // another program has the port, or another user's engine
	refused                   // an engine that does not talk to us
	empty                     // no vault yet
	needing                   // something waits for the person
	working                   // an agent
	stopped                   // the watcher
	away                      // all there is to watch, or left to another machine
	watching                  // all is well
)

// condition returns the first condition that holds. What needs the person comes before what goes on by itself.
func (v View) condition() condition {
	s := v.Status
	switch {
	case !v.Asked:
		return waiting
	case errors.Is(v.Err, api.ErrNotRunning):
		return offline
	case errors.Is(v.Err, api.ErrNotOurs), isForeign(v.Err):
		return stranger
	case v.Err != nil:
		return refused
	case len(s.Vaults) == 0:
		return empty
	case joinTallies(v.needs()) != "":
		return needing
	case s.Queue.Processing > 0:
		return working
	case !s.Watcher.Running:
		return stopped
	}
	if on, read, gone, left := v.vaultsBy(); on+read == 0 && gone+left > 0 {
		return away
	}
	return watching
}

// isUp reports whether an engine of ours answers.
func (c condition) isUp() bool { return c >= empty }

// Icon is the name of the icon; see assets.Icon.
func (v View) Icon() string {
	switch v.condition() {
	case waiting, offline:
		return "offline"
	case stranger, refused, needing:
		return "error"
	case empty, stopped, away:
		return "paused"
	case working:
		return "busy"
	}
	return "idle"
}

// Line says in a few words how things are.
func (v View) Line() string { return v.lines()[0] }

// lines say how things are in fewer and fewer words, for where there is less room: what needs the person is one number,
// and then what is watched is left out.
func (v View) lines() []string {
	if state := v.stateText(); state != "" {
		return []string{state}
	}
	watched, needs, work := v.watchedText(), v.needs(), v.work()
	all := joinTallies(needs, work)
	if all == "" {
		return []string{watched}
	}
	total := 0
	for _, t := range needs {
		total += t.n
	}
	few := joinTallies([]tally{{total, wording.Choose(total == 1, "needs you", "need you")}}, work)
	return []string{watched + " – " + all, watched + " – " + few, all, few}
}

// stateText says what keeps the tray from telling what is watched; "" = nothing does.
func (v View) stateText() string {
	if v.Doing != "" {
		return v.Doing + "…"
	}
	switch v.condition() {
	case waiting:
		return "Looking for the engine…"
	case offline:
		return "The engine is not running"
	case stranger:
		if isForeign(v.Err) {
			return "The engine at this port does not take our token"
		}
		return "Another program has the engine's port"
	case refused:
		if errors.Is(v.Err, context.DeadlineExceeded) {
			return "The engine takes too long to answer"
		}
		return "The engine does not answer: " + reasonText(v.Err)
	case empty:
		return "No folder of notes yet"
	}
	return ""
}

// vaultsBy counts the vaults that are watched, being read, gone, and left to another machine.
func (v View) vaultsBy() (on, read, gone, left int) {
	for _, vault := range v.Status.Vaults {
		switch vault.State {
		case "watching":
			on++
		case "indexing":
			read++
		case "offline":
			gone++
		case "foreign":
			left++
		}
	}
	return on, read, gone, left
}

// watchedText says what is watched, and what of it is away.
func (v View) watchedText() string {
	on, read, gone, left := v.vaultsBy()
	line := "Watching " + wording.Count(on+read, "vault")
	switch {
	case !v.Status.Watcher.Running && v.Status.Watcher.PausedUntil != nil:
		return "Paused until " + times.Clock(*v.Status.Watcher.PausedUntil, v.Time, "Mon 2 Jan,")
	case !v.Status.Watcher.Running:
		return "Not watching"
	case on+read == 0 && gone == 1:
		line = "1 vault is away"
	case on+read == 0 && gone > 1:
		line = fmt.Sprintf("%d vaults are away", gone)
	case on+read == 0 && left > 0:
		return wording.Count(left, "vault") + " left to another machine"
	case gone > 0:
		line += wording.Choose(read > 0, ", reading notes", "") + fmt.Sprintf(", %d away", gone)
	case read > 0:
		line += ", reading notes"
	}
	if left > 0 {
		line += fmt.Sprintf(", %d left to another machine", left)
	}
	return line
}

// untaken is what was asked and is not taken up until a person does something.
func (v View) untaken() (list []api.Untaken) {
	for _, u := range v.Status.NotTaken {
		if u.WantsMending() {
			list = append(list, u)
		}
	}
	return list
}

// tally is a number of things, and what they do.
type tally struct {
	n     int
	words string
}

// needs is what waits for the person, the most urgent first.
func (v View) needs() []tally {
	q := v.Status.Queue
	return []tally{
		{q.Failed, wording.Status("failed")}, {q.Parked, wording.Status("parked")}, {q.Proposed, wording.Status("proposed")},
		{len(v.untaken()), untakenStatus}, {q.Held, wording.Choose(q.Held == 1, "waits for you", "wait for you")},
	}
}

// work is what goes on by itself.
func (v View) work() []tally {
	q := v.Status.Queue
	return []tally{{q.Processing, wording.Status("processing")}, {q.Queued + q.Settling, "waiting"}}
}

// joinTallies says what there is of such things, or nothing.
func joinTallies(lists ...[]tally) string {
	var parts []string
	for _, t := range slices.Concat(lists...) {
		if t.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", t.n, t.words))
		}
	}
	return strings.Join(parts, ", ")
}

// Tooltip is the name, the line and the vaults.
func (v View) Tooltip() string {
	lines := []string{"Vault Dispatcher", v.Line()}
	if v.condition().isUp() {
		for _, d := range v.Status.Dispatches {
			if d.Progress != "" && len(lines) < 4 {
				lines = append(lines, d.Role+": "+wording.Line(d.Progress))
			}
		}
		for _, vault := range slices.Concat(v.Status.Vaults)[:min(4, len(v.Status.Vaults))] {
			lines = append(lines, wording.Line(vault.Name)+": "+v.vaultState(vault))
		}
	}
	return strings.Join(lines, "\n")
}

// vaultState is what becomes of a vault, in words.
func (v View) vaultState(vault api.Vault) string {
	if vault.State == "paused" && vault.PausedUntil != nil {
		return "paused until " + times.Clock(*vault.PausedUntil, v.Time, "Mon 2 Jan,")
	}
	return wording.Choose(vault.State == "foreign", "left to another machine", vault.State)
}

// reasonText is an error in its own words, or those of the engine.
func reasonText(err error) string {
	if refusal, ok := errors.AsType[*api.StatusError](err); ok {
		return wording.Line(refusal.Text)
	}
	return wording.Line(syserr.Plain(err))
}
