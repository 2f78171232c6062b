// Package follow moves questions along with their text: when their note is renamed, when one note
// replaces another, and when a selection with a question is moved into a new note.
//
//	f := follow.New(opts, vault)
//	moved, err := f.FollowNote(ctx, "b.md", page, claims)  // at each look: the former note's questions move along
//	left, again, err := f.TakeMoved(ctx, looked, ready)   // the settled markers that are new
//
// A rename is the end of one note and the start of another. Its questions move along: a free
// marker that has the line and the surroundings of a claim whose note is gone is the claimed one.
//
// # Promises
//
// A question that was accepted is not asked again because its note has another name. An uncertain
// match is left alone. A look at a note costs by its size, and by the number of notes with claims
// that are missing. One goroutine at a time uses a follower. It touches the disk and the journal.
package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/settle"
)

// For is how long the questions of a missing note are looked for in others, at least as long as
// they settle there. While changed notes are not looked at in time, they are looked for longer,
// at most for AtMost: a late note may have them.
const (
	For       = burst.Within
	AtMost    = 10 * For
	unnoticed = 10 * time.Second // from the end of a note to the look at its successor
)

// Vault is what following asks of the vault whose notes are followed.
type Vault interface {
	IsWatched() bool

	// IsBehind reports whether notes that have changed are not looked at in time.
	IsBehind() bool

	// LookAt has a note looked at once more at that time.
	LookAt(rel string, at time.Time)

	// QuestionMoved says that the question of a dispatch is in another note now, NoteRenamed that
	// what is known of a note is another's.
	QuestionMoved(dispatch, rel string)
	NoteRenamed(ctx context.Context, from string) error
}

// Options are what a follower works with; it shares them with its vault.
type Options struct {
	Journal  Journal
	Root     string // of the vault
	Disk     Disk
	Settling *settle.Markers
	Arrivals *burst.Watch
	Copied   Copies
	Parse    func(page *note.Page, claims []journal.Claim, asked map[string]map[string]bool) note.Doc // past.ParseAsAsked
	Log      *slog.Logger
}

// Journal is what following asks of the journal ([journal.Journal]).
type Journal interface {
	Claims(ctx context.Context, vault, file string) ([]journal.Claim, error)
	Move(ctx context.Context, dispatch, file string, equal map[string]int) (bool, error)
	MoveNote(ctx context.Context, vault, from, to string, equal map[string]int) ([]journal.Dispatch, error)
	AnsweredIn(ctx context.Context, vault string, since time.Time) ([]string, error)
	WrittenInto(ctx context.Context, vault, file string) ([]journal.Dispatch, error)
}

// Disk is the folder of the vault, as following reads it.
type Disk interface {
	Read(rel string) ([]byte, error)
	Stat(rel string) (os.FileInfo, error)
}

// Copies say which notes are copies of others.
type Copies interface {
	IsOf(ctx context.Context, rel, original string) (bool, error)
	FindVersion(rel string, settle time.Duration) (original, by string, again time.Duration)
}

// Follower knows which notes have claims in the journal, and which of them are gone.
type Follower struct {
	opts      Options
	vault     Vault
	memory    *memory
	trail     *trail    // notes that went
	mostAlike int       // notes that are compared by one key; a test has fewer
	undecided time.Time // when it is known whether the note that was read last was another one; zero = it is
}

// New returns the follower of a vault.
func New(opts Options, vault Vault) *Follower {
	lookFor := max(For, opts.Settling.Longest()+unnoticed)
	f := &Follower{opts: opts, vault: vault, memory: newMemory(opts.Settling.Wait, lookFor), mostAlike: mostAlike}
	f.trail = newTrail(trail{memory: f.memory, journal: opts.Journal, root: opts.Root, isGone: f.IsGone, stat: opts.Disk.Stat,
		wake: func(rel string) { vault.LookAt(rel, time.Now()) }, isCopy: opts.Copied.IsOf, isBehind: vault.IsBehind})
	return f
}

