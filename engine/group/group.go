// Package group makes a group of markers a dispatch of the journal, and reads the group from the dispatch again.
package group

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/window"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/wording"
)

// Found is the note that a group is in, as it was saved.
type Found struct {
	Root, Rel string
	Page      *note.Page
	Doc       note.Doc
}

// NewDispatch is the record of a group that is asked now, with what an agent sees of the note around each marker: enough to find
// its lines again, and the context as it was saved.
func NewDispatch(now time.Time, in Found, g note.Group, frame window.Frame) journal.Dispatch {
	markers := make([]journal.Marker, len(g.Markers))
	for i, r := range agent.NewRequests(g.Markers, window.Cut(in.Page.Text, in.Doc, g, frame)) {
		m := g.Markers[i]
		markers[i] = journal.Marker{Trace: m.Trace(), Instruction: m.Instruction, Context: r.Context, See: r.See}
	}
	return journal.Dispatch{
		ID: ids.New(now), Vault: in.Root, File: in.Rel, Key: string(g.Key), Role: g.Role, TaskID: g.TaskID, Agent: agent.AgentName(g.Role),
		Place: placeOf(in, g), Status: journal.Queued, Created: now, Markers: markers,
	}
}

// FrameOf returns what an agent sees of a note around a question.
func FrameOf(around config.Context, in *note.Page) window.Frame {
	f := window.Frame{LinesAbove: around.LinesAbove, LinesBelow: around.LinesBelow, Bytes: around.Bytes}
	if !around.Comments {
		f.Hidden = page.Comments(in)
	}
	return f
}

// placeOf is what a note says of where a group is in it: its dates, and the headings above the markers.
func placeOf(in Found, g note.Group) string {
	p := page.Read(in.Rel, in.Page)
	says, heads := p.Dates, make([]string, len(g.Markers))
	for i, m := range g.Markers {
		heads[i] = wording.Shorten(p.HeadingsAbove(m.Line), 200)
	}
	if len(slices.Compact(slices.Clone(heads))) == 1 {
		heads = heads[:1]
	}
	for i, h := range heads {
		switch {
		case h != "" && len(heads) == 1:
			says = append(says, "under "+h)
		case h != "":
			says = append(says, fmt.Sprintf("request %d under %s", i+1, h))
		}
	}
	return wording.Shorten(strings.Join(says, "; "), 2000)
}

// Of returns a dispatch's group and the windows of its markers as they were accepted.
func Of(d journal.Dispatch) (note.Group, []note.Window) {
	g := note.Group{Key: note.Key(d.Key), Role: d.Role, TaskID: d.TaskID}
	var windows []note.Window
	for i, m := range d.Markers {
		g.Markers = append(g.Markers, note.Marker{Line: m.Line, Text: m.Text, Instruction: window.Words(m.Instruction)})
		windows = append(windows, note.Window{Request: i + 1, See: m.See, Text: m.Context})
	}
	return g, windows
}

// TaskText returns the text of a dispatch's task, also of one that was not asked yet.
func TaskText(d journal.Dispatch) string {
	if d.Task != "" {
		return d.Task
	}
	g, windows := Of(d)
	return agent.NewTask(d.ID, d.Vault, d.File, g, windows, agent.Reference{Place: d.Place, Date: time.Now()}).Text
}
