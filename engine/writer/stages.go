package writer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"maps"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
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
	saidMissed // a line is not taken up
	saidAgain  // the same, once more; or a person removed it
	saidFailed
	saidProposed // with each mark once
	saidNothing  // a comment of ours was removed
)

// wishes is what is to be said in a note.
type wishes struct {
	signs  []rewrite.Sign
	stages map[string]stage // by dispatch whose comment is to be written or removed
	bare   [32]byte         // SHA-256 of the note without comments
	ours   func(id string) bool
}

// collectWishes returns the comments that a note should have under its markers.
func (p *display) collectWishes(ctx context.Context, n noteKey, src []byte) (wishes, error) {
	claims, err := p.writer.opts.Journal.Claims(ctx, n.root, n.rel)
	if err != nil {
		return wishes{}, err
	}
	shown, keep := make(map[string]string), make(map[string]bool)
	bared := progress.Bare(src)
	missed, known := p.listMissed(n, bared)
	for _, c := range bared.Progress {
		if strings.HasPrefix(c.ID, ofLine) {
			if known {
				shown[c.ID] = c.Text
			}
		} else if d, err := p.writer.opts.Journal.Get(ctx, c.ID); err == nil && d.Vault == n.root {
			shown[c.ID] = c.Text
		}
	}
	if len(claims)+len(shown)+len(missed) == 0 {
		p.forget(n, func(string) bool { return true })
	}
	w := wishes{stages: make(map[string]stage), bare: sha256.Sum256(bared.Text)}
	for id, s := range missed {
		at := saidMissed
		if shown[id] == "" && p.wasSavedOver(n, id, w.bare) {
			at = saidAgain
		}
		if s.Leave = s.Leave || !p.isNew(n, id, at); !s.Leave && shown[id] != s.Comment {
			w.stages[id] = at
		}
		keep[id] = true
		w.signs = append(w.signs, s)
	}
	for _, c := range claims {
		d, err := p.writer.opts.Journal.Get(ctx, c.Dispatch)
		if err != nil {
			return wishes{}, err
		}
		s, at, err := p.signFor(ctx, n, d, bared.Page, shown[d.ID])
		if err != nil {
			return wishes{}, err
		}
		s.Place = placeOf(c.Marker)
		s.Trace = c.Trace()
		keep[d.ID] = keep[d.ID] || at != saidNothing
		if s.Comment != "" && shown[d.ID] != s.Comment {
			w.stages[d.ID] = at
		}
		w.signs = append(w.signs, s)
	}
	p.takeAway(n, shown, keep, w.stages)
	w.ours = func(id string) bool { return shown[id] != "" }
	return w, nil
}

// signFor returns what is to be said of a dispatch under a marker of its, where the note says now, and which stage that is.
func (p *display) signFor(ctx context.Context, n noteKey, d journal.Dispatch, in *note.Page, now string) (s rewrite.Sign, at stage, err error) {
	at, text := p.describeStage(d, time.Now())
	s = rewrite.Sign{ID: d.ID, Comment: progress.Comment(d.ID, text)}
	if at == saidProposed {
		if s.Comment, err = p.showProposal(ctx, n, d, in.Doc(), now); err != nil {
			return s, at, err
		}
	}
	if s.Leave = at == saidBefore || at != saidNothing && !p.isNew(n, d.ID, at); s.Leave || at == saidNothing {
		s.Comment = ""
	}
	return s, at, nil
}

// takeAway removes the comments that say nothing any more. If another program has brought one back, it
// is left alone and no longer counts as ours.
func (p *display) takeAway(n noteKey, shown map[string]string, keep map[string]bool, stages map[string]stage) {
	for id := range shown {
		switch {
		case keep[id]:
		case p.isNew(n, id, saidNothing):
			stages[id] = saidNothing
		default:
			delete(shown, id)
		}
	}
}

// ofLine begins the ids of comments that tell of a line that is not taken up. An id of a dispatch
// has more characters.
const ofLine = "line"

// listMissed returns the comments for the lines of a note that are not taken up, by id.
func (p *display) listMissed(n noteKey, bared progress.Bared) (signs map[string]rewrite.Sign, known bool) {
	missed, known := p.engine.MissedIn(n.root, n.rel, bared.Page)
	lines := note.Lines(bared.Text)
	signs = make(map[string]rewrite.Sign, len(missed))
	for _, m := range missed {
		if m.Line < 1 || m.Line > len(lines) || !p.Enabled {
			continue
		}
		sum := fnv.New32a()
		fmt.Fprintf(sum, "%s\n%s", lines[m.Line-1], m.Reason)
		id := fmt.Sprintf("%s%08x", ofLine, sum.Sum32())
		signs[id] = rewrite.Sign{Line: m.Line, ID: id, Leave: !m.Say, Comment: progress.Comment(id, "not taken up: "+m.Reason)}
	}
	return signs, known
}

// forget drops the stages of the given ids in a note, except those that were removed from it.
func (p *display) forget(n noteKey, those func(id string) bool) {
	p.edit(n, func(s *noteState) {
		maps.DeleteFunc(s.stages, func(id string, at stage) bool { return at != saidNothing && those(id) })
		if len(s.stages) == 0 {
			s.stages, s.bare = nil, [32]byte{}
		}
	})
}

// wasSavedOver reports whether the comment of a line that is not taken up is gone because an editor
// saved its older text: then other text of the note has changed as well. If only the comment is gone,
// a person has removed it, and it is not written again.
func (p *display) wasSavedOver(n noteKey, id string, bare [32]byte) bool {
	is := false
	p.edit(n, func(s *noteState) {
		if is = s.stages[id] == saidMissed && s.bare != bare; !is && s.stages[id] == saidMissed {
			s.stages[id] = saidAgain
		}
	})
	return is
}

// isNew reports whether a stage was not written yet. A dispatch that was over begins
// anew when a person wants it to.
func (p *display) isNew(n noteKey, id string, s stage) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.notes.Of(n).stages[id]
	return s > said || said >= saidFailed && s < saidFailed
}

// longWait is how far ahead a next try is that is worth a word.
const longWait = time.Minute

// describeStage says in words how far a dispatch has come. It says nothing about an answer
// that is about to be written or taken back: that write removes the comment.
func (p *display) describeStage(d journal.Dispatch, now time.Time) (stage, string) {
	const clock = "15:04"
	switch {
	case !p.Enabled:
		return saidNothing, ""
	case d.Status == journal.Failed:
		return saidFailed, "failed because " + cmp.Or(d.Error, "of an unknown reason")
	case d.Status == journal.Held && (d.Hold == journal.ForLimit || d.Hold == journal.ForBudget):
		return saidWaiting, "waiting because " + d.Error
	case d.Status == journal.Proposed && p.Asks:
		return saidProposed, ""
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
