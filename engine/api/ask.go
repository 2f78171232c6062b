package api

import "strings"

// AskRequest is the body of POST /vault-mind/ask.
type AskRequest struct {
	Question string `json:"question"`
	Role     string `json:"role,omitempty"`   // empty = Miner
	Vault    string `json:"vault,omitempty"`  // its name; empty = the note's, that of the folder, or the one that the question is about
	Folder   string `json:"folder,omitempty"` // where the person is; outside of all vaults it says nothing
	File     string `json:"file,omitempty"`   // the note it is asked about, and appended to
	Append   bool   `json:"append,omitempty"` // writes question and answer into the note; without one into that of today
	Proof    bool   `json:"proof,omitempty"`  // of setup: nothing of it is kept once its call has ended
	Public   bool   `json:"public,omitempty"` // its answer is for another agent: of notes that one may read, about no note and into none
}

// Answered is the answer of POST /vault-mind/ask, and the event "answer" of its stream.
type Answered struct {
	Dispatch string   `json:"dispatch"`
	Vault    string   `json:"vault,omitempty"` // the one that was asked, where there are several
	Answer   string   `json:"answer"`
	Result   string   `json:"result,omitempty"` // none: it says that nothing was found or made
	Sources  []Source `json:"sources"`
	File     string   `json:"file,omitempty"`   // the note it was appended to
	Notice   string   `json:"notice,omitempty"` // why it is not there (yet), one sentence
}

// Source is a note that an answer names.
type Source struct {
	File    string `json:"file"`    // in the vault, with slashes
	Heading string `json:"heading"` // breadcrumb, " › " between levels; empty = all of it
}

// Accepted is the event "accepted" of the stream of POST /vault-mind/ask.
type Accepted struct {
	Dispatch string `json:"dispatch"`
}

// Said is the event "said" of that stream: the next piece of what the agent says, while it says it.
// The answer is what the event "answer" has, whatever was said.
type Said struct {
	Text string `json:"text"`
	Anew bool   `json:"anew,omitempty"` // the earlier pieces are no part of the answer
}

// NextSaid is the piece that is new in all that was said so far; false = none is.
func NextSaid(before, now string) (piece Said, isNew bool) {
	if rest, goesOn := strings.CutPrefix(now, before); goesOn {
		return Said{Text: rest}, rest != ""
	}
	return Said{Text: now, Anew: true}, now != ""
}

// DefaultRole answers where no role is named.
const DefaultRole = "Miner"
