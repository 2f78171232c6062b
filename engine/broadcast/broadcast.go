// Package broadcast makes something to read, show or learn out of notes, for the role
// Broadcaster: `> @agent-Broadcaster briefing of [[Espresso]]`.
//
// [New] returns the runner; [Controller.Run] is its one call. Package order reads what is asked,
// gather finds the sources, kinds makes it, shelf puts it into the vault. The answer embeds what
// was made, with one paragraph and the sources.
//
// # Promises
//
// Without an agent no model takes part, nothing leaves the machine, and it costs nothing. With one
// ([Controller.With]) only text that names its sources is taken (package draft); if none can be used, the same kind
// is put together from sentences of the notes, and the answer says both. A kind that does not exist yet, and one that
// finds too little, gets a sentence and no file. Notes that are excluded, or that came from elsewhere and wait for a
// person, are no sources. Private notes are sources only if the folder of the works is private as well and the agent
// runs on this machine. Of earlier questions and answers only those are used that wiki.history leaves to the role,
// that are still in their notes and that are not private. One work is made at a time.
package broadcast

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/broadcast/gather"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/broadcast/shelf"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

// Port is what the controller asks its engine for.
type Port struct {
	Index   func(root string) (*recall.Index, error)
	Engine  string                // whose temporary files are in the vaults
	Folder  string                // of every vault, for what is made; "" writes nothing
	Private func(rel string) bool // notes that are taken only where the folder is private too, and they are named; nil = none
	Sound   *speech.Desk          // reads aloud; nil = nothing does
	Journal *journal.Journal      // says which notes wait for a person, and what was asked; nil = none and nothing

	History func(role string) config.History  // how much of what was asked a role may use; nil = nothing
	MayTell func(asked journal.Exchange) bool // whether any reader of the vault may read it
}

// Controller makes what is asked for.
type Controller struct {
	port Port
	turn chan struct{} // holds one token while something is made
}

var _ agent.Runner = (*Controller)(nil)

// New returns a controller.
func New(port Port) *Controller { return &Controller{port: port, turn: make(chan struct{}, 1)} }

// Run implements [agent.Runner].
func (c *Controller) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	return c.run(ctx, task, author{})
}

func (c *Controller) run(ctx context.Context, task agent.Task, by author) (agent.Reply, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return agent.Reply{}, ctx.Err()
	}
	defer func() { <-c.turn }()
	return c.makeAll(ctx, task, by)
}

// makeAll answers each request of a task. A fault in what reads notes must not end a process that watches
// over them for years.
func (c *Controller) makeAll(ctx context.Context, task agent.Task, by author) (reply agent.Reply, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			reply, err = agent.Reply{}, &agent.Failure{Reason: "the presentation cannot be made of these notes", Detail: wording.Clip(fmt.Sprint(fault))}
		}
	}()
	ix, err := c.port.Index(task.Root)
	if err != nil {
		return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: "the vault's index cannot be opened", Detail: syserr.Plain(err), Cause: err}
	}
	var answers []string
	by.usage = &reply.Usage
	for i, req := range task.Requests {
		text, sources, err := c.answerRequest(ctx, ix, task, req, by)
		if ctx.Err() != nil {
			return agent.Reply{}, ctx.Err()
		}
		if failure, ok := errors.AsType[*agent.Failure](err); ok {
			cost := *failure
			cost.Usage = reply.Usage
			return agent.Reply{}, &cost
		}
		if err != nil {
			return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: "the presentation cannot be made", Detail: syserr.Plain(err), Cause: err}
		}
		answers, reply.Sources = append(answers, text), append(reply.Sources, sources...)
		if strings.HasPrefix(text, nothingMade("")) {
			reply.TellNoResult(i)
		}
	}
	reply.Text = replies.Join(answers)
	return reply, nil
}

// indexPatience is how long a vault is waited for that is still being read.
const indexPatience = 30 * time.Second

