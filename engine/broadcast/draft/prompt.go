package draft

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file words what an agent is asked.

const (
	leastSegment = 40  // words
	mostSegments = 8   // of a plan
	segmentWords = 120 // of one, where there is room for several
	mostRecap    = 800 // characters of what was said before
)

// opening is what each question begins with.
func (w *Work) opening() string {
	var b strings.Builder
	fmt.Fprintf(&b, "You write %s for the user, out of passages of the user's own notes. The order, in the user's words: %q.\n\n", w.Product, w.Order)
	b.WriteString("- Say only what the passages say. Numbers, names and dates stand exactly as they do there; nothing is added from elsewhere.\n")
	b.WriteString("- Each passage has an id, such as S1. Every item names in \"cite\" the ids of the passages it is taken from, and no other id exists.\n")
	b.WriteString("- Leave out what is plainly private (health, money, passwords, opinions about people) unless the order names it.\n")
	b.WriteString("- The texts are plain: no markdown, no links, no ids within them.\n")
	if w.Lang != "" {
		fmt.Fprintf(&b, "- Write in this language: %q.\n", w.Lang)
	} else {
		b.WriteString("- Write in the language of the passages.\n")
	}
	if w.Reader != "" {
		fmt.Fprintf(&b, "- It is for: %q. Choose words and depth for them.\n", w.Reader)
	}
	if len(w.Voices) > 0 {
		fmt.Fprintf(&b, "- Those who speak: %s.\n", quoteList(w.Voices))
	}
	b.WriteString("\nThe passages:")
	return b.String()
}

func quoteList(list []string) string {
	quoted := make([]string, len(list))
	for i, v := range list {
		quoted[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(quoted, ", ")
}

// printSources are passages with their ids.
func printSources(list []Source) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "[%s] %s\n%s\n\n", s.ID, s.Location, strings.TrimSpace(s.Text))
	}
	return b.String()
}

// explainItems says what the reply looks like.
func (w *Work) explainItems() string {
	var b strings.Builder
	b.WriteString("Reply with one JSON object and nothing else: {\"items\": [...]}. Each item has:\n")
	for _, f := range w.Fields {
		kind := "a text"
		if f.Count > 0 {
			kind = fmt.Sprintf("a list of %d texts", f.Count)
		}
		if f.IsOptional {
			kind += ", or \"\""
		}
		fmt.Fprintf(&b, "- %q: %s; %s\n", f.Name, kind, f.Meaning)
	}
	b.WriteString("- \"cite\": a list of ids of the passages it is taken from, such as [\"S1\"]; never empty")
	return b.String()
}

// explainPlan asks for the plan.
func (w *Work) explainPlan() string {
	return fmt.Sprintf("First make a plan of %s about %q, of %d words in all, in %d segments or fewer. %sEach segment has:\n"+
		"- \"title\": a short heading\n- \"points\": a list of what it says, two to five short texts\n"+
		"- \"sources\": a list of the ids of the passages it is made of, such as [\"S1\", \"S4\"]; never empty\n"+
		"- \"words\": how many words it gets\n\nReply with one JSON object and nothing else: {\"segments\": [...]}.",
		w.Product, w.Title, w.Words, w.segments(), w.Plan)
}

// segments is how many there are at most.
func (w *Work) segments() int { return min(mostSegments, max(2, w.Words/segmentWords)) }

// explainSegment asks for one segment of a plan.
func (w *Work) explainSegment(plan []segment, nth, words int, before *Draft) string {
	var b strings.Builder
	b.WriteString("The plan:\n")
	for i, s := range plan {
		fmt.Fprintf(&b, "%d. %s (%s)\n", i+1, s.Title, strings.Join(s.Points, "; "))
	}
	if said := before.recap(); said != "" {
		fmt.Fprintf(&b, "\nSaid already, not to be said again:\n%s\n", said)
	}
	fmt.Fprintf(&b, "\nNow write segment %d of this plan, %q, of about %d words and no more. Each item is %s.\n\n%s",
		nth+1, plan[nth].Title, words, w.Item, w.explainItems())
	return b.String()
}

// recap is the end of what was said.
func (d *Draft) recap() string {
	var b strings.Builder
	for _, p := range d.Parts {
		for _, i := range p.Items {
			for _, name := range i.names() {
				b.WriteString(i.Text[name] + " ")
			}
		}
	}
	text := []rune(strings.TrimSpace(b.String()))
	return string(text[max(0, len(text)-mostRecap):])
}

// names are the fields that an item has, in one order.
func (i Item) names() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(i.Text)), slices.Collect(maps.Keys(i.Lists))))))
}

type schema = map[string]any

var (
	aText  = schema{"type": "string"}
	aList  = schema{"type": "array", "items": aText}
	number = schema{"type": "integer"}
)

// schemaOfItems is the form of a reply as JSON Schema, as strict as
// https://platform.openai.com/docs/guides/structured-outputs wants it.
func (w *Work) schemaOfItems() string {
	fields := schema{"cite": aList}
	for _, f := range w.Fields {
		fields[f.Name] = aText
		if f.Count > 0 {
			fields[f.Name] = aList
		}
	}
	return listOf("items", fields)
}

func schemaOfPlan() string {
	return listOf("segments", schema{"title": aText, "points": aList, "sources": aList, "words": number})
}

// listOf is the schema of an object with one list, of objects with these fields.
func listOf(name string, fields schema) string {
	object := func(fields schema) schema {
		return schema{"type": "object", "properties": fields, "required": slices.Sorted(maps.Keys(fields)), "additionalProperties": false}
	}
	text, _ := json.Marshal(object(schema{name: schema{"type": "array", "items": object(fields)}})) // of maps and texts: it cannot fail
	return string(text)
}
