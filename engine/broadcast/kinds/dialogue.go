package kinds

import (
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// A dialogue is a talk of two about the notes, as text that can be read aloud. A note has no such text, so only an
// agent can write it.

// usualVoices speak if the order names no voices.
var usualVoices = []string{"Ada", "Ben"}

var dialogueForm = draft.Form{
	Product: "a dialogue in which one explains and the other asks", Item: "what one of the two says in one turn, one to four spoken sentences", IsLong: true, Words: 600,
	Plan: "The first segment greets nobody and says at once what it is about; the last one sums up in a sentence. ",
	Fields: []draft.Field{
		{Name: "who", Meaning: "the name of the one who speaks"}, {Name: "text", Meaning: "what is said, as it is spoken: no lists, no signs"},
	},
}

func fillDialogue(p *plan, parts []draft.Part) bool {
	turns, names := 0, []string(nil)
	for _, part := range parts {
		p.printTitle(part)
		for _, i := range part.Items {
			turns++
			who := asHeading(i.Text["who"])
			if !slices.Contains(names, who) {
				names = append(names, who)
			}
			p.print("**%s**: %s\n\n", who, p.quoteItem(i, "text"))
			p.say(slices.Index(names, who), material.Plain(i.Text["text"]), false)
		}
	}
	p.lead(parts, "text")
	p.Count = wording.Count(turns, "turn") + ", " + tellMinutes(p.Turns)
	return len(names) > 1
}

// withVoices is the form where these speak.
func withVoices(form draft.Form, voices []string) draft.Form {
	form.Check = func(i draft.Item) string {
		who := material.Plain(i.Text["who"])
		if slices.ContainsFunc(voices, func(v string) bool { return strings.EqualFold(v, who) }) {
			return ""
		}
		return fmt.Sprintf("is said by %q, who is none of those who speak", who)
	}
	return form
}
