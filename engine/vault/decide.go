package vault

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

// Decision is a line in which a person decides about the proposal of the question right above.
type Decision struct {
	Root, Rel string // of the note
	Dispatch  string
	Word      string // yes or no
	Shown     string // the comment between them; "" = the line did not come as a person types it, and decides nothing
	key       note.Key
	settled   bool
}

// isDecision is the rule by which a line decides and is never asked.
const isDecision = "decision"

// findDecisions returns the settled lines that decide, in a trusted note, if this engine saw them
// appear. A line that came with its note, with many others, or while the vault was not watched
// never decides anything. The caller holds mu.
func (v *Vault) findDecisions(s Save, bared progress.Bared, seen Looked, claims []journal.Claim, came past.Came) []Decision {
	if !v.opts.Config.Approve.InNote {
		return nil
	}
	if !bytes.Contains(bared.Source, []byte("@agent-")) {
		v.notes.Edit(s.Rel, func(n *noteState) { n.deciding = nil })
		return nil
	}
	markers := seen.Doc.Markers
	claimed := follow.PairClaims(markers, claims).Claimed
	settled := make(map[int]bool) // by line; of those that no dispatch has
	for _, q := range seen.Questions {
		if settled[q.Line] = q.Rule == isDecision && q.Recheck.IsZero(); settled[q.Line] {
			v.settling.ForgetStarted(s.Rel, []note.Marker{q.Marker}) // it never starts
		}
	}
	if s.New || s.Crowded || seen.foreign || v.bulk.WhyBack(s.Rel) != "" {
		s.source = foreign
	}
	found, standing := []Decision{}, make(map[note.Key]int)
	for i, m := range markers {
		word := progress.DecisionOf(m)
		if word == "" {
			continue
		}
		if standing[m.Key()]++; i == 0 {
			continue
		}
		above := markers[i-1]
		c := claimed[above.Span]
		if c == nil || c.Status != journal.Proposed || m.Key() != above.Key() {
			continue
		}
		d := Decision{Root: v.Root, Rel: s.Rel, Dispatch: c.Dispatch, Word: word, key: m.Key(), settled: settled[m.Line]}
		if claimed[m.Span] == nil && !came.Holds(note.Head(m.Text)) {
			d.Shown = bared.Between(above, m, c.Dispatch)
		}
		found = append(found, d)
	}
	if s.source == saved && len(found) > 0 && !isAsTold(v.Root, s) { // the watcher will tell of what was read
		s.source = untold
	}
	v.notes.Edit(s.Rel, func(n *noteState) {
		n.deciding, found = n.deciding.judge(s.source, decidingLines{sha256.Sum256(bared.Source), standing, make(map[string]string)}, found)
	})
	return found
}

// isAsTold reports whether the note of s below root is still the one that the watcher has told
// of. One that was read before may be that alone.
func isAsTold(root string, s Save) bool {
	e, err := disk.Inspect(filepath.Join(root, filepath.FromSlash(s.Rel)))
	return err == nil && e.Stamp == s.stamp
}

// source is how what is new in a note came, as far as can be told.
type source uint8

const (
	untold  source = iota // nothing is known to be new; the watcher tells of what is
	saved                 // all of it was saved on this machine, just before the watcher was told
	foreign               // some of it was not
)

// decidingLines are the lines of a note that decide, as the last look at what the watcher has
// told of has found them. A line counts only if a look has found it below a comment, in what was
// saved since an earlier look found fewer such lines in the note. So no line that was there
// before decides about another proposal, wherever that is pasted.
type decidingLines struct {
	sum      [32]byte          // of the note
	standing map[note.Key]int  // how many lines decide
	typed    map[string]string // what was typed below a comment that shows a proposal
}

// judge compares the lines that decide now with those of the look before, nil where no look has found any. It returns the
// lines to remember and the decisions. A decision that can never count has no Shown; one that the watcher has not
// reported yet is left out.
func (l *decidingLines) judge(from source, now decidingLines, found []Decision) (next *decidingLines, decisions []Decision) {
	var before decidingLines
	if l != nil {
		before = *l
	}
	added := make(map[note.Key]int)
	for _, d := range found {
		if before.typed[d.Shown] == "" {
			added[d.key]++
		}
	}
	isNew := func(key note.Key) bool { return l != nil && added[key] <= now.standing[key]-before.standing[key] }
	for _, d := range found {
		was := before.typed[d.Shown]
		switch {
		case d.Shown == "", from == foreign, from == saved && was == "" && !isNew(d.key):
			d.Shown = ""
			decisions = append(decisions, d)
		case from == saved || was == d.Word:
			if now.typed[d.Shown] = d.Word; d.settled {
				decisions = append(decisions, d)
			}
		case was != "":
			now.typed[d.Shown] = was
		}
	}
	if from != untold {
		return &now, decisions
	}
	if l != nil {
		l.typed = now.typed
	}
	return l, decisions
}

// WillReplace is called before the engine overwrites a note whose sum is base; brings says whether the new text comes from
// elsewhere. The watcher may then see only that text, so lines that no look has seen are judged now. Where lines of a note
// decide at all, it waits for a look.
func (s *Set) WillReplace(root, path string, base [32]byte, brings bool) {
	v := s.At(root)
	rel, err := filepath.Rel(root, path)
	if v == nil || err != nil || !v.opts.Config.Approve.InNote {
		return
	}
	rel = filepath.ToSlash(rel)
	v.mu.Lock()
	before := v.notes.Of(rel).deciding
	v.mu.Unlock()
	if before == nil || before.sum == base && !brings { // where no look has found lines, none that is found later counts
		return
	}
	now := time.Now()
	if e, err := disk.Inspect(path); brings || err != nil || !e.Stamp.IsSave(now, v.Watcher.Stats().Pause) {
		v.debounce.Add(watch.Event{Path: rel, Kind: watch.Changed, Time: now, Via: watch.ViaNative, Stamp: e.Stamp})
	}
}
