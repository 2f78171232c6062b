package writer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite"
)

// This file decides what a note is to say about progress. When it is said is the
// matter of [progress].

// stage is how far a dispatch has come, in words for people. They are gone through
// upwards, and each is written once.
type stage int

const (
	saidBefore stage = iota // or nothing is to be changed
	saidQueued
	saidWorking
	saidWaiting
	saidFailed
	saidNothing // a comment of ours was taken away
)

// wishes is what is to be said in a note.
type wishes struct {
	signs  []rewrite.Sign
	stages map[string]stage // of the dispatches of which something is to be written or taken away
	ours   func(id string) bool
}

// collectWishes says what is to stand under the markers of a note.
func (p *progress) collectWishes(ctx context.Context, n noteKey, src []byte) (wishes, error) {
	claims, err := p.writer.opts.Journal.Claims(ctx, n.root, n.rel)
	if err != nil {
		return wishes{}, err
	}
	shown, keep := make(map[string]string), make(map[string]bool)
	for _, c := range note.Bare(src).Progress {
		if d, err := p.writer.opts.Journal.Get(ctx, c.ID); err == nil && d.Vault == n.root {
			shown[c.ID] = c.Text
		}
	}
	if len(claims)+len(shown) == 0 {
		p.forgetNote(n)
	}
	w := wishes{stages: make(map[string]stage)}
	for _, c := range claims {
		d, err := p.writer.opts.Journal.Get(ctx, c.Dispatch)
		if err != nil {
			return wishes{}, err
		}
		s := rewrite.Sign{Place: placeOf(c.Marker), ID: d.ID}
		switch at, text := p.describeStage(d, time.Now()); {
		case at == saidNothing:
		case at == saidBefore || !p.isNew(n, d.ID, at):
			s.Leave, keep[d.ID] = true, true
		default:
			s.Comment, keep[d.ID] = note.ProgressComment(d.ID, text), true
			if shown[d.ID] != s.Comment {
				w.stages[d.ID] = at
			}
		}
		w.signs = append(w.signs, s)
	}
	for id := range shown {
		if keep[id] {
			continue
		}
		if p.isNew(n, id, saidNothing) {
			w.stages[id] = saidNothing
		} else {
			delete(shown, id) // another program brings it back; it stays
		}
	}
	w.ours = func(id string) bool { return shown[id] != "" }
	return w, nil
}

// forgetNote is for a note of which nothing is to be said any more, but for what was
// taken out of it.
func (p *progress) forgetNote(n noteKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.said[n], func(_ string, s stage) bool { return s != saidNothing })
	if len(p.said[n]) == 0 {
		delete(p.said, n)
	}
}

// isNew reports whether a stage was not written yet. A dispatch that was over begins
// anew when a person wants it to.
func (p *progress) isNew(n noteKey, id string, s stage) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.said[n][id]
	return s > said || said >= saidFailed && s < saidFailed
}

// longWait is how far ahead a next try is that is worth a word.
const longWait = time.Minute

// describeStage says in words how far a dispatch has come. Of what is about to be written or
// taken back nothing is said: its answer comes, and brings the comment away.
func (p *progress) describeStage(d journal.Dispatch, now time.Time) (stage, string) {
	const clock = "15:04"
	switch {
	case !p.On:
		return saidNothing, ""
	case d.Status == journal.Failed:
		return saidFailed, "failed because " + cmp.Or(d.Error, "of an unknown reason")
	case d.Status != journal.Queued && d.Status != journal.Processing:
		return saidNothing, ""
	case d.Answered || d.Undo != "":
		return saidBefore, ""
	case d.Status == journal.Processing:
		return saidWorking, fmt.Sprintf("working on %s since %s", p.Host, d.Started.Local().Format(clock))
	case d.NextAttempt.Sub(now) > longWait:
		return saidWaiting, fmt.Sprintf("queued on %s until %s", p.Host, d.NextAttempt.Local().Format(clock))
	}
	return saidQueued, "queued on " + p.Host
}
