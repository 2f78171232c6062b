// Package note is the pure text side of the dispatcher: it finds the markers of
// a note, groups them, cuts their context and turns answers into edits. It does
// no I/O and keeps no state; every function is safe for concurrent use.
//
// Most callers need two calls: [Parse] says which lines of a note ask for an
// answer and which only look as if they did, and [Respond] with [Apply] puts an
// answer, once it went through engine/note/sanitize, in the place of its marker.
//
// # Promises
//
// A note is bytes. Nothing here normalises text: byte order mark, line ends,
// invalid UTF-8 and a missing final newline stay as they are, and [Apply]
// changes nothing outside the spans of its edits. Parsing is idempotent: an
// answered note holds no marker that was answered, and an answer never brings a
// new one. What is a quote, code or HTML is decided by a CommonMark parser, and
// what cannot be decided safely is no marker but a [NearMiss] that says why.
package note

import "strings"

// Span is the half-open byte range [Start, End) of a note's text.
type Span struct{ Start, End int }

// Key names a group inside a note: "agent-<role>" or "agent-<role>:<TaskID>",
// the role in lower case and the TaskID as it is spelled.
type Key string

// Marker is one line of a block quote that asks an agent for an answer:
// `> @agent-<Role>[:<TaskID>] <Instruction>`.
type Marker struct {
	Role        string // as spelled in the note
	TaskID      string // empty when the marker has none
	Instruction string // to the end of the line, without surrounding space

	Line    int    // number of the line in the note, from 1
	Text    string // the exact bytes of the whole line, without its line end
	Ordinal int    // number of byte-equal marker lines above it
	Span    Span   // of Text in the note
	Before  string // nearest line above that is more than blank or quote marks, exact bytes; "" at the top
	After   string // nearest non-blank line below, exact bytes; "" at the end

	First string // what replaces everything before "@agent-" on the first line of the answer's block
	Rest  string // the same for every further line of the block

	Terminated bool // the line has a line end; without one it may still be being typed
}

// Key returns the key of the group the marker belongs to.
func (m Marker) Key() Key {
	if m.TaskID == "" {
		return Key("agent-" + strings.ToLower(m.Role))
	}
	return Key("agent-" + strings.ToLower(m.Role) + ":" + m.TaskID)
}

// Group is the markers of one note that share a key; it becomes one task.
// Role and TaskID are spelled as in the first of them.
type Group struct {
	Key          Key
	Role, TaskID string
	Markers      []Marker // in the order of the note; never empty
}

// GroupMarkers sorts markers into groups. Groups are in the order of their
// first marker, every marker is in exactly one.
func GroupMarkers(markers []Marker) []Group {
	var groups []Group
	at := make(map[Key]int)
	for _, m := range markers {
		i, ok := at[m.Key()]
		if !ok {
			i = len(groups)
			at[m.Key()] = i
			groups = append(groups, Group{Key: m.Key(), Role: m.Role, TaskID: m.TaskID})
		}
		groups[i].Markers = append(groups[i].Markers, m)
	}
	return groups
}
