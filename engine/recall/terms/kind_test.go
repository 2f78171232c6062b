package terms

import "testing"

func TestKindOf(t *testing.T) {
	for question, want := range map[string]Kind{
		"How many eggs?": Number, "Wie viele Eier?": Number, "有多少个蛋": Number, "When was it?": Date, "Wann war das?": Date,
		"Who painted it?": Person, "Wo ist der Schlüssel?": Place, "what is a heron": Definition, "什么是焯水？": Definition,
		"How do I clean it?": Steps, "怎么做": Steps, "Which birds?": Listing, "heron": Any,
		"How long does it fly?": Duration, "Wie viel Zeit braucht es?": Duration, "Combien de temps ?": Duration, "要多久": Duration,
		"Quel pourcentage des œufs ?": Percentage, "At what temperature?": Temperature, "Oven temperature for bread?": Temperature,
	} {
		if got := KindOf(question); got != want {
			t.Errorf("%q asks for %d, want %d", question, got, want)
		}
	}
}

// A number of some of the things is not that of all of them.
func TestIsSaid(t *testing.T) {
	q := Parse("How many plugins are there?")
	if !Number.IsSaid("65 today", q, q.Mask("Plugins")) || Number.IsSaid("65 plugins that support graphs", q, q.Mask("Plugins")) {
		t.Error("below a heading that names them, a line without the word counts them, and one with it says which")
	}
	for text, want := range map[string]bool{
		"There are 65 plugins in it.": true, "There are 65 plugins that support graphs.": false, "65+ plugins, which are free.": true, "some plugins": false,
	} {
		if got := Number.IsSaid(text, q, 0); got != want {
			t.Errorf("%q says how many plugins there are: %v", text, got)
		}
	}
}

// The thing that is asked about, and half of all words, have to be there.
func TestHasWeightiest(t *testing.T) {
	for _, row := range []struct {
		question, text string
		want           bool
	}{
		{"Which key do I press to go to all pages?", "The keys pressed are four letters.", false},
		{"Which key do I press to go to all pages?", "Press the key g for the list of pages.", true},
		{"Why must I not open two computers at the same time?", "As if they were in folders on a computer.", false},
		{"Why must I not open two computers at the same time?", "Open one computer at a time.", true},
	} {
		q := Parse(row.question)
		for i := range q.Terms {
			q.Terms[i].Weigh(map[bool]float64{true: 0.2, false: 1}[q.Terms[i].Word == "pages"], 1) // it is in every other note
		}
		if got := q.HasWeightiest(q.Mask(row.text)); got != row.want {
			t.Errorf("%q has what is asked by %q: %v", row.text, row.question, got)
		}
	}
}

// An amount of a unit is not any number.
func TestIsIn(t *testing.T) {
	for _, row := range []struct {
		kind     Kind
		has, not string
	}{
		{Duration, "for at least 7 hours", "for 7 birds"},
		{Duration, "in 15-minütigen Gruppen", "in 15 kleinen Gruppen"},
		{Duration, "2 - 2,5 Stunden", "2 - 2,5 Teile"},
		{Duration, "plusieurs mois", "plusieurs œufs"},
		{Duration, "five minutes", "some minutes"},
		{Duration, "大约30分钟", "30个"},
		{Percentage, "68,9% des œufs", "68,9 œufs"},
		{Temperature, "at 145 °F", "145 feet"},
		{Temperature, "200C for an hour", "200 cups"},
		{Number, "7 birds", "some birds"},
	} {
		if !row.kind.IsIn(row.has) || row.kind.IsIn(row.not) {
			t.Errorf("kind %d: %v in %q, %v in %q", row.kind, row.kind.IsIn(row.has), row.has, row.kind.IsIn(row.not), row.not)
		}
	}
}
