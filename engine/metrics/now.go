package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"vaultdispatcher/engine/journal"
)

// now collects the present state at each request.
type now struct{ m *Metrics }

// describeNumber describes one of its numbers.
func describeNumber(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	dispatches = describeNumber("wiki_dispatches", "Dispatches of the journal by state, settling: markers.", "state")
	refusals   = describeNumber("wiki_refused_requests_total", "Requests that were turned away.", "code")
	hints      = describeNumber("wiki_watcher_hints_total", "The system's words that something may have changed.", "vault")
	misses     = describeNumber("wiki_watcher_misses_total", "Changes of which no hint told, found by a comparison.", "vault")
	notes      = describeNumber("wiki_index_notes", "Notes in the index.", "vault")
	size       = describeNumber("wiki_index_bytes", "Size of the index.", "vault")
)

// Describe implements [prometheus.Collector].
func (now) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{dispatches, refusals, hints, misses, notes, size} {
		to <- d
	}
}

// states are those that are told, zero or not, so that an alert may be set on each.
var states = []journal.Status{journal.Queued, journal.Processing, journal.Proposed, journal.Held, journal.Scheduled, journal.Done, journal.Failed, journal.Parked, journal.Cancelled}

// Collect implements [prometheus.Collector].
func (n now) Collect(to chan<- prometheus.Metric) {
	tell := func(of *prometheus.Desc, kind prometheus.ValueType, value int, label string) {
		to <- prometheus.MustNewConstMetric(of, kind, float64(value), strings.ToValidUTF8(label, "\uFFFD")) // a folder's name is bytes
	}
	settling := 0
	for _, v := range n.m.opts.Vaults() {
		settling += v.Settling
		tell(hints, prometheus.CounterValue, v.Hints, v.Name)
		tell(misses, prometheus.CounterValue, v.Misses, v.Name)
		tell(notes, prometheus.GaugeValue, v.Notes, v.Name)
		tell(size, prometheus.GaugeValue, v.Bytes, v.Name)
	}
	tell(dispatches, prometheus.GaugeValue, settling, "settling")
	for _, s := range states {
		tell(dispatches, prometheus.GaugeValue, (*n.m.counts.Load())[s], string(s))
	}
	for code, count := range n.m.opts.Refusals() {
		tell(refusals, prometheus.CounterValue, count, code)
	}
}
