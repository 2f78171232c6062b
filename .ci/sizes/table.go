package main

import (
	"fmt"
	"log"
	"maps"
	"slices"
	"time"
)

func median(list []time.Duration) time.Duration { return at(list, 0.5) }

func p95(list []time.Duration) time.Duration { return at(list, 0.95) }

func at(list []time.Duration, part float64) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[int(part*float64(len(list)-1)+0.5)].Round(10 * time.Microsecond)
}

// aims are what the rows are to come to in a vault of 10,000 notes; those without one have no aim. t is one fsync.
var aims = map[string]string{
	"marker saved after the first start": "2.6 s; 3 s with 100,000",
	"all read and indexed":               "2 times FTS5; 150 s with 100,000",
	"start with nothing changed":         "3 times a stat pass",
	"start soon after an answer":         "3 times a stat pass",
	"idle":                               "< 1 wakeup, < 10 ms",
	"save to agent, beyond settle":       "p50 8 ms + t, p95 25 ms + 2 t",
	"CPU of a dispatch":                  "40 ms",
	"burst":                              ">= 45 answers a second",
	"queue empty":                        "1 s after",
	"a person's save inside it":          "1 s",
	"status meanwhile":                   "p95 3 ms",
	"a thousand at once":                 "min(120, 1 / (4 t)) answers a second",
	"a marker behind copied notes":       "0.5 s",
	"the journal":                        "2.5 KB",
	"status, idle":                       "p50 0.5 ms",
	"query in process, words: 1":         "2 ms, 3 times FTS5",
	"query in process, words: 3":         "5 ms",
	"query in process, words: 8":         "10 ms",
	"MCP search":                         "10 ms",
	"wiki notify":                        "35 ms",
	"wiki status":                        "35 ms",
	"wiki why":                           "35 ms",
	"the engine's program":               "36 MB",
	"the README's first command":         "220 s of CPU, 700 MB in all",
	"polling":                            "2 % of a core",
}

// printed are the rows that have an aim and were printed.
var printed = make(map[string]bool)

// row prints one line of the table; durations are rounded.
func row(what, format string, args ...any) {
	printed[what] = true
	for i, a := range args {
		if d, ok := a.(time.Duration); ok {
			args[i] = d.Round(10 * time.Microsecond)
		}
	}
	fmt.Printf("| %-36s | %-90s | %s |\n", what, fmt.Sprintf(format, args...), aims[what])
}

// tellUnmeasured prints the rows that this run has left out, so that no aim is forgotten.
func tellUnmeasured() {
	for _, what := range slices.Sorted(maps.Keys(aims)) {
		if !printed[what] {
			row(what, "not measured in this run")
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
