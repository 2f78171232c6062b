package draft

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// This file reads what an agent has replied.

// segment is one part of a plan.
type segment struct {
	Title   string
	Points  []string
	Sources []Source
	Words   int
}

// askPlan asks for a plan, and once more for one that can be used.
func (w Writer) askPlan(ctx context.Context, work *Work) ([]segment, error) {
	q := Question{Step: "plan", Before: work.opening(), Material: printSources(work.Sources), After: work.explainPlan(), Schema: schemaOfPlan()}
	reply, err := w.Ask(ctx, q)
	if err != nil && !isUnusable(err) {
		return nil, err
	}
	plan, problems := work.readPlan(reply)
	if len(problems) == 0 {
		return plan, nil
	}
	q.Bad, q.Problem = reply, describe(problems)
	if reply, err = w.Ask(ctx, q); err != nil && !isUnusable(err) {
		return nil, err
	}
	if better, left := work.readPlan(reply); len(better) >= max(1, len(plan)) {
		plan, problems = better, left
	}
	if len(plan) == 0 {
		return nil, &Unusable{"no plan: " + describe(problems)}
	}
	return plan, nil
}

// readPlan reads a plan. A segment that names no passage there is, is a problem and no segment.
func (w *Work) readPlan(reply string) (plan []segment, problems []string) {
	rows := findList(reply, "segments")
	if len(rows) == 0 {
		return nil, []string{"no JSON object with a list \"segments\" was found in it"}
	}
	for n, row := range rows {
		s := segment{Title: cleanText(row["title"]), Points: cleanList(row["points"])}
		unknown := ""
		s.Sources, unknown = findSources(row["sources"], w.Sources)
		if s.Words, _ = strconv.Atoi(cleanText(row["words"])); s.Words < 1 {
			s.Words = segmentWords
		}
		switch {
		case unknown != "":
			problems = append(problems, fmt.Sprintf("segment %d names %s, which is no id of a passage", n+1, unknown))
		case len(s.Sources) == 0:
			problems = append(problems, fmt.Sprintf("segment %d names no passage", n+1))
		case s.Title == "":
			problems = append(problems, fmt.Sprintf("segment %d has no title", n+1))
		}
		if len(s.Sources) > 0 && s.Title != "" && len(plan) < w.segments()+1 {
			plan = append(plan, s)
		}
	}
	return plan, problems
}

// readItems reads the items of a reply; problems says of each other one why it cannot be used.
func (w *Work) readItems(reply string, from []Source) (items []Item, problems []string) {
	rows := findList(reply, "items")
	if len(rows) == 0 {
		return nil, []string{"no JSON object with a list \"items\" was found in it"}
	}
	for n, row := range rows {
		item, problem := w.readItem(row, from)
		if problem == "" && w.Check != nil {
			problem = w.Check(item)
		}
		if problem != "" {
			problems = append(problems, fmt.Sprintf("item %d %s", n+1, problem))
			continue
		}
		items = append(items, item)
	}
	return items, problems
}

func (w *Work) readItem(row map[string]any, from []Source) (i Item, problem string) {
	i = Item{Text: make(map[string]string), Lists: make(map[string][]string)}
	for _, f := range w.Fields {
		if f.Count > 0 {
			if i.Lists[f.Name] = cleanList(row[f.Name]); len(i.Lists[f.Name]) != f.Count {
				return i, fmt.Sprintf("has no %d texts in %q", f.Count, f.Name)
			}
			continue
		}
		if i.Text[f.Name] = cleanText(row[f.Name]); i.Text[f.Name] == "" && !f.IsOptional {
			return i, fmt.Sprintf("has nothing in %q", f.Name)
		}
	}
	unknown := ""
	i.Sources, unknown = findSources(row["cite"], from)
	switch {
	case unknown != "":
		return i, "names " + unknown + ", which is no id of a passage it was given"
	case len(i.Sources) == 0:
		return i, "names no passage in \"cite\""
	}
	if number := findForeign(i); number != "" {
		return i, "has the number " + number + ", which is in none of the passages it names"
	}
	return i, ""
}

var sourceID = lazyregexp.New(`(?i)^\[?S?(\d{1,4})\]?$`)

// findSources are the passages that a value names, each once, and the first name of none. A list, one text and a
// bare number will do.
func findSources(value any, all []Source) (found []Source, unknown string) {
	list, isList := value.([]any)
	if !isList {
		for part := range strings.FieldsFuncSeq(cleanValue(value), func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
			list = append(list, part)
		}
	}
	for _, v := range list {
		name := cleanValue(v)
		m := sourceID().FindStringSubmatch(name)
		at := -1
		if m != nil {
			at = slices.IndexFunc(all, func(s Source) bool { return s.ID == "S"+strings.TrimLeft(m[1], "0") })
		}
		switch {
		case at < 0 && unknown == "":
			unknown = strconv.Quote(cutText(name, 40))
		case at >= 0 && !slices.ContainsFunc(found, func(s Source) bool { return s.ID == all[at].ID }):
			found = append(found, all[at])
		}
	}
	return found, unknown
}

// cleanValue is a value as a text on one line.
func cleanValue(value any) string {
	switch v := value.(type) {
	case string:
		return strings.Join(strings.Fields(strings.ToValidUTF8(v, "\uFFFD")), " ")
	case json.Number:
		return v.String()
	}
	return ""
}

var idsWithin = lazyregexp.New(`\s*[(\[]\s*S\d+(?:\s*[,;]\s*S\d+)*\s*[)\]]`)

// cleanText is a value as a text without the ids that some agents put into it.
func cleanText(value any) string {
	text := cleanValue(value)
	if text = idsWithin().ReplaceAllString(text, ""); len(text) > mostText {
		text = cutText(text, mostText)
	}
	return strings.TrimSpace(text)
}

const mostText = 4000 // bytes

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func cleanList(value any) (list []string) {
	values, _ := value.([]any)
	for _, v := range values {
		if text := cleanText(v); text != "" {
			list = append(list, text)
		}
	}
	return list
}

const (
	mostReply = 4 << 20 // bytes that are looked through
	mostTries = 300     // places where a document may begin
	mostRows  = 500
)

// findList finds a JSON object with a list of this name anywhere in a reply, and returns its rows. Of several lists
// it returns the longest. A list without an object counts as well.
func findList(reply, name string) (rows []map[string]any) {
	text := withoutThoughts(cutText(reply, mostReply))
	tries := 0
	for at := 0; at < len(text) && tries < mostTries; {
		next := strings.IndexAny(text[at:], "{[")
		if next < 0 {
			break
		}
		at += next
		tries++
		decoder := json.NewDecoder(strings.NewReader(text[at:]))
		decoder.UseNumber()
		var value any
		if decoder.Decode(&value) != nil {
			at++
			continue
		}
		if found := rowsOf(value, name); len(found) > len(rows) {
			rows = found
		}
		at += int(decoder.InputOffset())
	}
	return rows[:min(len(rows), mostRows)]
}

func rowsOf(value any, name string) (rows []map[string]any) {
	if object, ok := value.(map[string]any); ok {
		value = object[name]
	}
	list, _ := value.([]any)
	for _, v := range list {
		if row, ok := v.(map[string]any); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// withoutThoughts drops what some models say to themselves, closed or not.
func withoutThoughts(text string) string {
	for {
		before, rest, begun := strings.Cut(text, "<think>")
		if !begun {
			break
		}
		_, after, closed := strings.Cut(rest, "</think>")
		if !closed {
			return before
		}
		text = before + after
	}
	if _, after, closed := strings.Cut(text, "</think>"); closed { // its beginning was taken away
		return after
	}
	return text
}
