package server

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

type lockedError bool

func (lockedError) Error() string    { return "database is locked (5) (SQLITE_BUSY)" }
func (l lockedError) IsLocked() bool { return bool(l) }

// A journal that another program holds locked is no fault of ours: the call says so and when to try again, without
// SQLite's words.
func TestLockedJournalIsTold(t *testing.T) {
	got := statusOf(fmt.Errorf("accept a question: %w", lockedError(true)))
	if got.Status != http.StatusServiceUnavailable || got.Code != "busy" || !strings.Contains(got.Text, "locked; end it") || strings.Contains(got.Text, "SQLITE") {
		t.Errorf("%+v", got)
	}
	for _, err := range []error{lockedError(false), errors.New("database is locked")} {
		if got := statusOf(err); got.Status != http.StatusInternalServerError {
			t.Errorf("%v: %+v", err, got)
		}
	}
}
