package broadcast

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/wording"
)

// This file has an agent write what is made.

// author is the agent that writes. Without a runner no agent writes.
type author struct {
	runner agent.Runner
	name   string                        // as people know it
	leaves bool                          // the prompts leave this machine
	room   func(ctx context.Context) int // bytes that it reads at once; 0 = not known
	usage  *agent.Usage                  // the cost so far
}

// With returns a runner that has an agent write what is made. leaves says that what the agent is told does not
// stay on this machine, room how many bytes it reads at once; 0 is not known.
func (c *Controller) With(name string, runner agent.Runner, leaves bool, room func(ctx context.Context) int) agent.Runner {
	return authored{c, author{runner: runner, name: name, leaves: leaves, room: room}}
}

type authored struct {
	*Controller
	author author
}

// Run implements [agent.Runner].
func (a authored) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	return a.run(ctx, task, a.author)
}

// make makes what is asked for, and says what is to be said of how. Where nothing was made the remark is all there is
// to say.
func (c *Controller) make(ctx context.Context, task agent.Task, req agent.Request, by author, kind kinds.Kind, set *material.Set, o order.Order) (made kinds.Made, remark string, err error) {
	options := kinds.Options{Words: o.Words, Lang: o.Lang, Reader: o.Reader, Voices: o.Voices}
	if by.runner == nil && kind.NeedsAgent() {
		return made, nothingMade("%s is written by an agent, and none is set: name one in `wiki.agents`, as `Broadcaster: {runner: broadcast, agent: ROLE}`. Without one there are: %s.", kind.Title, listKinds(false)), nil
	}
	failed := ""
	if by.runner != nil && len(set.Notes) > 0 {
		made, remark, err = c.draft(ctx, task, req, by, kind, set, options)
		bad, isUnusable := errors.AsType[*draft.Unusable](err)
		if err == nil && made.Body != "" || err != nil && !isUnusable {
			return made, remark, err
		}
		if isUnusable {
			failed = "What " + quoteWords(by.name) + " wrote could not be used: " + wording.Shorten(quoteWords(bad.Problem), 200) + "."
		}
	}
	if failed != "" && kind.NeedsAgent() {
		return kinds.Made{}, nothingMade("%s", failed), nil
	}
	made, ok := kind.Make(set, options)
	if !ok {
		return kinds.Made{}, strings.TrimSpace(tellTooLittle(kind, set) + " " + failed), nil
	}
	remark = signature
	if failed != "" {
		remark = "*" + failed + " So this was put together by the built-in Broadcaster from sentences of your notes.*"
		made.Body = "> " + strings.Trim(remark, "*") + "\n\n" + made.Body
	} else if given := withoutEffect(kind, o, made); len(given) > 0 {
		remark = fmt.Sprintf("Without an agent `%s:` has no effect.\n\n", strings.Join(given, ":`, `")) + signature
	}
	if made.Length > 0 && isOff(made.Length, o.Words) {
		remark = fmt.Sprintf("The sentences chosen have %s; %d were asked for.\n\n", wording.Count(made.Length, "word"), o.Words) + remark
	}
	return made, remark, nil
}

// How many bytes of notes an agent is given at most, and what of its room is needed for everything else.
const (
	mostGiven = 48_000
	otherRoom = 8_000
)

// draft has an agent write a kind. The error is a [*draft.Unusable] where nothing of it can be used.
func (c *Controller) draft(ctx context.Context, task agent.Task, req agent.Request, by author, kind kinds.Kind, set *material.Set, o kinds.Options) (kinds.Made, string, error) {
	bytes := mostGiven
	if by.room != nil {
		if room := by.room(ctx); room > 0 {
			bytes = min(bytes, room-otherRoom)
		}
	}
	work := kind.Work(set, o, bytes)
	if work.Order = wording.Line(req.Instruction); len(work.Sources) == 0 {
		return kinds.Made{}, "", nil
	}
	w := draft.Writer{Tell: task.Tell, Ask: func(ctx context.Context, q draft.Question) (string, error) { return c.askAuthor(ctx, task, by, q) }}
	text, err := w.Write(ctx, work)
	if err != nil {
		return kinds.Made{}, "", err
	}
	made, ok := kind.Fill(set, text, quoteWords(by.name))
	if !ok {
		return kinds.Made{}, "", &draft.Unusable{Problem: "it is too little for this kind"}
	}
	remark := fmt.Sprintf("*Written by %s out of these notes.", quoteWords(by.name))
	if text.Rejects > 0 {
		remark += fmt.Sprintf(" %d of %s had no source or did not fit, and %s left out.", text.Rejects, wording.Count(text.Items+text.Rejects, "point"), wasOrWere(text.Rejects))
	}
	if isOff(text.Words, o.Words) {
		remark += fmt.Sprintf(" It has %d words; %d were asked for.", text.Words, o.Words)
	}
	return made, remark + "*", nil
}

// isOff reports whether a length is another than was asked for; 0 = none was.
func isOff(words, asked int) bool {
	return asked > 0 && (words*100 < asked*85 || words*100 > asked*115)
}

func wasOrWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// askAuthor asks the agent one question. What it has answered is kept until the dispatch has its answer, so that
// no step is paid for twice.
func (c *Controller) askAuthor(ctx context.Context, task agent.Task, by author, q draft.Question) (string, error) {
	key := keyOf(q)
	if c.port.Journal != nil {
		if text, err := c.port.Journal.Part(ctx, task.ID, key); err == nil && text != "" {
			return text, nil
		}
	}
	asked := agent.Task{
		Agent: task.Agent, Context: task.Context, ID: task.ID, Role: task.Role, TaskID: task.TaskID, Root: task.Root, Note: task.Note, Schema: q.Schema, Called: task.Called,
	}.WithMaterial(q.Before, q.Material, q.After)
	if q.Problem != "" {
		asked = agent.RepairTask(asked, q.Bad, errors.New(q.Problem))
	}
	reply, err := by.runner.Run(ctx, asked)
	*by.usage = by.usage.Plus(reply.Usage)
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		*by.usage = by.usage.Plus(failure.Usage)
		if _, isOut := errors.AsType[*agent.NotLoggedIn](err); !isOut && failure.Kind == agent.Permanent {
			return "", &draft.Unusable{Problem: failure.Reason} // another time it would be the same
		}
	}
	text, _ := replies.CutThoughts(reply.Text)
	if err != nil || c.port.Journal == nil {
		return text, err
	}
	return text, c.port.Journal.KeepPart(ctx, task.ID, key, text)
}

// keyOf is a question by what it asks.
func keyOf(q draft.Question) string {
	text, _ := json.Marshal(q) // of texts: it cannot fail
	sum := sha256.Sum256(text)
	return "asked " + hex.EncodeToString(sum[:])
}
