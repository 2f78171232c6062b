// Package agent is the boundary to whatever answers a task: the text a task is
// made of, the reply that comes back, and the runner between the two.
//
// Most callers need two calls: [NewTask] builds the payload from a group and its
// context windows, [Ask] turns replies into one answer per request. A
// [Runner] carries a task to a program or a model; [Command] is the one for any
// program that reads its prompt on standard input. A reply that cannot be read
// is asked for once more with [RepairTask]; in chain mode [Task.WithPrevious]
// hands the answer of one group to the next.
//
// # Writing a runner
//
// A runner is made for one role and holds its configuration, in [Settings]. A runner with one channel to its agent sends [Task.Prompt], which holds the role's own words, the project
// history and the requests. A runner with more channels sends the role's own words ([Task.System]) and [Task.History]
// as turns in their own way, and [Task.WithoutHistory] behind them. More than one request wants a reply of the form
// [replies.Schema]. A runner that cannot enforce the form leaves it to the text, which asks for the same form.
// [Program] starts programs: [Program.Run] for one that gets everything at once, [Program.Talk] for a conversation.
//
// A run yields a [Completion], and [Judge] decides whether it is an answer. A runner translates, with a table of the
// ends of its protocol ([endings.Table]), and decides nothing. Where the end of a run tells nothing of its answer, the runner asks for a [replies.Seal].
//
// Each fault of an agent is a [*Failure]. Callers act on four causes and find them with errors.As: [*NotFound],
// [*NotLoggedIn], [*RateLimited] and [*TooLong]; [Fail] makes failures of the first three.
//
// # Promises
//
// A note cannot leave its place in a prompt. All text that is not the user's own instruction is in a fence. The
// fence's name is drawn at random for the task and never occurs in the text inside. Invisible characters are removed.
// Only the requests themselves have the form "Request <i> (Line <n>):".
//
// An answer has an end that is known to be good ([Judge]). Text without such an end is kept in the record and never
// written into a note. A reply is read whole or not at all: [replies.Parse] returns exactly one non-empty answer for
// every request, or one sentence that says what is wrong.
//
// A run always ends. A program has a timeout and an output limit, its process tree ends with it, and its failures say
// whether another try makes sense.
package agent

import (
	"context"
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
	Attempt      int        `json:"-"` // of the dispatch: how often it has failed before
	Role, TaskID string     `json:"-"` // as spelled in the note
	Root         string     `json:"-"` // absolute path of the vault; the runner's working directory
	Note         string     `json:"-"` // path of the note in the vault, with slashes
	Requests     []Request  `json:"-"` // the same requests that Text prints
	Reference    `json:"-"` // the rest of the prompt; Text holds it too
	System       string     `json:"-"` // the role's own words, from its definition; no part of Text
	Schema       string     `json:"-"` // of a reply that is no answer yet, as JSON Schema: a runner holds its agent to it where it can

	Skip func(rel string) bool `json:"-"` // notes that a runner which looks for itself does not use; nil = none
	Desk Desk                  `json:"-"` // where an agent that reads may ask the vault; no address = nowhere

	// Listener receives the text of the answer so far, raw: all of it on each call, and another text when the agent
	// starts over. nil = no listener. A runner calls it from one goroutine at a time, in order, never after Run has
	// returned, and not at all if it cannot tell. It must not block. Its text decides nothing: the [Reply] does.
	Listener func(text string) `json:"-"`

	// Tell receives the progress of a runner with several steps, in a few words. nil = no listener.
	Tell func(progress string) `json:"-"`

	// Called is called before each call of a program or model, because the call may cost money. nil = no count. The
	// code that gives runners to roles calls it; a runner does not.
	Called func() `json:"-"`

	// Rest waits for a time in which nothing of the task runs on this machine, because its work is done elsewhere. Meanwhile
	// others have its slot; when it returns nil the task has one again. nil = the slot is kept.
	Rest func(ctx context.Context, pause time.Duration) error `json:"-"`

	fence fence // of Text; a zero fence is found or made when the first block is added
}

