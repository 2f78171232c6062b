package metrics

import "vaultdispatcher/engine/journal"

// states are those that are told, zero or not, so that an alert may be set on each.
var states = []journal.Status{journal.Queued, journal.Processing, journal.Proposed, journal.Held, journal.Scheduled, journal.Done, journal.Failed, journal.Parked, journal.Cancelled}

// readNow returns the present state.
func (m *Metrics) readNow() []*family {
	dispatches := newFamily("gauge", "wiki_dispatches", "Dispatches of the journal by state, settling: markers.", "state")
	refusals := newFamily("counter", "wiki_refused_requests_total", "Requests that were turned away.", "code")
	hints := newFamily("counter", "wiki_watcher_hints_total", "The system's words that something may have changed.", "vault")
	misses := newFamily("counter", "wiki_watcher_misses_total", "Changes of which no hint told, found by a comparison.", "vault")
	notes := newFamily("gauge", "wiki_index_notes", "Notes in the index.", "vault")
	size := newFamily("gauge", "wiki_index_bytes", "Size of the index.", "vault")
	settling := 0
	for _, v := range m.opts.Vaults() {
		settling += v.Settling
		hints.count(v.Name).Set(uint64(v.Hints))
		misses.count(v.Name).Set(uint64(v.Misses))
		notes.count(v.Name).Set(uint64(v.Notes))
		size.count(v.Name).Set(uint64(v.Bytes))
	}
	dispatches.count("settling").Set(uint64(settling))
	for _, s := range states {
		dispatches.count(string(s)).Set(uint64((*m.counts.Load())[s]))
	}
	for code, count := range m.opts.Refusals() {
		refusals.count(code).Set(uint64(count))
	}
	return []*family{dispatches, refusals, hints, misses, notes, size}
}
