package agent

import (
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
)

// AgentName returns the name of the subagent that plays a role: "vault-mind-"
// and the role in lower case.
func AgentName(role string) string { return "vault-mind-" + strings.ToLower(role) }

// NewTask returns the task of a group. The id is the dispatch's, root the
// absolute path of the vault, rel the note's path in it. The windows are those
// of the group's markers, as [note.Windows] cuts them; a marker without one has
// no context. The reference is printed whole, history first: whoever hands it
// over bounds it.
//
// What [Task.Text] and [Task.Requests] hold is cleaned: it may differ from the
// note in characters nobody can see.
func NewTask(id, root, rel string, g note.Group, windows []note.Window, ref Reference) Task {
	t := Task{
		Agent: AgentName(g.Role), Context: "fork",
		ID: id, Role: g.Role, TaskID: g.TaskID, Root: root, Note: rel,
		Requests:  NewRequests(g.Markers, windows),
		Reference: Reference{History: cleanHistory(ref.History), Related: cleanRelated(ref.Related)},
		fence:     newFence(),
	}
	t.Text = t.renderPrompt()
	return t
}

// NewRequests joins every marker with its window. A window finds its marker by
// number, so a list with gaps puts no context under the wrong request.
func NewRequests(markers []note.Marker, windows []note.Window) []Request {
	list := make([]Request, len(markers))
	for i, m := range markers {
		list[i] = Request{Line: m.Line, Instruction: cleanLine(m.Instruction)}
	}
	for _, w := range windows {
		if w.Request < 1 || w.Request > len(list) {
			continue
		}
		r := &list[w.Request-1]
		if w.See > 0 && w.See != w.Request {
			r.See = w.See
			continue
		}
		r.Context = strings.Trim(cleanText(w.Text), "\n")
	}
	return list
}

func cleanHistory(history []Exchange) []Exchange {
	var list []Exchange
	for _, e := range history {
		e.Note, e.Question, e.Answer = cleanLine(e.Note), cleanLine(e.Question), cleanText(e.Answer)
		list = append(list, e)
	}
	return list
}

func cleanRelated(related []Related) []Related {
	var list []Related
	for _, r := range related {
		r.Link, r.Why, r.Text = cleanLine(r.Link), cleanLine(r.Why), strings.Trim(cleanText(r.Text), "\n")
		list = append(list, r)
	}
	return list
}

// renderPrompt prints the prompt: the opening sentence, what the fence means, the
// reference, the requests in their order, and the form of the reply.
func (t Task) renderPrompt() string {
	blocks := []string{openingSentence(len(t.Requests))}
	if t.hasQuotes() {
		blocks = append(blocks, t.fence.rule())
	}
	if len(t.History) > 0 {
		blocks = append(blocks, historyHead+t.fence.quote(printHistory(t.History)))
	}
	if len(t.Related) > 0 {
		blocks = append(blocks, "Related passages of other notes, for reference only. "+
			"Cite one by its link if you use it.\n"+t.fence.quote(printRelated(t.Related)))
	}
	for i, r := range t.Requests {
		blocks = append(blocks, fmt.Sprintf("Request %d (Line %d): %s\nContext: %s",
			i+1, r.Line, r.Instruction, t.printContext(r)))
	}
	return strings.Join(append(blocks, replyForm(len(t.Requests))), "\n\n")
}

// historyHead is how the block of the project history begins.
const historyHead = "Project history, for reference only: what was asked and answered before, oldest first.\n"

// Prompt is all an agent is told, in one text: the role's own words and the
// task, project history included.
func (t Task) Prompt() string { return t.behindSystem(t.Text) }

// Alone is [Task.Prompt] without the project history, for an agent that has it
// from its session.
func (t Task) Alone() string { return t.behindSystem(t.WithoutHistory()) }

func (t Task) behindSystem(text string) string {
	if Blank(t.System) {
		return text
	}
	return strings.TrimSpace(t.System) + "\n\n" + text
}

// Turns is [Task.History] as it may be handed to an agent in messages: without
// what nobody can see, and without a turn that says nothing.
func (t Task) Turns() []Exchange {
	return slices.DeleteFunc(cleanHistory(t.History), func(e Exchange) bool {
		return Blank(e.Question) || Blank(e.Answer)
	})
}

// WithoutHistory is Text without the block of the project history, for runners
// that hand [Task.History] over in another way. The block is known by what
// stands before it, which is ours alone, and ends where its own fence does.
func (t Task) WithoutHistory() string {
	before, rest, found := strings.Cut(t.Text, "\n\n"+historyHead+"<data-")
	if !found {
		return t.Text
	}
	name, rest, _ := strings.Cut(rest, ">\n")
	_, after, closed := strings.Cut(rest, "\n"+fence(name).close())
	if !closed || before != openingSentence(len(t.Requests))+"\n\n"+fence(name).rule() {
		return t.Text // the head stands in somebody's quoted text
	}
	return before + after
}

// hasQuotes reports whether anything of the prompt stands in the fence.
func (t Task) hasQuotes() bool {
	for _, r := range t.Requests {
		if r.Context != "" {
			return true
		}
	}
	return len(t.History)+len(t.Related) > 0
}

func (t Task) printContext(r Request) string {
	switch {
	case r.See > 0:
		return fmt.Sprintf("see Request %d", r.See)
	case r.Context == "":
		return "none"
	}
	return t.fence.quote(r.Context)
}

func openingSentence(n int) string {
	if n == 1 {
		return "There is 1 request from the user's document below; answer it individually."
	}
	return fmt.Sprintf("There are %d requests from the user's document below; answer each of them individually.", n)
}

// replyForm says what a reply has to look like; [ParseReply] is its other half.
func replyForm(n int) string {
	if n == 1 {
		return "Reply with the answer alone, as markdown text."
	}
	return fmt.Sprintf("Reply with one JSON object and nothing else, with one entry for each of the %d requests, "+
		"every answer being markdown text: "+`{"responses":[{"request":1,"answer":"..."}]}`, n)
}

func printHistory(history []Exchange) string {
	var list []string
	for _, e := range history {
		head := e.Note
		if !e.At.IsZero() {
			head = e.At.UTC().Format("2006-01-02 15:04") + " " + e.Note
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s\nQuestion: %s\nAnswer: %s",
			head, e.Question, strings.Trim(e.Answer, "\n"))))
	}
	return strings.Join(list, "\n\n")
}

func printRelated(related []Related) string {
	var list []string
	for _, r := range related {
		list = append(list, fmt.Sprintf("%s (%s)\n%s", r.Link, r.Why, r.Text))
	}
	return strings.Join(list, "\n\n")
}

// WithPrevious returns the task with the answer of the group before it in the
// same note, as reference text behind everything the prompt already says. An
// empty answer changes nothing.
func (t Task) WithPrevious(answer string) Task {
	if Blank(answer) {
		return t
	}
	return t.appendQuoted(
		"The requests before these in the same note were answered as follows, for reference only.",
		answer,
		"Now reply as this task asks.")
}

// appendQuoted appends one block of quoted text between two sentences of ours. It is
// also right for a task that was not made by [NewTask].
func (t Task) appendQuoted(before, quoted, after string) Task {
	if t.fence == "" {
		t.fence = newFence()
	}
	if !strings.Contains(t.Text, t.fence.rule()) {
		before += " " + t.fence.rule()
	}
	block := before + "\n" + t.fence.quote(quoted) + "\n\n" + after
	t.Text = strings.TrimLeft(t.Text+"\n\n"+block, "\n")
	return t
}
