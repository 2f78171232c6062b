// Package builtin holds the runner that needs no program, account, key or
// network: the Miner, which answers a question with what the vault's own notes
// say about it.
//
// [New] makes it, [Miner.Run] answers a task.
//
// # Promises
//
// The Miner writes nothing of its own. An answer consists of quotes, each with a
// link to its place and the share of the question's words it matches; a weak match
// is called one, and where the vault holds no answer the Miner says so, names
// the nearest notes and the words that occur nowhere.
package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/recall"
)

// patience limits how long a question waits until the vault has been read once. After
// that the Miner answers from the notes read so far, and the answer says so.
const patience = 30 * time.Second

// Miner answers tasks from the index of their vault.
type Miner struct {
	index func(root string) (*recall.Index, error)
}

var _ agent.Runner = (*Miner)(nil)

// New returns a Miner that finds the index of a vault, given by its absolute
// path, through index.
func New(index func(root string) (*recall.Index, error)) *Miner {
	return &Miner{index: index}
}

// Capabilities are none: the Miner knows the vault, not its project history.
func (m *Miner) Capabilities() agent.Capabilities { return agent.Capabilities{} }

// Run answers every request of the task: one with plain text, several with the
// JSON object that [agent.ParseReply] reads.
func (m *Miner) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	if len(task.Requests) == 0 {
		return agent.Reply{}, &agent.Failure{Reason: "the task holds no request"}
	}
	ix, err := m.index(task.Root)
	if err != nil {
		return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: "the vault's index cannot be opened", Detail: err.Error()}
	}
	if err := waitForIndex(ctx, ix); err != nil {
		return agent.Reply{}, err
	}
	answers := make([]string, 0, len(task.Requests))
	for i := range task.Requests {
		text, err := answerRequest(ctx, ix, task, i)
		if ctx.Err() != nil {
			return agent.Reply{}, ctx.Err()
		}
		if err != nil {
			return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: "the vault cannot be searched", Detail: err.Error()}
		}
		answers = append(answers, text)
	}
	if len(answers) == 1 {
		return agent.Reply{Text: answers[0]}, nil
	}
	return joinAnswers(answers)
}

// waitForIndex waits until the vault has been read once, for patience at most.
func waitForIndex(ctx context.Context, ix *recall.Index) error {
	bounded, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := ix.Wait(bounded); err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return ctx.Err()
	}
	return nil
}

type response struct {
	Request int    `json:"request"`
	Answer  string `json:"answer"`
}

func joinAnswers(answers []string) (agent.Reply, error) {
	var reply struct {
		Responses []response `json:"responses"`
	}
	for i, a := range answers {
		reply.Responses = append(reply.Responses, response{Request: i + 1, Answer: a})
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(reply); err != nil {
		return agent.Reply{}, &agent.Failure{Reason: "the answers cannot be put together", Detail: err.Error()}
	}
	return agent.Reply{Text: buf.String()}, nil
}
