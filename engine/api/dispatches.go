package api

import (
	"cmp"
	"time"
)

// Dispatch is the record of one group, without its texts.
type Dispatch struct {
	ID            string     `json:"id"`
	Vault         string     `json:"vault"`
	File          string     `json:"file"` // in the vault, with slashes
	Role          string     `json:"role"`
	TaskID        string     `json:"taskId"`
	Key           string     `json:"key"`
	Agent         string     `json:"agent"`
	Markers       int        `json:"markers"`
	Lines         []int      `json:"lines"`
	Instruction   string     `json:"instruction"`            // of the first marker, at most 80 characters
	Instructions  []string   `json:"instructions,omitempty"` // of all markers, at most 200 characters each; left out where that says no more
	Status        string     `json:"status"`
	Result        string     `json:"result,omitempty"`   // none: it is done, and its answers say that nothing was found or made; some: one of several has a result; undone: it is cancelled, for its answers were taken back
	NoResult      []int      `json:"noResult,omitempty"` // the questions without one, counted from 1
	Attempts      int        `json:"attempts"`
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	Runner        string     `json:"runner"`
	Trigger       string     `json:"trigger"` // watch, scan, reconcile, schedule, ask, agent, proof, retry
	CreatedAt     time.Time  `json:"createdAt"`
	StartedAt     *time.Time `json:"startedAt"`
	FinishedAt    *time.Time `json:"finishedAt"`
	Error         string     `json:"error,omitempty"`    // lastError where the record is the whole body
	Hold          *Hold      `json:"hold,omitempty"`     // while it is held
	Progress      string     `json:"progress,omitempty"` // how far an agent is that takes several steps
}

// Hold is why a dispatch is held.
type Hold struct {
	Kind   string `json:"kind"` // old, untrusted, burst, limit or budget
	Reason string `json:"reason"`
}

// Where names the note of a dispatch, or says that it was asked in none.
func (d Dispatch) Where() string { return cmp.Or(d.File, "no note") }

// ReleasedTogether are the kinds that are released all at once. A question that came with a note from elsewhere, or
// in a burst, counts as another person's words until a person has looked.
var ReleasedTogether = []string{"old", "limit"}

// Detail is one dispatch with its texts, for GET /vault-mind/dispatches/{id}.
type Detail struct {
	Dispatch
	Task    string   `json:"task"` // the prompt as it was sent; without history and passages when the answer cannot be undone any more
	Answers []Answer `json:"answers"`
	Steps   []Step   `json:"steps"`
	Diff    string   `json:"diff"`          // the change to the note, as - and + lines; empty before
	Cut     string   `json:"cut,omitempty"` // other text of the agent, such as its thoughts; it is in no note
	Usage   *Usage   `json:"usage,omitempty"`
	Sources []Source `json:"sources,omitempty"` // notes that its answers name
	NoUndo  string   `json:"noUndo,omitempty"`  // why it cannot be undone, one sentence
	NoRetry string   `json:"noRetry,omitempty"` // why it cannot be retried, one sentence
	Reading *Reading `json:"reading,omitempty"` // while it is held: what a person knows before it is released

	Answered bool `json:"answered,omitempty"` // its answers are known: what is left is to write them
	Undone   bool `json:"undone,omitempty"`   // its answers were taken back
}

// Usage is the cost of a dispatch's runs, as far as its agent reports it; zero means
// unknown.
type Usage struct {
	Model        string  `json:"model,omitempty"`
	InputTokens  int64   `json:"inputTokens"`
	OutputTokens int64   `json:"outputTokens"`
	CostUSD      float64 `json:"costUsd"`
}

// Answer is what one marker asked and got.
type Answer struct {
	Line        int    `json:"line"`
	Instruction string `json:"instruction"`
	Answer      string `json:"answer,omitempty"`
	Written     bool   `json:"written"`

	Cleaned []string `json:"cleaned,omitempty"` // the changes to it before it was written, with the reason, one sentence each
}

// Step is one line of a dispatch's history.
type Step struct {
	At     time.Time `json:"at"`
	Step   string    `json:"step"`
	Detail string    `json:"detail,omitempty"`
}

// Filter narrows a list of dispatches; zero values do not filter.
type Filter struct {
	Status string
	Vault  string // its name
	File   string // the note's path in its vault, with slashes
	Query  string // each of its words is found in note path, role or one instruction
	Limit  int    // 0 = UsualListed
}

const (
	// UsualListed is how many dispatches a list begins with, and MostListed how many
	// it holds at most.
	UsualListed = 50
	MostListed  = 1000
)

// StatusWords are the words a dispatch's status can be.
var StatusWords = []string{"settling", "queued", "processing", "proposed", "scheduled", "done", "failed", "held", "parked", "cancelled"}

// DispatchList is the answer of GET /vault-mind/dispatches.
type DispatchList struct {
	Dispatches []Dispatch `json:"dispatches"`
}

// DispatchBody and DetailBody are records as whole bodies. A client takes a key
// "error" at the top for a failure of the call, so theirs is called lastError.
type DispatchBody struct {
	Dispatch
	Error     *string `json:"error,omitempty"` // hides the record's
	LastError string  `json:"lastError,omitempty"`
}

// Record returns the dispatch with its error in its place.
func (b DispatchBody) Record() Dispatch {
	b.Dispatch.Error = b.LastError
	return b.Dispatch
}

// DetailBody is a [Detail] as a whole body.
type DetailBody struct {
	Detail
	Error     *string `json:"error,omitempty"` // hides the record's
	LastError string  `json:"lastError,omitempty"`
}

// Record returns the dispatch and its texts with its error in its place.
func (b DetailBody) Record() Detail {
	b.Detail.Error = b.LastError
	return b.Detail
}

// MostAnswers is how many parked dispatches a list of answers holds, the newest ones.
const MostAnswers = 200

// AnswerList is the answer of GET /vault-mind/answers.
type AnswerList struct {
	Answers []Parked `json:"answers"`
}

// Parked is a dispatch with answers that are in no note.
type Parked struct {
	Dispatch
	Answers []Answer `json:"answers"`
}
