// Package queue carries tasks to other machines and their answers back, by NATS JetStream.
//
// An engine has a [Client]: [Client.Runner] is an [agent.Runner] like any other, whose agent is a
// worker elsewhere. A worker is [Worker.Run]: it takes tasks of its lanes, asks the agents of its own
// machine and gives their replies. It speaks to a [Gate] alone, which does for it what it may do. Who may
// publish and hear which subject is decided by the server; engine/queue/hub is ours.
//
// # Promises
//
// The queue is transport and the journal remains the truth. A task is published under its dispatch and
// attempt, and again whenever neither it nor its result is in the queue, so that the queue's folder
// may be deleted at any time. A result is handed over only while its dispatch waits for just that, and
// is acknowledged only when the journal says that this is over: an acknowledgement in time is no fence
// (https://github.com/nats-io/nats-server/issues/4786). A worker that dies gives its task to the next
// one; a task that has outlived three workers has failed.
//
// Only text travels: a task holds no path, no key, no ticket of this machine.
package queue

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/syserr"
)

// The streams and subjects of the queue. All subjects begin alike, so that an existing cluster can have others.
const (
	tasksStream   = "WIKI_TASKS"
	resultsStream = "WIKI_RESULTS"
	workersBucket = "wiki_workers"

	tasksPrefix   = "wiki.task."   // lane, engine, dispatch, attempt
	resultsPrefix = "wiki.result." // engine, dispatch, attempt
	saidPrefix    = "wiki.say."    // engine, dispatch, attempt
	cancelPrefix  = "wiki.cancel." // worker, dispatch, attempt
	drainPrefix   = "wiki.drain."  // worker
	workPrefix    = "wiki.work."   // worker, and what it asks of the gate
	joinPrefix    = "wiki.join."   // the key of a token
	inboxPrefix   = "_INBOX_"      // the name of a key
)

// RoleLane and LabelLane return the lanes of the queue: for tasks of a role, and for tasks of the
// workers with a label.
func RoleLane(role string) string { return "role-" + token(strings.ToLower(role)) }

// LabelLane is described at [RoleLane].
func LabelLane(label string) string { return "label-" + token(strings.ToLower(label)) }

// token returns a name as a subject may contain it: a name with other letters is spelled by its bytes.
func token(name string) string {
	plain := name != "" && !strings.HasPrefix(name, "x--") && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if plain {
		return name
	}
	return "x--" + hex.EncodeToString([]byte(name))
}

// message is a task on its way.
type message struct {
	Agent    string           `json:"agent"`
	Text     string           `json:"task"`
	Context  string           `json:"context"`
	Dispatch string           `json:"dispatch"`
	Role     string           `json:"role"`
	TaskID   string           `json:"taskId,omitempty"`
	Note     string           `json:"note"`
	Requests []agent.Request  `json:"requests"`
	Place    string           `json:"place,omitempty"`
	History  []agent.Exchange `json:"history,omitempty"`
	Related  []agent.Related  `json:"related,omitempty"`
	Date     time.Time        `json:"today"`
	System   string           `json:"system,omitempty"`
	Schema   string           `json:"schema,omitempty"`
	Listens  bool             `json:"listens,omitempty"` // a client wants to hear the partial text
}

// newMessage is what of a task leaves the machine.
func newMessage(t agent.Task) message {
	return message{
		Agent: t.Agent, Text: t.Text, Context: t.Context, Dispatch: t.ID, Role: t.Role, TaskID: t.TaskID, Note: t.Note,
		Requests: t.Requests, Place: t.Place, History: t.History, Related: t.Related, Date: t.Date,
		System: t.System, Schema: t.Schema, Listens: t.Listener != nil,
	}
}

// toTask returns the message as the worker's runner gets it.
func (m message) toTask() agent.Task {
	return agent.Task{
		Agent: m.Agent, Text: m.Text, Context: m.Context, ID: m.Dispatch, Role: m.Role, TaskID: m.TaskID, Note: m.Note,
		Requests: m.Requests, Reference: agent.Reference{Place: m.Place, History: m.History, Related: m.Related, Date: m.Date},
		System: m.System, Schema: m.Schema,
	}
}