// Track records that a note may have a new claim; each caller that adds one calls it.
func (f *Follower) Track(rel string) { f.memory.Track(rel) }

// HasClaims reports whether a note may have a claim.
func (f *Follower) HasClaims(rel string) bool { return f.memory.Of(rel).isClaimed }

// ReadClaims returns the claims on a note.
func (f *Follower) ReadClaims(ctx context.Context, rel string) ([]journal.Claim, error) {
	if !f.HasClaims(rel) {
		return nil, nil
	}
	claims, err := f.opts.Journal.Claims(ctx, f.opts.Root, rel)
	if err != nil {
		return nil, fmt.Errorf("read the claims on %s: %w", rel, err)
	}
	if f.memory.Read(rel, claims); len(claims) == 0 {
		f.trail.Unclaimed(rel)
		f.endSearch(rel)
	}
	return claims, nil
}

// IsGone reports whether there is no note at a path any more. On a disk that ignores case, a note
// that was renamed to another case still answers to its old name.
func (f *Follower) IsGone(rel string) bool {
	info, err := f.opts.Disk.Stat(rel)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	for other := range f.opts.Settling.ListSpellings(rel) {
		if other != rel {
			same, err := f.opts.Disk.Stat(other)
			return err == nil && os.SameFile(info, same)
		}
	}
	return false
}

// Begin is called before every note is read once, with all there are, and End after it.
func (f *Follower) Begin(ctx context.Context, notes []string) error { return f.trail.Begin(ctx, notes) }

// End is called when every note was read once.
func (f *Follower) End() { f.trail.End() }

// ListLost looks for the notes that now have the questions of missing notes, and returns the
// notes that are still missing. there are the notes of the vault: it is unknown since when any
// other note is gone.
func (f *Follower) ListLost(ctx context.Context, there map[string]bool) ([]string, error) {
	f.trail.Sweep()
	strays, err := f.findStrays(ctx, f.memory.list(func(s noteState) bool { return s.isClaimed }))
	if err == nil {
		var finds []Find
		notes, _ := f.opts.Settling.NotesWith(keysOfStrays(strays, nil), "", math.MaxInt)
		if finds, err = f.readFinds(ctx, notes, strays); err == nil {
			_, err = f.takeStrays(ctx, strays, finds, "", nil)
		}
	}
	for _, rel := range f.memory.list(func(s noteState) bool { return s.isSuspect }) {
		if !there[rel] && f.IsGone(rel) {
			f.memory.Edit(rel, func(s *noteState) { s.isMissing, s.missingSince = true, time.Time{} })
		}
	}
	return f.memory.list(func(s noteState) bool { return s.isMissing }), err
}

// endSearch says that the questions of a note are not looked for in others any more.
func (f *Follower) endSearch(rel string) {
	f.memory.Edit(rel, func(s *noteState) { s.isMissing, s.missingSince = false, time.Time{} })
}

// Went says that the watcher has seen a note go. It touches neither the disk nor the journal.
func (f *Follower) Went(rel string) {
	f.trail.Went(rel)
	f.memory.Suspect(rel)
}

// Stands says that a note was read.
func (f *Follower) Stands(rel string) {
	f.undecided = time.Time{}
	f.endSearch(rel)
	f.memory.Stands(rel)
	if f.memory.Of(rel).isSuspect && !f.IsGone(rel) {
		f.memory.Found(rel)
	}
}

// unfinished is how long a note app may be between two writes that belong together: a note with
// claims that it has emptied is not written again yet, or the question that it has written into a
// new note is still in the old one.
const unfinished = 5 * time.Second

