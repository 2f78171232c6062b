// Package builtin holds the runner that needs no program, account, key or
// network: the Miner, which answers a question with what the vault's own notes
// say about it.
//
// [New] makes it, [Miner.Run] answers a task.
//
// # Promises
//
// The Miner writes nothing of its own. An answer is the one best quote, whole, with a
// link to its place and to other notes that have it too. Where the quote lacks one of the
// question's weightiest words, or does not say of the very thing who does what is asked, how or where, it is called the closest there is. Where no note says anything,
// or no note has the thing that is asked about, the Miner quotes nothing, says so, and names the words
// that occur nowhere. The last answer of a task says that no model wrote this, unless another answer of the note says
// so when this one is made; one that is made anew always says it.
package builtin

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/syserr"
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

// Run answers every request of the task: one with plain text, several with the
// JSON object that [replies.Parse] reads.
func (m *Miner) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	if len(task.Requests) == 0 {
		return agent.Reply{}, &agent.Failure{Reason: "the task holds no request"}
	}
	ix, err := m.index(task.Root)
	if err != nil {
		return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: "the vault's index cannot be opened", Detail: syserr.Plain(err), Cause: err}
	}
	if err := ix.Wait(ctx, patience); err != nil {
		return agent.Reply{}, err
	}
	answers, reply := make([]string, 0, len(task.Requests)), agent.Reply{}
	for i := range task.Requests {
		text, from, none, err := answerRequest(ctx, ix, task, i)
		if ctx.Err() != nil {
			return agent.Reply{}, ctx.Err()
		}
		if err != nil {
			return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: "the vault cannot be searched", Detail: syserr.Plain(err), Cause: err}
		}
		answers, reply.Sources = append(answers, text), append(reply.Sources, from...)
		if none {
			reply.TellNoResult(i)
		}
	}
	if p, err := ix.ReadPage(ctx, task.Note); err != nil || !isSigned(p.Source, task.Requests) {
		answers[len(answers)-1] += "\n\n" + signature
	}
	reply.Text = replies.Join(answers)
	return reply, nil
}

// isSigned reports whether a note says already who answers in it, besides the answers to requests that
// are made anew: those have taken the place of their markers.
func isSigned(source []byte, requests []agent.Request) bool {
	doc := note.Parse(source)
	for _, r := range requests {
		if !slices.ContainsFunc(doc.Markers, func(m note.Marker) bool { return strings.HasPrefix(m.Instruction, r.Instruction) }) {
			return false
		}
	}
	return slices.ContainsFunc(doc.Blocks, func(b note.Span) bool { return bytes.Contains(source[b.Start:b.End], []byte(signed)) })
}