// answerRequest makes what one request asks for.
func (c *Controller) answerRequest(ctx context.Context, ix *recall.Index, task agent.Task, req agent.Request, by author) (text string, sources []string, err error) {
	o := order.Parse(req.Instruction)
	if refusal := refuseOrder(o); refusal != "" {
		return refusal, nil, nil
	}
	if err := ix.Wait(ctx, indexPatience); err != nil {
		return "", nil, err
	}
	switch {
	case o.Kind == "" && strings.EqualFold(task.Role, "podcast"):
		o.Kind = "audio"
	case o.Kind == "":
		o.Kind = kinds.All[0].Name
	}
	set, err := gather.Collect(ctx, c.openLibrary(ctx, ix, task.Root, by), gather.Request{Order: o, Note: task.Note, Around: req.Context})
	if err != nil {
		return "", nil, err
	}
	if err := c.addAsked(ctx, ix, task, &set); err != nil {
		return "", nil, err
	}
	kind, _ := kinds.Find(o.Kind)
	made, remark, err := c.make(ctx, task, req, by, kind, &set, o)
	if err != nil {
		return "", nil, err
	}
	if made.Body == "" {
		return remark, nil, nil
	}
	if len(made.Deck) > 0 {
		if err := addDeck(ctx, set.Title, c.findBegun(ctx, task.ID), &made); err != nil {
			return "", nil, err
		}
	}
	for _, n := range made.Used {
		sources = append(sources, set.Notes[n].Rel)
	}
	placed, err := c.putOnShelf(ctx, task, kind, &set, made)
	if unfit, ok := errors.AsType[*shelf.Unfit](err); ok {
		return nothingMade("`%s` is %s, so nothing can be put there; take it away, or set `wiki.broadcast.folder` to another folder of this vault.",
			quoteWords(unfit.Path), unfit.Kind), nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	if by.runner != nil {
		o.Voices = nil // here the voices are the names of the speakers
	}
	sound, said := c.readAloud(task, kind, &set, made, o, placed)
	return tellMade(kind, &set, made, placed, sound, tellAlso(o)+said+remark), sources, nil
}

// putOnShelf puts what was made on the shelf.
func (c *Controller) putOnShelf(ctx context.Context, task agent.Task, kind kinds.Kind, set *material.Set, made kinds.Made) (shelf.Placed, error) {
	w := shelf.Work{Kind: kind.Name, Title: set.Title, Subject: set.Notes[0].Rel, Date: time.Now().Format(time.DateOnly), Head: made.Head, Body: made.Body, Author: made.Author}
	if made.Author == "" && made.HasAnswers {
		w.Author = "agents, as far as it quotes their answers"
	}
	if private := c.port.Private; private == nil || !private(task.Note) || private(c.port.Folder+"/x.md") {
		w.Asked = task.Note
	}
	if len(set.Notes) > 1 && set.Notes[1].Rank == material.Named {
		w.Subject = cmp.Or(set.Named, set.Title) // it is made of several
	}
	for _, n := range made.Used {
		w.Used = append(w.Used, set.Notes[n].Rel)
	}
	w.Omitted = listLeft(leftOut(set, made))
	if isSpoken(kind) {
		w.Pending = soundEndings
	}
	w.Engine = c.port.Engine
	for _, f := range made.Files {
		w.Files = append(w.Files, shelf.File(f))
	}
	if c.port.Folder == "" {
		return shelf.Placed{}, nil
	}
	type outcome struct {
		shelf.Placed
		error
	}
	done := make(chan outcome, 1) // the caller does not wait for a disk that does not respond
	go func() {
		placed, err := shelf.Put(ctx, task.Root, c.port.Folder, w)
		done <- outcome{placed, err}
	}()
	select {
	case o := <-done:
		return o.Placed, o.error
	case <-ctx.Done():
		return shelf.Placed{}, ctx.Err()
	}
}

// openLibrary is a vault as far as its index knows it and nothing speaks against a note.
func (c *Controller) openLibrary(ctx context.Context, ix *recall.Index, root string, by author) gather.Library {
	folder, held := path.Clean(c.port.Folder)+"/", c.findHeld(ctx, root)
	isPrivate := func(rel string) bool { return c.port.Private != nil && c.port.Private(rel) }
	return gather.Library{
		Notes: ix.Notes, Page: ix.ReadPage, Private: isPrivate,
		WhyNot: func(rel string) string {
			switch {
			case c.port.Folder != "" && len(rel) > len(folder) && rel[:len(folder)] == folder:
				return "it was made by the Broadcaster"
			case isPrivate(rel) && by.leaves:
				return "it is private, and the agent that writes is not on this machine"
			case isPrivate(rel) && !isPrivate(folder+"x.md"):
				return "it is private, and the folder of what is made is not"
			case held[rel]:
				return "it came from elsewhere, and what it asks waits for you"
			}
			return ""
		},
		Neighbours: func(ctx context.Context, rel, text string) (list []string, err error) {
			found, err := ix.Related(ctx, rel, text, recall.RelatedOptions{Limit: 40, Words: 40_000})
			for _, r := range found {
				list = append(list, r.Note)
			}
			return list, err
		},
		Matches: func(ctx context.Context, subject string) ([]gather.Place, error) { return findAbout(ctx, ix, subject) },
	}
}

// leastAbout is the share of a subject's weight that a text about it has; a sure answer has to have the same share.
const leastAbout = 0.55

// fewAbout is how many places named after a subject are enough. With fewer, findAbout adds places that speak of it.
const fewAbout = 2

// findAbout returns the notes and sections that are named after a subject. With few of them, it adds the notes that
// speak of it.
func findAbout(ctx context.Context, ix *recall.Index, subject string) ([]gather.Place, error) {
	q, err := ix.Weigh(ctx, subject, 0)
	if err != nil || len(q.UnknownWords()) > 0 {
		return nil, err
	}
	found, err := ix.Search(ctx, subject, recall.SearchOptions{Limit: 40, WordsOnly: true})
	var called, speaking []gather.Place
	says := func(text string) bool { return q.ShareOf(q.Mask(text)) >= leastAbout }
	for _, p := range found {
		heads := strings.Split(p.Heading, " › ")
		switch {
		case says(p.Title), says(path.Base(p.Note)): // a property may name it otherwise than its file
			called = append(called, gather.Place{Rel: p.Note})
		case says(p.Heading):
			called = append(called, gather.Place{Rel: p.Note, Heading: heads[len(heads)-1]})
		case p.Share >= leastAbout:
			speaking = append(speaking, gather.Place{Rel: p.Note, Says: says})
		}
	}
	if len(called) < fewAbout {
		called = append(called, speaking...)
	}
	return called, err
}

// findHeld are the notes of a vault that came from elsewhere with questions that wait for a person.
func (c *Controller) findHeld(ctx context.Context, root string) map[string]bool {
	held := make(map[string]bool)
	if c.port.Journal == nil {
		return held
	}
	list, _ := c.port.Journal.List(ctx, journal.Filter{Status: journal.Held, Vault: root, Limit: 10_000})
	for _, d := range list {
		held[d.File] = held[d.File] || d.Hold == journal.ForUntrusted
	}
	return held
}
