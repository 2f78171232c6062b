package vault

import (
	"bytes"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/watch/disk"
)

// Decision is a line in which a person decides about the proposal of the question right above.
type Decision struct {
	Root, Rel string // of the note
	Dispatch  string
	Word      string // yes or no
	Shown     string // the comment between them; "" = the line did not come as a person types it, and decides nothing
}

// isDecision is the rule by which a line decides and is never asked.
const isDecision = "decision"

// A sync program sets the time of a note to that of the save elsewhere, often after it has written the
// note. So a note that a person has just saved is not much older than its news, and was not changed in
// another way after its text was written.
const (
	lateDecision = 10 * time.Second
	longestSave  = 2 * time.Second
)

// findDecisions returns the settled lines that decide, in a trusted note, if this engine saw them
// appear. A line that came with its note, with many others, or while the vault was not watched never
// decides anything. The caller holds mu.
func (v *Vault) findDecisions(s Save, raw []byte, seen Looked, claims []journal.Claim, came past.Came) (found []Decision) {
	if !v.opts.Config.Approve.InNote || !bytes.Contains(raw, []byte("@agent-")) {
		return nil
	}
	bared, markers := progress.Bare(raw), seen.Doc.Markers
	claimed := follow.PairClaims(markers, claims).Claimed
	settled, told := make(map[int]bool), make(map[int]time.Time) // by line
	for _, q := range seen.Questions {
		told[q.Line] = v.settling.Noticed(s.Rel, q.Marker)
		if settled[q.Line] = q.Rule == isDecision && q.Recheck.IsZero(); settled[q.Line] {
			v.settling.ForgetStarted(s.Rel, []note.Marker{q.Marker}) // it never starts
		}
	}
	for i := 1; i < len(markers); i++ {
		m, above := markers[i], markers[i-1]
		c, word := claimed[above.Span], progress.DecisionOf(m)
		if c == nil || c.Status != journal.Proposed || word == "" || m.Key() != above.Key() {
			continue
		}
		d := Decision{Root: v.Root, Rel: s.Rel, Dispatch: c.Dispatch, Word: word}
		if came.Holds(note.Head(m.Text)) || !v.isTyped(s, bared.Text, told[m.Line]) {
			found = append(found, d)
		} else if d.Shown = bared.Between(above, m, c.Dispatch); settled[m.Line] {
			found = append(found, d)
		}
	}
	return found
}

// isTyped reports whether what is new in a note is what a person has just saved, as far as can be told. The watcher was told of it
// at that time: a busy machine may look much later.
func (v *Vault) isTyped(s Save, src []byte, told time.Time) bool {
	if s.Trigger == "reconcile" || s.New || s.Crowded || v.memory.IsUntrusted(s.Rel, src) || v.bulk.WhyBack(s.Rel) != "" {
		return false
	}
	e, err := disk.Inspect(filepath.Join(v.Root, filepath.FromSlash(s.Rel)))
	saved := time.Unix(0, e.Stamp.MTime)
	return err == nil && time.Duration(e.Stamp.CTime-e.Stamp.MTime) < longestSave && told.Sub(saved) < lateDecision && saved.Sub(s.Time) < lateDecision
}
