// Command summarybench is the product's half of .ci/summaries: it takes notes apart as the Broadcaster does
// and chooses the sentences that tell most of each. It reads a JSON list of notes with how many words an
// extract may have, and writes for each its sentences, which of them were chosen, and how long that took.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"vaultdispatcher/engine/broadcast/gather"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/broadcast/summary"
	"vaultdispatcher/engine/recall/page"
)

type document struct {
	Text  string `json:"text"`
	Words int    `json:"words"`
}

type extract struct {
	Sentences []string `json:"sentences"`
	First     []bool   `json:"first"` // of its section
	Title     string   `json:"title"`
	Chosen    []int    `json:"chosen"`
	Micros    int64    `json:"micros"` // to rank and choose
}

func main() {
	if err := chooseAll(); err != nil {
		fmt.Fprintln(os.Stderr, "summarybench:", err)
		os.Exit(1)
	}
}

func chooseAll() error {
	var documents []document
	if err := json.NewDecoder(os.Stdin).Decode(&documents); err != nil {
		return fmt.Errorf("read the documents: %w", err)
	}
	out := make([]extract, 0, len(documents))
	for _, d := range documents {
		e, err := chooseSentences(d)
		if err != nil {
			return err
		}
		out = append(out, e)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func chooseSentences(d document) (extract, error) {
	set, err := gather.Collect(context.Background(), gather.Library{
		Notes:      func(context.Context) ([]string, error) { return []string{"Note.md"}, nil },
		Page:       func(_ context.Context, rel string) (*page.Page, error) { return page.Parse(rel, []byte(d.Text)), nil },
		Neighbours: func(context.Context, string, string) ([]string, error) { return nil, nil },
		WhyNot:     func(string) string { return "" },
	}, gather.Request{Order: order.Parse("[[Note]]"), Note: "Note.md"})
	if err != nil {
		return extract{}, fmt.Errorf("take a note apart: %w", err)
	}
	e := extract{Title: set.Title, Chosen: []int{}}
	var list []summary.Sentence
	for i, s := range set.Sentences() {
		e.Sentences, e.First = append(e.Sentences, s.Plain), append(e.First, s.First)
		list = append(list, summary.Sentence{Text: s.Plain, First: s.First, Nth: i, Weight: set.Weight(s)})
	}
	begun := time.Now()
	e.Chosen = append(e.Chosen, summary.Rank(list, set.Title).Choose(d.Words)...)
	e.Micros = time.Since(begun).Microseconds()
	return e, nil
}
