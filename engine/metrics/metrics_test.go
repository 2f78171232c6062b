package metrics

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
)

func options() Options {
	return Options{
		Entry: config.Config{Agents: map[string]config.Agent{"Miner": {}, "Editor": {}, "Broadcaster": {}, "*": {}}}.EntryOf,
		Counts: func(context.Context) (map[journal.Status]int, error) {
			return map[journal.Status]int{journal.Held: 4}, nil
		},
		Vaults: func() []Vault {
			return []Vault{{Name: "Notes\xff \"a\\b\nc", Settling: 2, Hints: 3, Misses: 1, Notes: 5, Bytes: 4096}, {Name: "b"}}
		},
		Refusals: func() map[string]int { return map[string]int{"unauthorized": 7} },
	}
}

// read parses what a scrape gets, with Prometheus' own parser and the linter of promtool, as
// "name{label=value}" to value.
func read(t *testing.T, m *Metrics) map[string]float64 {
	t.Helper()
	p := m.writePage()
	if problems, err := promlint.New(bytes.NewReader(p.Bytes())).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("promtool would say %v %v", problems, err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(p.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Bytes())
	}
	numbers := make(map[string]float64)
	for name, f := range families {
		for _, one := range f.Metric {
			numbers[name+labelsOf(one)] = one.GetCounter().GetValue() + one.GetGauge().GetValue() + float64(one.GetHistogram().GetSampleCount())
		}
	}
	return numbers
}

func labelsOf(one *dto.Metric) (text string) {
	for _, l := range one.Label {
		text += fmt.Sprintf(" %s=%s", l.GetName(), l.GetValue())
	}
	return text
}

func expect(t *testing.T, got map[string]float64, want map[string]float64) {
	t.Helper()
	for name, value := range want {
		if is, ok := got[name]; !ok || is != value {
			t.Errorf("%s is %v (%v), want %v", name, is, ok, value)
		}
	}
}

func TestPage(t *testing.T) {
	m := New(options())
	d := journal.Dispatch{Role: "miner", Status: journal.Queued, Created: time.Now()}
	step := func(name string, s journal.Status) { d.Status = s; m.CountStep(name, d) }
	step("accepted", journal.Queued)
	d.Started = time.Now()
	step("started", journal.Processing)
	m.CountUsage("Miner", journal.Usage{Input: 100, Output: 20, Cost: 0.5})
	m.CountUsage("Miner", journal.Usage{Input: -9, Output: 1, Cost: -1}) // a program's nonsense takes nothing back
	step("answered", journal.Processing)
	step("swapping", journal.Processing)
	d.Finished = time.Now()
	step("written", journal.Done)
	d.Markers, d.NoResult = make([]journal.Marker, 2), 3
	step("told", journal.Done)
	expect(t, read(t, m), map[string]float64{
		"wiki_dispatches_total role=Miner state=queued":         1,
		"wiki_dispatches_total role=Miner state=processing":     1,
		"wiki_dispatches_total role=Miner state=done":           1,
		"wiki_dispatches_total role=Miner state=no_result":      1,
		"wiki_answer_seconds role=Miner":                        1,
		"wiki_dispatch_seconds role=Miner":                      1,
		"wiki_rewrites_total outcome=written":                   1,
		"wiki_agent_tokens_total kind=input role=Miner":         100,
		"wiki_agent_tokens_total kind=output role=Miner":        21,
		"wiki_agent_cost_usd_total role=Miner":                  0.5,
		"wiki_dispatches state=settling":                        2,
		"wiki_refused_requests_total code=unauthorized":         7,
		"wiki_watcher_hints_total vault=Notes\ufffd \"a\\b\nc":  3,
		"wiki_watcher_misses_total vault=Notes\ufffd \"a\\b\nc": 1,
		"wiki_index_notes vault=Notes\ufffd \"a\\b\nc":          5,
		"wiki_index_bytes vault=Notes\ufffd \"a\\b\nc":          4096,
		"wiki_index_bytes vault=b":                              0,
	})
}

