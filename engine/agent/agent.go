// Package agent is the boundary to whatever answers a task: the text a task is
// made of, the reply that comes back, and the runner between the two.
//
// Most callers need two calls: [NewTask] builds the payload from a group and its
// context windows, [ParseReply] turns a reply into one answer per request. A
// [Runner] carries a task to a program or a model; [Command] is the one for any
// program that reads its prompt on standard input. A reply that cannot be read
// is asked for once more with [RepairTask]; in chain mode [Task.WithPrevious]
// hands the answer of one group to the next.
//
// # Promises
//
// A note cannot talk its way out of its place in a prompt. Everything that is
// not the user's own instruction stands in a fence whose name is drawn at random
// for the task and never occurs in the text inside; invisible characters are
// taken out; and nothing but the requests themselves has the form
// "Request <i> (Line <n>):".
//
// A reply is read whole or not at all: [ParseReply] returns exactly one
// non-empty answer for every request, or one sentence that says what is wrong.
//
// A run always ends. A program is held to a timeout and an output limit, its
// process group ends with it, and its failures come back as a [*Failure] that
// says whether another try makes sense.
package agent

import (
	"context"
	"fmt"
	"time"
)

// Task is the payload of one group. The three fields with JSON names are what a
// subagent tool is given; the rest is for runners that need more than text.
// A Task is a value: nothing here changes one that was handed out.
type Task struct {
	Agent   string `json:"agent"`   // "vault-mind-" and the role in lower case
	Text    string `json:"task"`    // the whole prompt
	Context string `json:"context"` // "fork": sees project history, leaves no trace in it

	ID           string     `json:"-"` // of the dispatch
	Role, TaskID string     `json:"-"` // as spelled in the note
	Root         string     `json:"-"` // absolute path of the vault; the runner's working directory
	Note         string     `json:"-"` // path of the note in the vault, with slashes
	Requests     []Request  `json:"-"` // the same requests that Text prints
	Reference    `json:"-"` // what else the prompt holds; Text holds it too

	fence fence // of Text; a zero fence is drawn when the first block is added
}

// Request is one marker of a task.
type Request struct {
	Line        int    // of the saved note, from 1
	Instruction string // without the marker's prefix
	Context     string // the note's lines around it; empty when See is set
	See         int    // number of the request whose Context also holds this one's, from 1; 0 = own
}

// Reference is what an agent may read beside the note, none of it instructions.
type Reference struct {
	History []Exchange // project history a fork may see, oldest first
	Related []Related  // passages of other notes, the best first
}

// Related is one passage of the vault that goes with a task.
type Related struct {
	Link string // to where it stands, as it may be written into an answer
	Why  string // "match", "linked" or "backlink"
	Text string
}

// Exchange is one earlier question of the vault and its answer.
type Exchange struct {
	Note, Question, Answer string
	At                     time.Time
}

// Reply is what a runner brings back.
type Reply struct {
	Text string // raw reply; [ParseReply] reads it
}

// Runner executes tasks. Run blocks until the agent has ended, its process tree
// included, and is safe for concurrent use. It returns a [*Failure] for
// everything an agent can do wrong and ctx.Err() when it was cancelled.
type Runner interface {
	Run(ctx context.Context, task Task) (Reply, error)
}

// Kind says what a failure means for trying again.
type Kind int

const (
	Permanent Kind = iota // asking again without a change brings the same
	Transient             // launch, network, rate limit, timeout, exit status: worth another try
)

// Failure is an agent's failure in one sentence for a person.
type Failure struct {
	Kind   Kind
	Reason string // one sentence without a full stop: "claude ended with status 3"
	Detail string // the program's last line on standard error, at most 200 characters

	cause error // what errors.Is may look for; Reason says it already
}

// Error returns the reason and, when there is one, the program's own last line.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return f.Reason
	}
	return fmt.Sprintf("%s: %s", f.Reason, f.Detail)
}

// Unwrap returns the error of the system behind the failure, if there was one.
func (f *Failure) Unwrap() error { return f.cause }
