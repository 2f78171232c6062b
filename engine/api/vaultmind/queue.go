package vaultmind

import (
	"slices"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// statusWords are our words for each of the plugin's. What settles has no id yet.
var statusWords = map[string][]string{
	"pending":   {"queued", "held", "proposed", "scheduled"},
	"running":   {"processing"},
	"done":      {"done", "parked"},
	"failed":    {"failed"},
	"cancelled": {"cancelled"},
}

// jobStatus is the plugin's word for one of ours.
func jobStatus(ours string) string {
	for theirs, words := range statusWords {
		if slices.Contains(words, ours) {
			return theirs
		}
	}
	return "pending"
}

// listJobs answers GET /agent/queue: a bare array, the newest first.
func (c *calls) listJobs(call server.Call) (any, error) {
	q, err := server.ReadQuery(call.Request)
	if err != nil {
		return nil, err
	}
	words := []string{""} // any
	if asked := q.Get("status"); asked != "" {
		if words = statusWords[asked]; words == nil {
			return nil, &api.Invalid{Reason: "\"status\" must be one of pending, running, done, failed, cancelled."}
		}
	}
	var found []api.Dispatch
	for _, word := range words {
		list, err := c.backend.Dispatches(call.Request.Context(), api.Filter{Status: word, Limit: api.UsualListed})
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	slices.SortStableFunc(found, func(a, b api.Dispatch) int { return b.CreatedAt.Compare(a.CreatedAt) })
	jobs := []Job{}
	for _, d := range server.Brief(found) {
		jobs = append(jobs, jobOf(d))
	}
	return jobs, nil
}
