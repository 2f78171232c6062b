package api

import "slices"

// Finding is one thing the doctor has found, in words.
type Finding struct {
	Check string `json:"check"` // the subject of the check
	Level string `json:"level"` // ok, note, warning or problem
	Text  string `json:"text"`  // one sentence
	Next  string `json:"next"`  // one step; empty where there is nothing to do
}

// levels are those of findings, the worst first.
var levels = []string{"problem", "warning", "note", "ok"}

// CompareLevels orders findings by their levels as a person reads them, the worst first.
func CompareLevels(a, b string) int { return slices.Index(levels, a) - slices.Index(levels, b) }
