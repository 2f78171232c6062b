package main

import (
	"fmt"
	"log"
	"slices"
	"time"
)

func median(list []time.Duration) time.Duration { return at(list, 0.5) }

func p95(list []time.Duration) time.Duration { return at(list, 0.95) }

func at(list []time.Duration, part float64) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[int(part*float64(len(list)-1)+0.5)].Round(10 * time.Microsecond)
}

// row prints one line of the table; durations are rounded.
func row(what, format string, args ...any) {
	for i, a := range args {
		if d, ok := a.(time.Duration); ok {
			args[i] = d.Round(10 * time.Microsecond)
		}
	}
	fmt.Printf("%-34s %s\n", what, fmt.Sprintf(format, args...))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
