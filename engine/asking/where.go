package asking

import (
	"os"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/daily"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/syserr"
)

// FindNote returns the place of the answer and the note that the question is about: the note of the request, or
// today's note for an answer that is to be kept. It touches the disk of the vault at root.
func FindNote(root string, req api.AskRequest) (journal.Asked, string, error) {
	switch {
	case !req.Append:
		return journal.AskedTold, req.File, nil
	case req.File != "":
		return journal.AskedAppend, req.File, nil
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return "", "", api.ErrOffline
	}
	defer dir.Close()
	rel, err := daily.Note(dir.FS(), time.Now())
	if err != nil {
		return "", "", &api.Conflict{Reason: "Which note is that of today cannot be told: " + syserr.Plain(err) + "; name the note."}
	}
	return journal.AskedCreate, rel, nil
}

// WhyNotAppended says in one sentence why nothing can be added to a note, or nothing. why is what its
// vault says against it, without capital and full stop.
func WhyNotAppended(rel, why string, src []byte, question string) string {
	if why != "" {
		return "Nothing can be added to " + rel + ": " + why + "."
	}
	if err := rewrite.WhyNotAppended(src, question); err != nil {
		return "The question cannot be added to " + rel + ": " + ErrNoPlace.Error() + ", or the question would be more there than a question."
	}
	return ""
}
