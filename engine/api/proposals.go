package api

import "net/http"

// MostProposed is how many proposals a list holds, the newest ones.
const MostProposed = 100

// ProposalList is the answer of GET /vault-mind/proposed.
type ProposalList struct {
	Proposed []Proposal `json:"proposed"`
}

// Proposal is a dispatch whose answers wait for a person's yes.
type Proposal struct {
	Dispatch
	Answers []Answer `json:"answers"`
	Diff    string   `json:"diff"`              // the change to the note as it is now, unified
	Seen    string   `json:"seen"`              // proves that this diff was shown; accept sends it along
	Problem string   `json:"problem,omitempty"` // why there is no diff now, one sentence
}

// AcceptRequest is the body of POST /vault-mind/dispatches/{id}/accept.
type AcceptRequest struct {
	Seen string  `json:"seen"`           // of the diff that was shown
	Text *string `json:"text,omitempty"` // replaces the one answer, as the person has changed it; nil = the answer as it is
}

// RejectRequest is the body of POST /vault-mind/dispatches/{id}/reject.
type RejectRequest struct {
	Because string `json:"because,omitempty"` // why; then the question is asked again with it
}

// Changed is why a proposal is not accepted whose diff is another one than was shown.
func Changed(diff, seen string) *StatusError {
	return &StatusError{Status: http.StatusConflict, Code: "changed", Diff: diff, Seen: seen,
		Text: "What would be written is not what was shown; look at it again. Nothing was written."}
}
