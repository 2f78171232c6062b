package terms

import "testing"

func TestKindOf(t *testing.T) {
	for question, want := range map[string]Kind{
		"How many eggs?": Number, "Wie viele Eier?": Number, "有多少个蛋": Number, "When was it?": Date, "Wann war das?": Date,
		"Who painted it?": Person, "Wo ist der Schlüssel?": Place, "what is a heron": Definition, "什么是焯水？": Definition,
		"How do I clean it?": Steps, "怎么做": Steps, "Which birds?": Listing, "heron": Any,
	} {
		if got := KindOf(question); got != want {
			t.Errorf("%q asks for %d, want %d", question, got, want)
		}
	}
}
