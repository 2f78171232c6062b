// Package bulk says which questions wait for a person because they came many at once.
//
// Notes that other people bring into a watched vault (a clone, an archive, a shared folder) come many
// at once. A person writes one question after the other; so more than wiki.limits.burst questions that
// came with new notes within a minute wait for a person. Known notes that git changes count as well,
// and so do notes that return to questions whose answers they had: a backup or a sync tool has
// restored an earlier state.
//
//	b.Count(ctx, "a.md", false, free)       // at each look
//	if b.IsOfBurst("a.md", marker) { ... }  // when it has settled: it waits for a person
//
// # Promises
//
// A dispatch that has started before its burst was known is held, unless its agent is at work. One
// goroutine at a time uses a Bulk.
package bulk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"vaultdispatcher/engine/githead"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/settle"
)

// Bulk is what a vault works with for that; it shares the first two with it.
type Bulk struct {
	Settling  *settle.Markers
	Arrivals  *burst.Watch
	Root      string        // of the vault
	Limit     int           // wiki.limits.burst
	Unpacking time.Duration // how long another program may still be writing a note that has just appeared
	Reason    string        // why a question of a burst is held, for people
	Hold      func(ctx context.Context, dispatch string, kind journal.HoldKind, reason string) error
	Log       *slog.Logger

	stragglers []string // dispatches that have started before their burst was known, and are to be held
}

// Count counts the free markers of a note that no look has seen, except those that a
// note app reported.
func (b *Bulk) Count(ctx context.Context, rel string, told bool, free []note.Marker) {
	now := time.Now()
	for _, m := range free {
		came := b.Settling.Arrival(rel, m)
		switch {
		case told:
			b.Arrivals.Withdraw(came)
			b.Settling.KeepArrival(rel, m, new(burst.Arrival))
		case came == nil:
			young := b.Arrivals.IsYoung(rel, now, min(burst.Within, b.Unpacking))
			b.Settling.KeepArrival(rel, m, b.Arrivals.Add(now, young))
		}
	}
	b.stragglers = slices.DeleteFunc(append(b.stragglers, b.Arrivals.TakeLate()...), func(id string) bool {
		err := b.Hold(ctx, id, journal.ForBurst, b.Reason)
		if err == nil || errors.Is(err, journal.ErrState) {
			return true
		}
		b.Log.Warn("hold what came in a burst", "dispatch", id, "error", err) // the next look tries again
		return false
	})
}

// IsOfBurst reports whether a marker that is settling waits for a person. It touches the
// disk.
func (b *Bulk) IsOfBurst(rel string, m note.Marker) bool {
	came := b.Settling.Arrival(rel, m)
	return came.IsBurst(false) || came.IsBurst(true) && b.movedByGit(rel, b.Settling.FirstLook(rel, m))
}

// movedByGit reports whether git has changed the files around a note at about a time.
func (b *Bulk) movedByGit(rel string, at time.Time) bool {
	return githead.LastMove(filepath.Join(b.Root, filepath.FromSlash(rel))).Sub(at).Abs() < burst.Within
}

// WhyBack says in words a person reads why the answers that a note has lost are held, or
// nothing. It touches the disk.
func (b *Bulk) WhyBack(rel string) string {
	now := time.Now()
	switch {
	case b.movedByGit(rel, now):
		return "git has put an earlier state of the note there; it ends by itself when the answer is back"
	case b.Arrivals.IsBack(rel, now):
		return fmt.Sprintf("more than wiki.limits.burst (%d) notes went back to an earlier state in a minute; it ends by itself when the answer is back", b.Limit)
	}
	return ""
}

// NoteStarted remembers what markers have become.
func (b *Bulk) NoteStarted(rel string, markers []note.Marker, d journal.Dispatch) {
	if d.Status != journal.Queued && d.Status != journal.Scheduled {
		return
	}
	for _, m := range markers {
		b.Settling.Arrival(rel, m).Start(d.ID)
	}
	b.Arrivals.Back(rel, time.Now()).Start(d.ID)
}
