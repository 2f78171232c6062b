package vault

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Save is the news that a note may have changed.
type Save struct {
	Rel     string    // path in the vault, with slashes
	Seen    time.Time // when we were told
	Trigger string    // watch, scan or reconcile
}

// Look follows one save from the note's bytes to queued dispatches. Looking
// twice is harmless: an answered marker is gone from the text, a claimed one
// belongs to its dispatch, and the rest settles from when it was first seen. It touches
// the disk.
func (v *Vault) Look(ctx context.Context, s Save) (note.Doc, error) {
	defer v.port.Changed()
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case v.looked <- struct{}{}:
	default:
	}

	// Claims are read before the note: a dispatch that ends in between leaves a
	// claim without a marker, which is harmless, never a marker without its claim.
	claims, err := v.readClaims(ctx, s.Rel)
	if err != nil {
		return note.Doc{}, v.lookLater(s, err)
	}
	if len(claims) > 0 {
		v.port.Hurry(v.Root, s.Rel)
	}
	raw, err := v.ReadRaw(s.Rel)
	if isNotExist(err) {
		v.settling.keepSeen(s.Rel, nil)
		return note.Doc{}, errors.Join(err, v.giveUpVanished(ctx, s.Rel, claims))
	}
	if err != nil {
		return note.Doc{}, v.handleUnread(s, err)
	}
	delete(v.missing, s.Rel)
	if v.suspects[s.Rel] && !v.isGone(s.Rel) {
		delete(v.suspects, s.Rel)
	}
	src := note.Bare(raw).Text
	defer v.updateProgress(s.Rel, len(raw) > len(src))
	if len(claims) > 0 && v.isTruncated(s, src) {
		return note.Doc{}, nil
	}
	doc := note.Parse(src)
	claims, err = v.withdrawChanged(ctx, s.Rel, doc.Markers, claims)
	if err != nil {
		return doc, v.lookLater(s, err)
	}
	if !v.met && v.IsWatched() {
		v.wakeAt(s, time.Now().Add(acquaintance)) // nothing starts before the vault was met
		return doc, nil
	}
	waits, reason, err := v.recordArrival(ctx, s, src, doc)
	if err != nil {
		return doc, v.lookLater(s, err)
	}
	free := v.keepAnswerable(PairClaims(doc.Markers, claims).Free, waits)
	if len(free) > 0 && v.WhyReadOnly(s.Rel) != "" {
		free = nil // no agent is asked for an answer that has no place
	}
	if len(free) > 0 && v.WhyForeign() != "" {
		v.settling.keepSeen(s.Rel, nil)
		v.wakeAt(s, time.Now().Add(lookForOwner))
		return doc, nil
	}
	free, some, err := v.port.Reapply(ctx, v.Root, s.Rel, src, free)
	if some {
		v.tracked[s.Rel] = true
	}
	if err != nil {
		return doc, v.lookLater(s, err)
	}
	ready, next := v.settling.settleMarkers(s.Rel, free, s.Seen, time.Now())
	v.wakeAt(s, next)
	if ready, err = v.dropClaimed(ctx, s.Rel, doc, ready); err != nil {
		return doc, v.lookLater(s, err)
	}
	return doc, v.startGroups(ctx, Settled{Save: s, Src: src, Doc: doc, Groups: v.admitGroups(doc, ready, waits, reason)})
}

// Settled is what has settled in a note.
type Settled struct {
	Save
	Src    []byte
	Doc    note.Doc
	Groups []Admitted
}

// startGroups has the groups that have settled made dispatches.
func (v *Vault) startGroups(ctx context.Context, found Settled) error {
	if len(found.Groups) == 0 {
		v.troubles.forgetNote(found.Rel)
		return nil
	}
	accepted, err := v.port.Start(ctx, v, found)
	for i, d := range accepted {
		if d.ID != "" {
			v.settling.forgetStarted(found.Rel, found.Groups[i].Markers)
			v.tracked[found.Rel] = true
		}
	}
	if err != nil {
		return v.lookLater(found.Save, err) // a full disk, say: the marker must not be forgotten
	}
	v.troubles.forgetNote(found.Rel)
	return nil
}

// updateProgress has what a note says about progress brought up to date, if it says anything or
// should. The caller holds mu.
func (v *Vault) updateProgress(rel string, says bool) {
	if says || v.opts.Config.Progress == "note" && v.tracked[rel] {
		v.port.ShowProgress(v.Root, rel)
	}
}

// dropClaimed returns the markers of ready that are no dispatch's after those of
// notes that are gone were looked for among them.
func (v *Vault) dropClaimed(ctx context.Context, rel string, doc note.Doc, ready []note.Marker) ([]note.Marker, error) {
	if len(ready) == 0 {
		return nil, nil
	}
	if some, err := v.followQuestions(ctx, ready, v.settling.firstLook(rel, ready)); err != nil || !some {
		return ready, err
	}
	claims, err := v.readClaims(ctx, rel)
	if err != nil {
		return nil, err
	}
	claimed := PairClaims(doc.Markers, claims).Claimed
	return slices.DeleteFunc(ready, func(m note.Marker) bool { return claimed[m.Span] != nil }), nil
}

// withdrawChanged ends dispatches whose line the user has changed or removed, and
// returns the claims that still hold. What an agent is already working on ends
// only when its line became another marker: a line that is merely gone may come
// back with its note, and its answer is kept in any case.
func (v *Vault) withdrawChanged(ctx context.Context, rel string, markers []note.Marker, claims []journal.Claim) ([]journal.Claim, error) {
	found := PairClaims(markers, claims)
	fresh := v.settling.listUnseen(rel, v.keepAnswerable(found.Free, nil))
	standing, ended := make(map[string]bool), make(map[string]bool)
	for _, c := range found.Claimed {
		standing[c.Dispatch] = true
	}
	for id, lost := range found.lost {
		if underWay(lost[0]) && !wasEdited(lost, fresh) || lost[0].Status == journal.Cancelled && standing[id] {
			continue
		}
		err := v.port.Cancel(ctx, id, "its line in the note has changed")
		if err != nil && !errors.Is(err, journal.ErrState) {
			return nil, err
		}
		ended[id] = err == nil
	}
	var kept []journal.Claim
	for _, c := range claims {
		if !ended[c.Dispatch] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// underWay reports whether an agent is at work for a claim, or its answer waits
// to be written.
func underWay(c journal.Claim) bool {
	return c.Status == journal.Processing || c.Status == journal.Queued && c.Answered
}

// isNotExist reports whether err says that a note is not there any more.
func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// BeginUndo claims the markers before they are back: from here on every look at
// the note knows whose they are. It waits for a look at work, and so for the disk.
func (v *Vault) BeginUndo(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	d, err := v.opts.Journal.Undoing(ctx, d.ID)
	if err == nil {
		v.tracked[d.File] = true
	}
	return d, err
}
