// Package draft has an agent write what is made of notes, and takes nothing from it that names no
// source.
//
//	w := draft.Writer{Ask: ask, Tell: tell}
//	text, err := w.Write(ctx, draft.Work{Form: form, Sources: sources, Words: 300})
//
// A long text is written in two steps: first a plan, which gives each segment its subject, its sources and its number
// of words, then one segment after the other, each told of the plan and of the text before it. A short text is
// written at once. Ask carries a question to an agent; this package does not know which.
//
// # Promises
//
// The sources have the ids S1, S2 and so on, and no other id counts. An item without a source, or with one that does
// not exist, is asked for once more; if it is no better then, it is left out and counted. A [Draft] has at least one
// item in each part. If no item is left, the result is an [*Unusable] and no draft. A text that is far too long loses
// its last items. The text of an item is plain text on one line.
package draft

import (
	"context"
	"fmt"
	"strings"

	"vaultdispatcher/engine/wording"
)

// Form is what an agent is asked for. Words for it are in English.
type Form struct {
	Product string // is written: "a briefing"
	Item    string // is each item: "one point, in one to three sentences"
	Plan    string // is to be kept to by a plan
	IsLong  bool   // it is planned first
	Words   int    // usual length; an order may say otherwise
	Fields  []Field

	Check func(i Item) string // why an item cannot be used, or nothing; nil accepts each
}

// Field is one text of an item, or several.
type Field struct {
	Name, Meaning string
	Count         int // how many texts; 0 = one, which is not a list
	IsOptional    bool
}

// Source is a passage of a note.
type Source struct {
	ID       string
	Location string // its note and headings, as they are read
	Text     string
	Note     int // which of the set
	Block    int // which of that, the first one of the passage
}

// Item is one thing that was written.
type Item struct {
	Text    map[string]string // by the name of its field
	Lists   map[string][]string
	Sources []Source // at least one
}

// Part is the text below one title. A short draft is one part without a title.
type Part struct {
	Title string
	Items []Item
}

// Draft is what was written.
type Draft struct {
	Parts   []Part
	Rejects int // items that had no source, or could not be used
	Items   int // that are left
	Words   int // words of the items left
	Wanted  int // words that were asked for
}

// Work is what is to be written.
type Work struct {
	Form
	Order   string // in the user's words
	Title   string
	Sources []Source
	Words   int      // 0 = as usual
	Lang    string   // "" = that of the sources
	Reader  string   // the readers; "" = the order does not say
	Voices  []string // names of the speakers in a dialogue
}

// Question is one that an agent is asked. Material is data; the rest is ours.
type Question struct {
	Step   string // "plan", "segment 2 of 5"
	Before string
	Material,
	After string
	Schema string // of the reply, as JSON Schema

	Bad     string // an earlier reply that could not be used
	Problem string // the fault of Bad; "" in the first question
}

// Writer asks an agent.
type Writer struct {
	Ask  func(ctx context.Context, q Question) (string, error)
	Tell func(progress string) // may be nil
}

// Unusable says that an agent has written nothing that can be used, after a second try.
type Unusable struct{ Problem string }

func (u *Unusable) Error() string { return u.Problem }

// Write has it written.
func (w Writer) Write(ctx context.Context, work Work) (Draft, error) {
	if work.Words == 0 {
		work.Words = work.Form.Words
	}
	work.Form.Words = work.Words
	d := Draft{Wanted: work.Words}
	var err error
	if work.IsLong {
		err = w.writeSegments(ctx, &work, &d)
	} else {
		err = w.writeAtOnce(ctx, &work, &d)
	}
	if err != nil {
		return Draft{}, err
	}
	d.shorten()
	if d.Items == 0 {
		return Draft{}, &Unusable{"nothing that it wrote names a passage it was given"}
	}
	return d, nil
}

func (w Writer) writeAtOnce(ctx context.Context, work *Work, d *Draft) error {
	w.tell("%s: %s read", work.Product, wording.Count(len(work.Sources), "passage"))
	after := fmt.Sprintf("Write %s about %q, of about %d words in all. Each item is %s.\n\n%s", work.Product, work.Title, work.Words, work.Item, work.explainItems())
	items, dropped, err := w.askItems(ctx, work, Question{Step: work.Product, Before: work.opening(), Material: printSources(work.Sources), After: after}, work.Sources)
	if err != nil {
		return err
	}
	d.add(Part{Items: items}, dropped)
	return nil
}

