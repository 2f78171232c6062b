// Package notices remembers what a person should know.
//
// Some notices are told once ([Board.Tell]) and stay until they are dismissed or ended;
// the others are true when the status is asked for ([Board.List]), and the board
// remembers only since when. The board also tells who follows the status that it is another. A Board is safe for concurrent use.
package notices

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/syserr"
)

// Board holds notices. The zero Board is empty and ready for use.
type Board struct {
	Follow  func()        // is called when the status is another; nil = no follower yet
	changes atomic.Uint64 // of what the status tells

	mu        sync.Mutex // guards what follows
	notices   []api.Notice
	starts    map[string]time.Time // start of each notice that is true now, by ID
	dismissed map[string]bool      // by ID, as long as they are true
}

// Tell adds a notice, or replaces the one about the same thing.
func (b *Board) Tell(notice api.Notice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	notice.Start = time.Now().UTC()
	b.notices = slices.DeleteFunc(b.notices, func(t api.Notice) bool { return t.ID == notice.ID })
	b.notices = append(b.notices, notice)
	delete(b.dismissed, notice.ID)
}

// AddNotice tells a notice; the arguments are those of [api.NewNotice].
func (b *Board) AddNotice(code string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = syserr.Plain(err)
		}
	}
	b.Tell(api.NewNotice(code, args...))
	b.StatusChanged()
}

// Say has the status show one sentence of the engine's starter, until the next one; an empty one ends it.
func (b *Board) Say(sentence string) {
	b.End(func(n api.Notice) bool { return n.Code == api.NoticeStarter })
	if sentence != "" {
		b.Tell(api.NewNotice(api.NoticeStarter, "text", sentence))
	}
	b.StatusChanged()
}

// StatusChanged tells the followers of the events that the status has changed. Every part that changes the status calls it:
// the journal after every write, watchers, indexes and switches, and a look at a note. It never waits.
func (b *Board) StatusChanged() {
	b.changes.Add(1)
	if b.Follow != nil {
		b.Follow()
	}
}

// Changes is how often the status has changed.
func (b *Board) Changes() uint64 { return b.changes.Load() }

// End removes the notices that are over.
func (b *Board) End(isOver func(api.Notice) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notices = slices.DeleteFunc(b.notices, isOver)
}

// List returns all notices, those that were told first, given those that are true now.
func (b *Board) List(now []api.Notice) []api.Notice {
	b.mu.Lock()
	defer b.mu.Unlock()
	since, dismissed := make(map[string]time.Time), make(map[string]bool)
	all := slices.Concat(b.notices, now)
	for i := range all {
		row := &all[i]
		if row.Start.IsZero() {
			row.Start = cmp.Or(b.starts[row.ID], time.Now().UTC())
			since[row.ID] = row.Start
		}
		if row.Dismissed = b.dismissed[row.ID]; row.Dismissed {
			dismissed[row.ID] = true
		}
	}
	b.starts, b.dismissed = since, dismissed
	return all
}

// Dismiss marks a notice as read and reports whether there is one with that ID.
func (b *Board) Dismiss(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, isTrue := b.starts[id]
	if !isTrue && !slices.ContainsFunc(b.notices, func(t api.Notice) bool { return t.ID == id }) {
		return false
	}
	if b.dismissed == nil {
		b.dismissed = make(map[string]bool)
	}
	b.dismissed[id] = true
	return true
}
