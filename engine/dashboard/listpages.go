package dashboard

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/wording"
)

// historyView is the list of dispatches and how it was asked for.
type historyView struct {
	Status, Query string
	Words         []string // of the status there are
	Questions     []foundRow
	More          int  // how many to ask for next; 0 when these are all
	Cut           bool // there may be older ones that no list shows
}

// foundRow is a question with the words marked that were looked for.
type foundRow struct {
	rows.Question
	Marked, Where template.HTML
}

// findRows makes a row of each question of a list.
func findRows(list []api.Dispatch, query string) (found []foundRow) {
	for _, q := range rows.OfList(list, query) {
		found = append(found, foundRow{q, markWords(q.Text, query), markWords(q.Where(), query)})
	}
	return found
}

// markWords marks the words of a search in a text, as they were typed and in any case.
func markWords(text, query string) template.HTML {
	words := strings.Fields(query)
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	any := "(?:" + strings.Join(words, "|") + ")"
	found, err := regexp.Compile("(?i)" + any + `(?:\s+` + any + ")*") // words side by side have one mark
	if err != nil || len(words) == 0 {
		return template.HTML(template.HTMLEscapeString(text))
	}
	var b strings.Builder
	end := 0
	for _, at := range found.FindAllStringIndex(text, -1) {
		b.WriteString(template.HTMLEscapeString(text[end:at[0]]) + "<mark>" + template.HTMLEscapeString(text[at[0]:at[1]]) + "</mark>")
		end = at[1]
	}
	return template.HTML(b.String() + template.HTMLEscapeString(text[end:]))
}

func (d *Dashboard) historyPage(c server.Call) (any, error) {
	f, err := server.ReadFilter(c.Request, wording.NoResult, wording.Undone)
	if err != nil {
		return nil, err
	}
	v := historyView{Status: f.Status, Query: strings.TrimSpace(f.Query)}
	if f.Query = v.Query; wording.StatusOf(f.Status) != f.Status {
		f.Status, f.Limit = wording.StatusOf(f.Status), api.MostListed
	}
	list, err := d.backend.Dispatches(c.Request.Context(), f)
	if err != nil {
		return nil, err
	}
	// Markers that settle have no record yet, so they have no history.
	v.Words = slices.DeleteFunc(slices.Concat(api.StatusWords, []string{wording.NoResult, wording.Undone}), func(word string) bool { return word == "settling" })
	v.Questions = slices.DeleteFunc(findRows(list, f.Query), func(q foundRow) bool { return !q.IsOf(v.Status) })
	switch full := len(list) >= f.Limit; {
	case full && f.Limit < api.MostListed:
		v.More = min(f.Limit*4, api.MostListed)
	case full:
		v.Cut = true
	}
	return d.showPage(c, "history", "History", v)
}

// dispatchView is one dispatch and what can be done to it.
type dispatchView struct {
	api.Detail
	Retry, Again, Cancel, Undo bool
	Kind                       api.HeldKind // while it is held
	Place                      noteLocation
}

func (d *Dashboard) dispatchPage(c server.Call) (any, error) {
	one, err := d.server.Questions.Dispatch(c.Request.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	in := func(words ...string) bool { return slices.Contains(words, one.Status) }
	fallen := in("failed", "cancelled") && one.NoRetry == ""
	return d.showPage(c, "dispatch", titleOfQuestions(one.Dispatch), dispatchView{Detail: one,
		Retry:  fallen || in("queued") && one.NextAttemptAt != nil,
		Again:  fallen && isAnswered(one) || in("done") && (one.Diff != "" || one.File == ""),
		Cancel: in("queued", "processing", "failed", "held", "proposed", "scheduled", "parked"),
		Kind:   api.KindOf(one.Dispatch),
		Undo:   in("done") && one.Diff != "" && one.NoUndo == "",
		Place:  d.placesOf(noteName{one.Vault, one.File})[0],
	})
}

// isAnswered says whether an agent has said something that is kept, which a retry writes.
func isAnswered(one api.Detail) bool {
	return slices.ContainsFunc(one.Answers, func(a api.Answer) bool { return a.Answer != "" })
}

// Buttons says what the buttons do whose words leave that open.
func (v dispatchView) Buttons() string {
	question, asked, answer := "the question stays in the note and is asked", "its line changes", "its answer"
	if v.Markers > 1 {
		question, asked, answer = "the questions stay in the note and are asked", "their lines change", "its answers"
	}
	var says []string
	switch {
	case v.Retry && v.Status == "queued":
		says = append(says, "Retry does not wait for the next attempt")
	case v.Retry && isAnswered(v.Detail):
		says = append(says, "Retry writes "+answer+" again", "Ask again asks the agent anew")
	case v.Retry:
		says = append(says, "Retry asks the agent once more")
	}
	if v.Cancel && v.Status != "parked" && v.File != "" {
		says = append(says, "Cancel ends it: "+question+" again when "+asked)
	}
	if len(says) == 0 {
		return ""
	}
	return strings.Join(says, "; ") + "."
}

// titleOfQuestions is the first question and how many are asked with it.
func titleOfQuestions(d api.Dispatch) string {
	title := wording.Shorten(rows.Of(d, "")[0].Text, 80)
	if d.Markers > 1 {
		title += fmt.Sprintf(" and %d more", d.Markers-1)
	}
	return title
}

// answersView are the parked answers, as many as one list holds.
type answersView struct {
	List []api.Detail
	Cut  bool // there may be older ones
}

func (d *Dashboard) answersPage(c server.Call) (any, error) {
	list, err := d.backend.Answers(c.Request.Context())
	if err != nil {
		return nil, err
	}
	return d.showPage(c, "answers", "Kept answers", answersView{List: list, Cut: len(list) >= api.MostAnswers})
}
