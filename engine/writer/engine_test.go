package writer

import (
	"errors"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// quietEngine is an engine whose vaults are there and whose notes tell nothing.
type quietEngine struct {
	whyBack    func() string
	isSought   func() bool
	undoFailed func(d journal.Dispatch, reason string)
}

func (e quietEngine) WhyBack(string, string) string {
	if e.whyBack == nil {
		return ""
	}
	return e.whyBack()
}
func (quietEngine) IsAwayOnDisk(string) bool                   { return false }
func (e quietEngine) IsSought(string, string) bool             { return e.isSought != nil && e.isSought() }
func (quietEngine) MarkUnreachable(string)                     {}
func (quietEngine) WillReplace(string, string, [32]byte, bool) {}
func (quietEngine) BothKept(string, string)                    {}
func (e quietEngine) UndoFailed(d journal.Dispatch, reason string) {
	if e.undoFailed != nil {
		e.undoFailed(d, reason)
	}
}
func (quietEngine) ReadForProgress(string, string) ([]byte, time.Time, error) {
	return nil, time.Time{}, errors.New("nothing is told in it")
}
func (quietEngine) MissedIn(string, string, *note.Page) ([]Missed, bool) { return nil, false }