// EmptyUntil returns when a note with claims that is empty is to be looked at again; zero where
// it is not empty, or has been for so long that it is believed.
func (f *Follower) EmptyUntil(rel string, isEmpty bool) time.Time {
	since := f.memory.Of(rel).emptySince
	switch {
	case !isEmpty:
		since = time.Time{}
	case since.IsZero():
		since = time.Now()
	}
	f.memory.Edit(rel, func(s *noteState) { s.emptySince = since })
	if !isEmpty || time.Since(since) >= unfinished {
		return time.Time{}
	}
	return since.Add(unfinished)
}

// Gone says that a note with so many claims was not found. While it may yet come back, or its
// questions may be found elsewhere, left is when to look again; they are given up when that is
// not positive.
func (f *Follower) Gone(ctx context.Context, rel string, claims int) (left time.Duration, err error) {
	f.memory.Edit(rel, func(s *noteState) { s.emptySince = time.Time{} })
	err = f.trail.Gone(ctx, rel)
	if claims == 0 {
		f.endSearch(rel)
		return 0, err
	}
	f.memory.Suspect(rel)
	f.memory.UntilGone(rel)
	if !f.memory.Of(rel).isMissing {
		f.memory.Edit(rel, func(s *noteState) { s.isMissing, s.missingSince = true, time.Now() })
	}
	gone := time.Since(f.memory.Of(rel).missingSince)
	if left = f.memory.lookFor - gone; left <= 0 && gone < AtMost && f.vault.IsBehind() {
		left = For
	}
	if left <= 0 {
		f.endSearch(rel)
		f.memory.Stands(rel)
	}
	return left, err
}

// IsSought reports whether the questions of a note that is gone are looked for in others.
func (f *Follower) IsSought(rel string) bool { return f.memory.Of(rel).isMissing }

// FollowNote takes along what is known of the note that this one was before, if that is gone, or
// takes back the questions that were followed from it. It reports whether there was anything: the
// claims on the note are others then.
func (f *Follower) FollowNote(ctx context.Context, rel string, page *note.Page, claims []journal.Claim) (moved bool, err error) {
	moved, err = f.takeNote(ctx, rel, page, claims)
	if !moved && err == nil {
		moved, err = f.takeBack(ctx, rel, page, claims)
	}
	return moved, err
}

// Became returns the new name of a note that was renamed within ten minutes, or "".
func (f *Follower) Became(rel string) string { return f.trail.Became(rel) }

// Looked is a note that is being looked at.
type Looked struct {
	Rel     string
	Page    *note.Page
	Doc     note.Doc
	Urgent  bool               // a person asks for it: nothing waits
	Recheck func(at time.Time) // has it looked at again at that time, as now
}

// TakeMoved looks for the questions of notes that are gone, and of selections that were moved,
// among the markers of a note that are ready: their dispatches, and what is known of the note if
// it had another name, move here. It returns the markers that are no dispatch's after that; again
// says that some have moved, so that the note has to be read and looked at anew.
func (f *Follower) TakeMoved(ctx context.Context, n Looked, ready []note.Marker) (left []note.Marker, again bool, err error) {
	if len(ready) == 0 {
		return nil, false, nil
	}
	if err := f.readUnread(ctx); err != nil {
		return nil, false, err
	}
	if ready, err = f.followSelection(ctx, n, ready); len(ready) == 0 || err != nil {
		return nil, false, err
	}
	some, err := f.followQuestions(ctx, n.Rel, ready, f.opts.Settling.FirstLook(n.Rel, ready...))
	ready = f.memory.DropWaiting(ready)
	if some || err != nil {
		return nil, some, err // an answer that has waited may be written by now: then the claim is gone, and Page is out of date
	}
	claims, err := f.ReadClaims(ctx, n.Rel)
	if err != nil {
		return nil, false, err
	}
	again, err = f.takeNote(ctx, n.Rel, n.Page, claims)
	if !n.Urgent && !f.undecided.IsZero() {
		ready = nil // they may be questions of the note that this one was, whatever is around them by now
	}
	return ready, again, err
}
