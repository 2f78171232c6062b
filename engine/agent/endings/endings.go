// Package endings knows how agents end: what the words of their protocols mean for an answer,
// and what servers and programs say instead of one.
//
// A protocol is a [Table] of the words that it has for the end of an answer. A [Refusal] is what came
// instead; [Refusal.Kind] says what follows from it.
//
// # Promises
//
// A word that is not in a table means that the answer was broken off. A refusal is judged in three steps: by the
// names of its error, except for names that only mean failure; then by words that always mean the same; then by these
// names and the status, because servers send all of them under any status.
package endings

import "strings"

// Meaning is what an end means for the answer before it.
type Meaning int

const (
	BrokenOff Meaning = iota // it is not known to be whole; another try may bring all of it
	Formless                 // its agent ended well, and it cannot be read; its form may be asked for
	Whole                    // it is all that was to be said
	Limited                  // a limit was reached before it was complete; another try reaches it too
	Final                    // there will be no answer
)

// End is one way to end, a row of a [Table]. The zero value is an unknown end.
type End struct {
	Meaning Meaning
	Says    string // the sentence behind the agent's name, with the next step; "" = the usual words
}

// Ways to end that several protocols have.
var (
	Good    = End{Meaning: Whole}
	Tokens  = End{Limited, "came to its limit of tokens before its answer was complete; let it write or read more (max_tokens, num_predict, num_ctx)"}
	Steps   = End{Limited, "came to its limit of steps before its answer was complete"}
	Decline = End{Final, "declined to answer"}
)

// Table is a protocol's words for the end of an answer, in lower case.
type Table map[string]End

// Find returns the row of a word, in any case.
func (t Table) Find(word string) End { return t[strings.ToLower(strings.TrimSpace(word))] }
