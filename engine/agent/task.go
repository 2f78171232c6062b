package agent

import (
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/note"
)

// AgentName returns the name of the subagent that plays a role: "vault-mind-"
// and the role in lower case.
func AgentName(role string) string { return "vault-mind-" + strings.ToLower(role) }

// NewTask returns the task of a group. The id is the dispatch's, root is the absolute path of the vault, and rel is
// the note's path in it. The windows belong to the group's markers and come from engine/note/window; a marker without
// one has no context. The reference is printed whole, history first: its caller limits the size.
//
// [Task.Text] and [Task.Requests] are cleaned: they may lack invisible characters of the note.
func NewTask(id, root, rel string, g note.Group, windows []note.Window, ref Reference) Task {
	t := Task{
		Agent: AgentName(g.Role), Context: "fork",
		ID: id, Role: g.Role, TaskID: g.TaskID, Root: root, Note: rel,
		Requests:  NewRequests(g.Markers, windows),
		Reference: Reference{Place: cleanLine(ref.Place), History: cleanHistory(ref.History), Related: cleanRelated(ref.Related), Date: ref.Date},
		fence:     newFence(),
	}
	t.Text = t.renderPrompt()
	if !t.hasQuotes() {
		t.fence = "" // the text quotes nothing
	}
	return t
}

// NewRequests joins every marker with its window. A window finds its marker by
// number, so a list with gaps puts no context under the wrong request.
func NewRequests(markers []note.Marker, windows []note.Window) []Request {
	list := make([]Request, len(markers))
	for i, m := range markers {
		list[i] = Request{Line: m.Line, Instruction: cleanLines(m.Instruction)}
		lines := strings.SplitAfter(list[i].Instruction, "\n")
		list[i].Own = strings.TrimSuffix(strings.Join(lines[:min(len(lines), note.CountLines(m.Text))], ""), "\n")
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
// reference, the note, the requests in their order, the day and the form of the reply.
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
	if t.Note != "" {
		blocks = append(blocks, "The document is this note of the user's: "+t.fence.quoteLine(t.printPlace()))
	}
	for i, r := range t.Requests {
		blocks = append(blocks, fmt.Sprintf("Request %d (Line %d): %s\nContext: %s",
			i+1, r.Line, r.Instruction, t.printContext(r)))
	}
	form := replyForm(len(t.Requests))
	if !t.Date.IsZero() {
		form = t.Date.Format("Today is Monday, 2 January 2006.") + " " + form
	}
	return strings.Join(append(blocks, form), "\n\n")
}

// historyHead is how the block of the project history begins.
const historyHead = "Project history, for reference only: what was asked and answered before, oldest first.\n"

// Prompt is all an agent is told, in one text: the role's own words and the
// task, project history included.
func (t Task) Prompt() string { return t.behindSystem(t.Text) }

// PromptWithoutHistory is [Task.Prompt] without the project history, for an agent that has it
// from its session.
func (t Task) PromptWithoutHistory() string { return t.behindSystem(t.WithoutHistory()) }

func (t Task) behindSystem(text string) string {
	if replies.Blank(t.System) {
		return text
	}
	return strings.TrimSpace(t.System) + "\n\n" + text
}

// Turns is [Task.History] as messages for an agent, without invisible characters and without empty turns.
func (t Task) Turns() []Exchange {
	return slices.DeleteFunc(cleanHistory(t.History), func(e Exchange) bool {
		return replies.Blank(e.Question) || replies.Blank(e.Answer)
	})
}

// WithoutHistory is Text without the block of the project history, for runners that hand [Task.History] over in
// another way. The block begins behind text of our own and ends with its own fence.
func (t Task) WithoutHistory() string {
	f, behind, ruled := t.findFence()
	rest, found := strings.CutPrefix(behind, "\n\n"+historyHead+f.open()+"\n")
	_, after, closed := strings.Cut(rest, "\n"+f.close())
	if !ruled || !found || !closed {
		return t.Text // a head elsewhere is quoted text
	}
	return strings.TrimSuffix(t.Text, behind) + after
}

// hasQuotes reports whether the prompt has text for the fence.
func (t Task) hasQuotes() bool {
	for _, r := range t.Requests {
		if r.Context != "" {
			return true
		}
	}
	return t.Note != "" || len(t.History)+len(t.Related) > 0
}

// printPlace is the note as a link, its path, and what it says of itself.
func (t Task) printPlace() string {
	place := fmt.Sprintf("[[%s]]; %s", strings.TrimSuffix(t.Note[strings.LastIndexByte(t.Note, '/')+1:], ".md"), t.Note)
	if t.Place != "" {
		place += "; " + t.Place
	}
	return place
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

// replyForm says what a reply has to look like; [replies.Parse] is its other half.
func replyForm(n int) string {
	if n == 1 {
		return "Reply with the answer alone, as markdown text, in the language of the request."
	}
	return fmt.Sprintf("Reply with one JSON object and nothing else, with one entry for each of the %d requests, "+
		"every answer being markdown text in the language of its request: "+`{"responses":[{"request":1,"answer":"..."}]}`, n)
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
	if replies.Blank(answer) {
		return t
	}
	return t.appendQuoted(
		"The requests before these in the same note were answered as follows, for reference only.",
		answer,
		"Now reply as this task asks.")
}

// WithRejected returns the task with the answer that a person did not want, and that person's reason.
func (t Task) WithRejected(answer, because string) Task {
	if replies.Blank(because) {
		return t
	}
	return t.appendQuoted("The user did not accept the answer below, for this reason: "+cleanLine(because), answer, "Now reply as this task asks, and heed the reason.")
}

// WithMaterial returns the task with text that is data behind what it says, between two texts of ours. It is
// for a task without requests, which [NewTask] has not made.
func (t Task) WithMaterial(before, quoted, after string) Task {
	if t.fence == "" {
		t.fence = newFence() // the material may come from an agent that has seen an earlier one
	}
	return t.appendQuoted(before, quoted, after)
}

// appendQuoted appends one block of quoted text between two sentences of ours. It is
// also right for a task that was not made by [NewTask].
func (t Task) appendQuoted(before, quoted, after string) Task {
	if t.fence == "" {
		t.fence = t.keptFence()
	}
	if !strings.Contains(t.Text, t.fence.rule()) {
		before += " " + t.fence.rule()
	}
	block := before + "\n" + t.fence.quote(quoted) + "\n\n" + after
	t.Text = strings.TrimLeft(t.Text+"\n\n"+block, "\n")
	return t
}
