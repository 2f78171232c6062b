package builtin

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
)

// A quote is called an answer only where it is one, and a thing that no note has is named without a quote.
func TestForms(t *testing.T) {
	for _, file := range []string{"testdata/forms.txtar", "testdata/places.txtar"} {
		checkForms(t, file)
	}
}

func checkForms(t *testing.T, file string) {
	t.Helper()
	m, root, archive := miner(t, file)
	asked := 0
	for line := range strings.Lines(string(archive.Files[0].Data)) {
		part := strings.Split(strings.TrimSpace(line), " | ")
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Inbox.md", Requests: []agent.Request{{Line: 1, Instruction: part[1]}}})
		if err != nil {
			t.Fatal(err)
		}
		asked++
		got := "none"
		switch {
		case strings.Contains(reply.Text, "**From your notes**"):
			got = "sure"
		case strings.Contains(reply.Text, "closest:**"):
			got = "closest"
		}
		if got != part[0] || !strings.Contains(reply.Text, part[2]) {
			t.Errorf("%s\nis answered in the form %s, want %s with %q:\n%s", part[1], got, part[0], part[2], reply.Text)
		}
		if isQuoted := strings.Contains(reply.Text, "> "); got == "none" && (isQuoted || strings.Contains(reply.Text, "[[")) {
			t.Errorf("%s\nis refused, with a quote or a link:\n%s", part[1], reply.Text)
		}
	}
	if asked < 12 {
		t.Errorf("%d questions", asked)
	}
}

// Asked what X is, the note, heading or bold term of that name comes first.
func TestSubjects(t *testing.T) {
	m, root, _ := miner(t, "testdata/forms.txtar")
	for question, want := range map[string]string{
		"what is Blade Runner?": "> Genre: [[Sci-fi]]", "where is Fushimi Inari?": "> — [[Fushimi Inari",
		"what is pizza dough?": "> Here is a simple pizza dough recipe.", "was ist Catan?": "> — [[Catan",
		"what is Kyoto?": "> Categories: [[Places]]", "what is a bulk rise?": "**Bulk rise** is", "wo liegt Kyoto?": "> Categories: [[Places]]",
		"whats catan": "> — [[Catan", "qui est Fushimi Inari ?": "> — [[Fushimi Inari", "what does bulk rise mean?": "**Bulk rise** is",
		"durchsuche alle Notizen nach Catan": "> — [[Catan", "what does a capstan mean?": "turns the chain",
	} {
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Inbox.md", Requests: []agent.Request{{Line: 1, Instruction: question}}})
		if err != nil || !strings.Contains(reply.Text, want) || !strings.Contains(reply.Text, "**From your notes**") {
			t.Errorf("%s: %v\n%s", question, err, reply.Text)
		}
	}
}

// Words that say which notes are meant are understood, or refused with a sentence.
func TestScopes(t *testing.T) {
	for question, want := range map[string]struct {
		query      string
		isThisNote bool
		isRefused  bool
	}{
		"what do last week's notes say about pizza?":  {isRefused: true},
		"summarise the notes of last month":           {isRefused: true},
		"what did I write last week?":                 {isRefused: true},
		"what do my recent notes say?":                {isRefused: true},
		"was habe ich letzte Woche notiert?":          {isRefused: true},
		"qu'est-ce que j'ai écrit hier ?":             {isRefused: true},
		"what did we decide last week?":               {query: "what did we decide last week?"},
		"was steht in den Notizen der letzten Woche?": {isRefused: true},
		"summarize the whole vault":                   {isRefused: true},
		"who is Marek in the whole vault":             {query: "who is Marek  "},
		"what does this note say about pizza?":        {query: "what does this note say about pizza?", isThisNote: true},
		"summarise this note":                         {query: "summarise this note"}, // the lines around are looked up
		"who keeps the notes of the roaster?":         {query: "who keeps the notes of the roaster?"},
	} {
		query, isThisNote, refusal := readScope(question)
		if query != want.query || isThisNote != want.isThisNote || (refusal != "") != want.isRefused {
			t.Errorf("%s: %q, this note %v, refused %q", question, query, isThisNote, refusal)
		}
	}
	m, root, _ := miner(t, "testdata/forms.txtar")
	for question, want := range map[string]string{
		"what does this note say about dough?": "[[no-knead-pizza-dough", "summarize the whole vault": "Name what you look for",
	} {
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "based-cooking/no-knead-pizza-dough.md", Requests: []agent.Request{{Line: 100, Instruction: question}}})
		if err != nil || !strings.Contains(reply.Text, want) {
			t.Errorf("%s: %v\n%s", question, err, reply.Text)
		}
	}
}
