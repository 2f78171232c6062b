package engine

import (
	"fmt"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// admitted is a group and whether it may start.
type admitted struct {
	note.Group
	status journal.Status // queued or held
	reason string         // why it is held
}

// groups sorts markers that have settled into groups and says which of them wait
// for a person. Markers that came with the note are no group with those that were
// written later.
func (v *vault) groups(doc note.Doc, ready []note.Marker, waits lineSet, reason string) []admitted {
	var strange, own []note.Marker
	for _, m := range ready {
		if waits.has(hashLine([]byte(m.Text))) {
			strange = append(strange, m)
		} else {
			own = append(own, m)
		}
	}
	var all []admitted
	for _, g := range note.GroupMarkers(strange) {
		all = append(all, admitted{g, journal.Held, reason})
	}
	most := v.engine.config.Limits.PerNote
	for _, g := range note.GroupMarkers(own) {
		a := admitted{g, journal.Queued, ""}
		if most > 0 && len(doc.Markers) > most {
			a.status = journal.Held
			a.reason = fmt.Sprintf("the note holds %d markers, more than wiki.limits.perNote (%d)", len(doc.Markers), most)
		}
		all = append(all, a)
	}
	return all
}