// TestWritings: a part of the answers in the note is no answer in the note.
func TestWritings(t *testing.T) {
	m := New(options())
	for _, s := range []struct {
		step string
		is   journal.Status
	}{{"written", journal.Parked}, {"written", journal.Done}, {"parked", journal.Parked}, {"undone", journal.Cancelled}, {"kept", journal.Done}, {"overwritten", journal.Queued}} {
		m.CountStep(s.step, journal.Dispatch{Role: "Miner", Status: s.is})
	}
	expect(t, read(t, m), map[string]float64{
		"wiki_rewrites_total outcome=written": 1, "wiki_rewrites_total outcome=parked": 2, "wiki_rewrites_total outcome=undone": 1,
		"wiki_rewrites_total outcome=undo_refused": 1, "wiki_rewrites_total outcome=written_over": 1, "wiki_dispatch_seconds role=Miner": 1,
	})
}

// TestLabelsAreBounded: whoever writes notes does not decide how many series there are.
func TestLabelsAreBounded(t *testing.T) {
	m := New(options())
	before := 0
	for i := range 1000 {
		role := fmt.Sprintf("Role%d\xff", i)
		m.CountStep("accepted", journal.Dispatch{Role: role, Status: journal.Queued})
		m.CountUsage(role, journal.Usage{Input: 1})
		if i == 0 {
			before = len(read(t, m))
		}
	}
	m.CountStep("accepted", journal.Dispatch{Role: "*", Status: journal.Queued})
	m.CountStep("accepted", journal.Dispatch{Role: "podcast", Status: journal.Queued})
	got := read(t, m)
	if len(got) != before+1 {
		t.Errorf("%d series became %d", before, len(got))
	}
	expect(t, got, map[string]float64{"wiki_dispatches_total role=other state=queued": 1001, "wiki_dispatches_total role=Broadcaster state=queued": 1, "wiki_agent_tokens_total kind=input role=other": 1000})
}

// TestCountsOfTheJournal: they are asked for after steps, not by requests, and not more often than told.
func TestCountsOfTheJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		opts := options()
		opts.Counts = func(context.Context) (map[journal.Status]int, error) {
			n := int(asked.Add(1))
			if n == 2 {
				return nil, context.DeadlineExceeded
			}
			return map[journal.Status]int{journal.Queued: n}, nil
		}
		m := New(opts)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); m.Run(ctx) }()
		held := func(times, queued int) {
			t.Helper()
			synctest.Wait()
			if n := int(asked.Load()); n != times {
				t.Errorf("asked %d times, want %d", n, times)
			}
			expect(t, read(t, m), map[string]float64{"wiki_dispatches state=queued": float64(queued), "wiki_dispatches state=held": 0})
		}
		held(1, 1)
		time.Sleep(time.Hour)
		held(1, 1)
		for range 100 {
			m.CountStep("accepted", journal.Dispatch{Status: journal.Queued})
		}
		held(2, 1) // it failed: what was known stays
		m.CountStep("accepted", journal.Dispatch{Status: journal.Queued})
		held(2, 1)
		time.Sleep(5 * time.Second)
		held(3, 3)
		cancel()
		<-ended
	})
}

// TestTogether has everything happen at once, for the race detector.
func TestTogether(t *testing.T) {
	m := New(options())
	steps := []string{"accepted", "started", "answered", "written", "parked", "failed"}
	seed := testseed.Take(t)
	var all sync.WaitGroup
	for i := range 8 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		all.Go(func() {
			for range 200 {
				m.CountStep(steps[r.IntN(len(steps))], journal.Dispatch{Role: "Editor", Status: journal.Done})
				m.CountUsage("Editor", journal.Usage{Input: 1})
			}
		})
		all.Go(func() {
			for range 5 {
				m.writePage()
			}
		})
	}
	all.Wait()
	expect(t, read(t, m), map[string]float64{"wiki_agent_tokens_total kind=input role=Editor": 1600})
}
