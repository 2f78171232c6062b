package arrival

import (
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Meeting is what stands in the notes of a vault that is first watched. [NewMeeting] begins one; one goroutine at a time uses it.
type Meeting struct {
	At       time.Time
	arrivals []journal.Arrival
	old      map[string]int // the markers of a note that stood there before
	all      bool           // few wait as well
}

// NewMeeting begins the meeting of a vault at a time; all says that old markers wait however few they are.
func NewMeeting(at time.Time, all bool) *Meeting {
	return &Meeting{At: at, old: make(map[string]int), all: all}
}

// AddTheirs adds a note from elsewhere.
func (m *Meeting) AddTheirs(rel string, src []byte) {
	m.arrivals = append(m.arrivals, New(rel, m.At, src))
}

// AddOld adds a note whose markers stood there before the vault was given to an engine.
func (m *Meeting) AddOld(rel string, markers []note.Marker) {
	if len(markers) > 0 {
		m.arrivals, m.old[rel] = append(m.arrivals, OfVault(rel, m.At, markers)), len(markers)
	}
}

// End returns what is to be remembered, and how many old markers wait: none where they are [Few], unless all do. Nothing
// waits in a note of which as many have started early.
func (m *Meeting) End(early map[string]int) (arrivals []journal.Arrival, waiting int) {
	for rel, n := range m.old {
		if n > early[rel] {
			waiting += n
		}
	}
	if waiting <= Few && !m.all {
		waiting = 0
	}
	return slices.DeleteFunc(slices.Clone(m.arrivals), func(a journal.Arrival) bool {
		return a.Kind == journal.ForOld && (waiting == 0 || m.old[a.File] <= early[a.File])
	}), waiting
}
