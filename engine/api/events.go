package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// The events of GET /vault-mind/events, by name. Each carries JSON.
const (
	SnapshotEvent = "snapshot" // a [Status]
	ChangeEvent   = "state"    // a [StateEvent]
	DispatchEvent = "dispatch" // a [Dispatch] that is new or has changed
)

const (
	// Heartbeat is how long a stream is silent at most, so that both ends notice when
	// the other is gone.
	Heartbeat = 8 * time.Second

	// LookTime is how long the server may take for one look at the state.
	LookTime = 10 * time.Second

	// MostFollowed is the number of ended dispatches that a follower keeps.
	MostFollowed = 200
)

// StateEvent is what an event "state" carries: all of the state but its dispatches.
// Those come one by one, as "dispatch".
type StateEvent struct {
	Vaults  []Vault  `json:"vaults"`
	Watcher Watcher  `json:"watcher"`
	Queue   Queue    `json:"queue"`
	Agents  []Agent  `json:"agents"`
	Index   Index    `json:"index"`
	Notices []Notice `json:"notices"`
	Budgets []Budget `json:"budgets"`

	Schedule []Scheduled `json:"schedule"`

	NotTaken      []Untaken `json:"notTaken"`
	NotTakenCount int       `json:"notTakenCount"`

	Dashboard bool `json:"dashboard"`
}

// Apply updates a status by an event. An event of an unknown kind changes nothing.
func (s *Status) Apply(name string, data []byte) (err error) {
	switch name {
	case SnapshotEvent:
		*s = Status{}
		err = json.Unmarshal(data, s)
	case ChangeEvent:
		var c StateEvent
		err = json.Unmarshal(data, &c)
		s.Vaults, s.Watcher, s.Queue, s.Agents = c.Vaults, c.Watcher, c.Queue, c.Agents
		s.Index, s.Notices, s.Budgets, s.Dashboard = c.Index, c.Notices, c.Budgets, c.Dashboard
		s.Schedule = c.Schedule
		s.NotTaken, s.NotTakenCount = c.NotTaken, c.NotTakenCount
	case DispatchEvent:
		var d Dispatch
		err = json.Unmarshal(data, &d)
		s.Dispatches = withRecord(s.Dispatches, d)
	}
	if err != nil {
		return fmt.Errorf("read an event of the engine: %w", err)
	}
	return nil
}

// withRecord returns a list, the newest first, with a record in its place. Very old ones
// that have ended are left out.
func withRecord(list []Dispatch, d Dispatch) []Dispatch {
	at := slices.IndexFunc(list, func(other Dispatch) bool { return other.ID == d.ID })
	if at >= 0 {
		list = slices.Clone(list)
		list[at] = d
		return list
	}
	at = slices.IndexFunc(list, func(other Dispatch) bool { return !other.CreatedAt.After(d.CreatedAt) })
	if at < 0 {
		at = len(list)
	}
	list = slices.Insert(slices.Clone(list), at, d)
	for i := len(list) - 1; i >= MostFollowed-1 && len(list) > MostFollowed; i-- {
		if i != at && list[i].Status != "queued" && list[i].Status != "processing" {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}
