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
	AtLogin   bool // as this tray's does
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
	failing                   // something has failed or lost its place
	stopped                   // the watcher
	away                      // all there is to watch, or left to another machine
	working                   // an agent
	watching                  // all is well
)

// condition returns the first condition that holds. An agent at work comes before a failure, which will still be
// there afterwards.
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
	case s.Queue.Processing > 0:
		return working
	case s.Queue.Failed+s.Queue.Parked > 0:
		return failing
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
	case stranger, refused, failing:
		return "error"
	case empty, stopped, away:
		return "paused"
	case working:
		return "busy"
	}
	return "idle"
}

// Line says in a few words how things are.
func (v View) Line() string {
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
	return v.watchedText() + countText(v.Status.Queue, len(v.untaken()))
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

// countText is what is going on, most urgent first, or nothing.
func countText(q api.Queue, untaken int) string {
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	add(q.Failed, wording.Status("failed"))
	add(q.Parked, wording.Status("parked"))
	add(q.Proposed, wording.Status("proposed"))
	add(untaken, "not taken up")
	add(q.Processing, wording.Status("processing"))
	add(q.Queued+q.Settling, "waiting")
	add(q.Held, wording.Choose(q.Held == 1, "waits for you", "wait for you"))
	if len(parts) == 0 {
		return ""
	}
	return " – " + strings.Join(parts, ", ")
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
