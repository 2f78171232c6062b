package vault

import (
	"fmt"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Admitted is a group and whether it may start.
type Admitted struct {
	note.Group
	Status journal.Status // queued or held
	Reason string         // why it is held
}

// admitGroups sorts markers that have settled into groups and says which of them wait
// for a person. Markers that came with the note are no group with those that were
// written later.
func (v *Vault) admitGroups(doc note.Doc, ready []note.Marker, waits lineSet, reason string) []Admitted {
	var strange, own []note.Marker
	for _, m := range ready {
		if waits.hasLine(hashLine([]byte(m.Text))) {
			strange = append(strange, m)
		} else {
			own = append(own, m)
		}
	}
	var all []Admitted
	for _, g := range note.GroupMarkers(strange) {
		all = append(all, Admitted{g, journal.Held, reason})
	}
	most := v.opts.Config.Limits.PerNote
	for _, g := range note.GroupMarkers(own) {
		a := Admitted{g, journal.Queued, ""}
		if most > 0 && len(doc.Markers) > most {
			a.Status = journal.Held
			a.Reason = fmt.Sprintf("the note holds %d markers, more than wiki.limits.perNote (%d)", len(doc.Markers), most)
		}
		all = append(all, a)
	}
	return all
}
