// Package note is the pure text side of the dispatcher: it finds the markers of
// a note, groups them and turns answers into edits. It does
// no I/O and keeps no state; every function is safe for concurrent use.
//
// Most callers need two calls: [Page.Doc] says which lines of a note ask for an
// answer and which only look as if they did, and [Respond] with [Apply] puts an
// answer, once it went through engine/note/sanitize, in the place of its marker.
// A [Page] is handed on to all that see the same bytes, so they are read once.
//
// # Promises
//
// A note is bytes. Nothing here normalises text: byte order mark, line ends, invalid UTF-8 and a missing final
// newline do not change, and [Apply] changes nothing outside the spans of its edits. Parsing is idempotent: an
// answered note holds no marker that was answered, and an answer never brings a new one. A CommonMark parser finds
// quotes, code and HTML. A line without a safe decision is not a marker but a [NearMiss] with the reason.
//
// Any Unicode space ends a role. Between the quote mark and "@agent-" only CommonMark's spaces count: a no-break
// space there begins the text of the quote, and the code that disarms answers reads lines the same way. Such a line
// is a near miss, and its mend has a plain space.
package note

// Span is the half-open byte range [Start, End) of a note's text.
type Span struct{ Start, End int }

// Key tells the groups of a note: "agent-<role>" or "agent-<role>:<TaskID>",
// the role without regard to case and the TaskID as it is spelled. People are shown [KeyText].
type Key string

// KeyText names a group as the first of its markers spells it: "agent-<Role>" or
// "agent-<Role>:<TaskID>".
func KeyText(role, taskID string) string {
	if taskID == "" {
		return "agent-" + role
	}
	return "agent-" + role + ":" + taskID
}

// Marker is a question in a block quote, begun by the line `> @agent-<Role>[:<TaskID>] <Instruction>`. It may have
// several lines; span.go tells which lines the answer replaces, and which are asked and remain.
type Marker struct {
	Role        string // as spelled in the note, composed (NFC)
	TaskID      string // empty when the marker has none
	Approve     bool   // a ! behind the role or the TaskID: its answer waits for a person's yes
	Instruction string // all that is asked, its lines joined by LF, without the quote marks and surrounding space

	Line    int    // number of its first line in the note, from 1
	Ends    int    // the last line that its answer replaces
	Asked   int    // the last line that belongs to the question; not above Ends
	Text    string // the exact bytes of the lines from Line to Ends, without the last line end
	Ordinal int    // number of markers above it with a byte-equal first line
	Span    Span   // of Text in the note
	Upper   string // nearest line above that is more than blank or quote marks, as [Neighbour] has it; "" at the top
	Lower   string // nearest non-blank line below Ends, as [Neighbour] has it; "" at the end

	First string // the prefix of the first line of the answer's block, in place of all before "@agent-"
	Rest  string // the same for every further line of the block

	Comments string // comments on the lines from Line to Ends, by LF: no part of the question, they stay behind the answer
	Name     string // the name of a block at the end of line Ends, with its ^; it is kept too

	Lists    int  // the number of lists around it
	keptOpen bool // the last comment continues below

	Terminated bool // its last line has a line end; without one it may still be being typed
}

// Key returns the key of the group the marker belongs to.
func (m Marker) Key() Key { return Key(KeyText(foldRole(m.Role), m.TaskID)) }

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

// Window is the context of one request: the lines of the note around its marker, as
// engine/note/window cuts them.
type Window struct {
	Request int    // position in the group, from 1
	See     int    // the request whose Text holds this one's lines too, from 1; 0 = own
	Text    string // lines joined by LF, valid UTF-8; empty when See is set
}
