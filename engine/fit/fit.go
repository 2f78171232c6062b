// Package fit makes the parts of a task fit into what a model reads at once.
//
// [NewSpace] measures, the methods of [Space] then take what belongs to a task, the most
// important first, and leave out what does not fit. [Space.Fit] says what that was, and
// [Fits] remembers it for the status.
package fit

import (
	"strings"
	"sync"
)

// bytesPerToken is less than most texts have, so that what fits by it fits: English has
// about four (https://platform.openai.com/tokenizer), Chinese three of one character.
const bytesPerToken = 3

// mostAnswer bounds the tokens that are left for an answer, which are a quarter of all.
const mostAnswer = 4096

// RoomOf returns how many bytes of text a model that reads so many tokens at once can be
// given, when there is to be room for its answer.
func RoomOf(tokens int) int {
	return (tokens - min(tokens/4, mostAnswer)) * bytesPerToken
}

// fitContext cuts the text of a window to a number of bytes. The places of the requests
// stay, and the lines that are nearest to one of them.
func fitContext(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	lines := strings.Split(text, "\n")
	kept := make([]bool, len(lines))
	keep := func(i int) {
		if kept[i] = len(lines[i])+1 <= bytes; kept[i] {
			bytes -= len(lines[i]) + 1
		}
	}
	for i, line := range lines {
		if kept[i] = strings.HasPrefix(line, "[Request "); kept[i] {
			bytes -= len(line) + 1
		}
	}
	for grown := true; grown; {
		grown = false
		was := append([]bool(nil), kept...)
		for i := range lines {
			if !was[i] && (i > 0 && was[i-1] || i+1 < len(lines) && was[i+1]) {
				keep(i)
				grown = grown || kept[i]
			}
		}
	}
	var out []string
	for i, line := range lines {
		if kept[i] {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// Fit is what is known of how the tasks of a role fit into its model.
type Fit struct {
	Tokens int    // that the model reads at once; 0 = not known
	Cut    string // the parts left out of the last task; "" = none
}

// Fits remembers the last fit of each role. It is safe for concurrent use.
type Fits struct {
	mu   sync.Mutex // guards fits
	fits map[string]Fit
}

// Keep replaces the fit of a role, whatever its case.
func (f *Fits) Keep(role string, fit Fit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fits == nil {
		f.fits = make(map[string]Fit)
	}
	f.fits[strings.ToLower(role)] = fit
}

// Of returns the fit of a role; zero where it was not asked yet.
func (f *Fits) Of(role string) Fit {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fits[strings.ToLower(role)]
}
