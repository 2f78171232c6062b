package vault

import (
	"fmt"
	"time"

	"vaultdispatcher/engine/note"
)

// This file says which notes are no prose, so that no answer belongs into them unless a person asks for it
// there.

// lookForSettings is how soon a note in a folder with templates is looked at again, in case the note app
// names that folder no more.
const lookForSettings = 30 * time.Second

// whyNoProse says in one sentence why a note is not written into unasked, or nothing, and how soon that may
// be over without a change of the note; zero = never. It touches the disk.
func (v *Vault) whyNoProse(rel string, doc note.Doc) (why string, later time.Duration) {
	switch {
	case doc.Conflict > 0:
		return fmt.Sprintf("the note is in the middle of a merge (line %d), so one side of it may go; it is asked by itself when that is resolved", doc.Conflict), 0
	case doc.Drawing:
		return "the note is a drawing (its properties have excalidraw-plugin), which an answer would change; ask in another note, or have this one asked with wiki scan", 0
	}
	if folder, ok := v.templates.Of(rel); ok {
		return fmt.Sprintf("the note is in a folder with templates (%s names %s), and an answer would be in each note made from it; ask in one of these, or have this one asked with wiki scan",
			folder.Setting, folder.Path), lookForSettings
	}
	return "", 0
}

// isModel reports whether what stands in a note was put there on purpose, for other notes or as a part of a
// drawing. It touches the disk.
func (v *Vault) isModel(rel string, doc note.Doc) bool {
	_, ok := v.templates.Of(rel)
	return ok || doc.Drawing
}
