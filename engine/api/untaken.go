package api

import "strings"

// Untaken is something that was asked and is not taken up.
type Untaken struct {
	Vault  string `json:"vault"`
	File   string `json:"file"` // empty = all of the vault
	Line   int    `json:"line"` // 0 = all of the note
	Text   string `json:"text"`
	Reason string `json:"reason"` // one sentence that fits behind a colon
	Mend   string `json:"mend"`   // the line as it would be taken up; empty = not known
	Kind   string `json:"kind"`   // miss, hidden, role, private, readonly, foreign, copy, place, paused, unread or held
	Quiet  bool   `json:"quiet"`  // shown only on request
}

// WantsMending reports whether a person has to do something in the note, or about its role: what is
// held, paused, left to another machine, asked in another note or hidden on purpose is told elsewhere or meant so.
func (u Untaken) WantsMending() bool {
	switch u.Kind {
	case "miss", "role", "private", "readonly", "place", "unread":
		return true
	}
	return false
}

// Role is the role that the line asks and no agent answers; empty where another one may be meant.
func (u Untaken) Role() string {
	_, after, _ := strings.Cut(u.Text, "@agent-")
	role, _, _ := strings.Cut(after, " ")
	if role, _, _ = strings.Cut(role, ":"); u.Kind != "role" || u.Mend != "" {
		return ""
	}
	return role
}
