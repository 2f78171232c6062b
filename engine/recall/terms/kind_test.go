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