// writeSegments plans, and writes one segment after the other. The last ones make good for the words
// that the first ones are too long or too short.
func (w Writer) writeSegments(ctx context.Context, work *Work, d *Draft) error {
	w.tell("%s: planning, %s read", work.Product, wording.Count(len(work.Sources), "passage"))
	plan, err := w.askPlan(ctx, work)
	if err != nil {
		return err
	}
	left := 0
	for _, s := range plan {
		left += s.Words
	}
	for i, s := range plan {
		w.tell("%s: section %d of %d", work.Product, i+1, len(plan))
		words := max(leastSegment, (work.Words-d.Words)*s.Words/max(1, left))
		left -= s.Words
		if len(d.Parts) > 0 && d.Words+leastSegment > work.Words+work.Words/6 {
			break // it is long enough
		}
		q := Question{Step: fmt.Sprintf("section %d of %d", i+1, len(plan)), Before: work.opening(), Material: printSources(s.Sources),
			After: work.explainSegment(plan, i, words, d)}
		items, dropped, err := w.askItems(ctx, work, q, s.Sources)
		if _, isUnusable := err.(*Unusable); isUnusable {
			d.Rejects += max(1, dropped)
			continue // the others may do
		}
		if err != nil {
			return err
		}
		d.add(Part{Title: s.Title, Items: items}, dropped)
	}
	return nil
}

func (w Writer) tell(format string, args ...any) {
	if w.Tell != nil {
		w.Tell(fmt.Sprintf(format, args...))
	}
}

// askItems asks for items, and once more where some have no source. The error is an [*Unusable] where
// none has one.
func (w Writer) askItems(ctx context.Context, work *Work, q Question, from []Source) (items []Item, dropped int, err error) {
	q.Schema = work.schemaOfItems()
	reply, err := w.Ask(ctx, q)
	if err != nil && !isUnusable(err) {
		return nil, 0, err
	}
	items, problems := work.readItems(reply, from)
	if len(problems) == 0 && len(items) > 0 {
		return items, 0, nil
	}
	q.Bad, q.Problem = reply, describe(problems)
	reply, err = w.Ask(ctx, q)
	if err != nil && !isUnusable(err) {
		return nil, 0, err
	}
	if better, left := work.readItems(reply, from); len(better) >= max(1, len(items)) {
		items, problems = better, left
	}
	if len(items) == 0 {
		return nil, len(problems), &Unusable{describe(problems)}
	}
	return items, len(problems), nil
}

func isUnusable(err error) bool { _, is := err.(*Unusable); return is }

// describe is what was wrong, in one sentence.
func describe(problems []string) string {
	const most = 5
	if len(problems) == 0 {
		return "it has no items"
	}
	if n := len(problems) - most; n > 0 {
		problems = append(problems[:most:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(problems, "; ")
}

// add takes a part without what was said in the same words before.
func (d *Draft) add(p Part, dropped int) {
	d.Rejects += dropped
	said := make(map[string]bool)
	for _, before := range d.Parts {
		for _, i := range before.Items {
			said[i.all()] = true
		}
	}
	var items []Item
	for _, i := range p.Items {
		if all := i.all(); !said[all] {
			said[all] = true
			items = append(items, i)
			d.Words += i.words()
		}
	}
	if p.Items = items; len(items) > 0 {
		d.Items += len(items)
		d.Parts = append(d.Parts, p)
	}
}

// shorten takes the last item of the longest part as long as the draft is more than 15 % too long, and would
// not be as much too short without.
func (d *Draft) shorten() {
	for d.Words*100 > d.Wanted*115 {
		longest, most := -1, 1
		for n, p := range d.Parts {
			if len(p.Items) > most {
				longest, most = n, len(p.Items)
			}
		}
		if longest < 0 {
			return
		}
		p := &d.Parts[longest]
		last := p.Items[most-1].words()
		if (d.Words-last)*100 < d.Wanted*85 {
			return
		}
		p.Items = p.Items[:most-1]
		d.Items--
		d.Words -= last
	}
}

// all is an item by what it says.
func (i Item) all() string {
	var b strings.Builder
	for _, name := range i.names() {
		b.WriteString(name + "\x00" + strings.ToLower(i.Text[name]) + "\x00" + strings.ToLower(strings.Join(i.Lists[name], "\x00")))
	}
	return b.String()
}

func (i Item) words() (n int) {
	for _, name := range i.names() {
		n += wording.Words(i.Text[name]) + wording.Words(strings.Join(i.Lists[name], " "))
	}
	return n
}