// TellCall tells [Task.Called].
func (t Task) TellCall() {
	if t.Called != nil {
		t.Called()
	}
}

// Desk is where an agent asks its vault by the Model Context Protocol, and what opens it to this
// one alone while it works.
type Desk struct{ Address, Ticket string }

// DeskTools are the tools of the desk that an agent is offered; engine/mcp has them.
var DeskTools = []string{"search", "read_note", "related", "list_notes", "backlinks", "recent", "questions"}

// Request is one marker of a task.
type Request struct {
	Line        int    // of the saved note, from 1
	Instruction string // all that is asked, without the marker's prefix; it may have several lines
	Context     string // the note's lines around it; empty when See is set
	See         int    // number of the request whose Context also holds this one's, from 1; 0 = own
	Own         string // lines of Instruction that the answer replaces: without a list or a line below them that is asked too
}

// Reference is what an agent may read beside the note, none of it instructions.
type Reference struct {
	Place   string     // the place of the requests, as the note tells it: dates, headings
	History []Exchange // project history a fork may see, oldest first
	Related []Related  // passages of other notes, the best first
	Date    time.Time  // when it is asked; zero = the prompt says nothing of it
}

// Related is one passage of the vault that belongs to a task.
type Related struct {
	Link string // to the passage, in the form for an answer
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
	Text     string // raw reply, thoughts in it included; [replies.Read] reads it
	Thoughts string // that have a place of their own: for the record
	Usage    Usage
	Sources  []string // notes that it quotes, as far as the agent tells
	NoResult int64    // bit i: it says of request i that nothing was found or made; those behind the 62nd have no bit
}

// TellNoResult says that nothing was found or made for request i.
func (r *Reply) TellNoResult(i int) {
	if i < 62 {
		r.NoResult |= 1 << i
	}
}

// Usage is what a run has cost, as far as the agent tells; zero is not known.
type Usage struct {
	Model  string  // that answered
	Input  int64   // tokens, those read from a cache among them
	Output int64   // tokens, those of reasoning among them
	Cost   float64 // in US dollars
}

// Plus returns what two runs for the same task have cost.
func (u Usage) Plus(v Usage) Usage {
	if v.Model != "" {
		u.Model = v.Model
	}
	u.Input, u.Output, u.Cost = u.Input+v.Input, u.Output+v.Output, u.Cost+v.Cost
	return u
}

// Runner executes tasks. Run blocks until the agent has ended, its process tree
// included, and is safe for concurrent use. It returns a [*Failure] for
// everything an agent can do wrong and ctx.Err() when it was cancelled.
type Runner interface {
	Run(ctx context.Context, task Task) (Reply, error)
}

// Values of [Settings.Tools]: the tools of an agent.
const (
	ToolsNone = "none"
	ToolsRead = "read" // reads files, never writes
)

// MaxPrompt is how many characters an agent is given: codex refuses more than
// 1 048 576, and the repair of a reply needs room too.
const MaxPrompt = 900_000

// Settings are what the configuration says of a role. The zero value is a
// runner's own model, no tools and ten minutes.
type Settings struct {
	Program string            // where the program is; "" = it is looked up by its name
	Model   string            // "" = the program's or server's own
	Tools   string            // ToolsNone or ToolsRead; "" = none
	Timeout time.Duration     // of one run; 10 minutes when not positive
	Env     map[string]string // added to the environment, which is otherwise an allow-list
	Session string            // of the agent program, to fork from; "" = none
	Trust   bool              // the program may run where nothing is known to confine it
}

// IsHeld reports whether a program of the role runs in the sandbox, where there is one. A session of its own may lie anywhere.
func (s Settings) IsHeld() bool { return s.Session == "" && !s.Trust }

// usualTimeout limits a run without a time of its own.
const usualTimeout = 10 * time.Minute

// TimeLimit is how long one run may take.
func (s Settings) TimeLimit() time.Duration {
	if s.Timeout <= 0 {
		return usualTimeout
	}
	return s.Timeout
}