// keyOf names one asking of one dispatch, as two tokens of a subject: the attempt, and what is asked,
// because a reply that cannot be read is asked for once more.
func keyOf(t agent.Task) string {
	sum := sha256.Sum256([]byte(t.Text))
	return fmt.Sprintf("%s.%d-%s", token(t.ID), t.Attempt, hex.EncodeToString(sum[:8]))
}

// result is what became of a task.
type result struct {
	Worker  string      `json:"-"` // as the gate says
	Reply   agent.Reply `json:"reply"`
	Failure *failure    `json:"failure,omitempty"`
}

// failure is an [agent.Failure] with the causes that callers act on.
type failure struct {
	Transient bool        `json:"transient"`
	Reason    string      `json:"reason"`
	Detail    string      `json:"detail,omitempty"`
	Usage     agent.Usage `json:"usage"`
	Limited   bool        `json:"limited,omitempty"`
	Expiry    time.Time   `json:"until,omitzero"`
	Program   string      `json:"program,omitempty"`
	Tries     int         `json:"tries,omitempty"`
	Unread    string      `json:"unread,omitempty"`
	Cut       string      `json:"cut,omitempty"`
}

// newResult is what a runner has brought back.
func newResult(reply agent.Reply, err error) result {
	r := result{Reply: reply}
	if err == nil {
		return r
	}
	r.Failure = &failure{Transient: true, Reason: syserr.Plain(err)}
	if f, ok := errors.AsType[*agent.Failure](err); ok {
		r.Failure = &failure{Transient: f.Kind == agent.Transient, Reason: syserr.Plain(&agent.Failure{Reason: f.Reason, Cause: f.Cause}), Detail: f.Detail, Usage: f.Usage, Tries: f.Tries, Unread: f.Unread, Cut: f.Cut}
	}
	if limit, ok := errors.AsType[*agent.RateLimited](err); ok {
		r.Failure.Limited, r.Failure.Expiry, r.Failure.Program = true, limit.Expiry, limit.Program
	}
	return r
}

// toOutcome returns a result as [agent.Runner] returns it.
func (r result) toOutcome() (agent.Reply, error) {
	f := r.Failure
	if f == nil {
		return r.Reply, nil
	}
	failed := &agent.Failure{Reason: f.Reason + " (worker " + r.Worker + ")", Detail: f.Detail, Usage: f.Usage, Tries: f.Tries, Unread: f.Unread, Cut: f.Cut}
	if f.Transient {
		failed.Kind = agent.Transient
	}
	if f.Limited {
		failed.Cause = &agent.RateLimited{Program: f.Program, Expiry: f.Expiry}
	}
	return r.Reply, failed
}

// said is what a worker tells while it is at work.
type said struct {
	Worker string `json:"-"` // as the gate says
	Speech string `json:"said,omitempty"`
	Tell   string `json:"tell,omitempty"`
	Final  bool   `json:"ended,omitempty"` // the agent has, with its process tree
}

// Info is what a worker says of itself.
type Info struct {
	Name        string    `json:"name"`
	Host        string    `json:"host"`
	Version     string    `json:"version"`
	Lanes       []string  `json:"lanes"`
	Slots       int       `json:"slots"`
	Running     int       `json:"running"`
	Leaving     bool      `json:"leaving"` // it takes nothing new
	LastContact time.Time `json:"seen"`
}

// takesLane reports whether a worker answers what is asked in a lane.
func (i Info) takesLane(lane string) bool {
	for _, own := range i.Lanes {
		if own == lane {
			return !i.Leaving
		}
	}
	return false
}

// longestTask is more than any task has; what says that it is longer is not unpacked.
const longestTask = 64 << 20

// packValue writes a value compressed: text shrinks to a third.
func packValue(v any) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := errors.Join(json.NewEncoder(z).Encode(v), z.Close())
	return b.Bytes(), err
}

// unpackValue reads what [packValue] wrote, if it has at most so many bytes.
func unpackValue(data []byte, v any, most int64) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return json.NewDecoder(io.LimitReader(z, most)).Decode(v)
}
