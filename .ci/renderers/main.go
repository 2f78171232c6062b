// Command renderers puts answers into notes as the engine does: it reads a JSON list of answers and
// writes a list with the cleaned answer and the notes that hold it, for .ci/answers. With the argument
// maps it reads a list of headings, and writes the mind map of a note with each.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"vaultdispatcher/engine/broadcast/gather"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/recall/page"
)

// places are notes with one question.
var places = []string{
	"before\n\n> @agent-Miner q\n\nafter\n",
	"- one\n- two\n  > @agent-Miner q\n",
	"> [!note] A callout\n> before\n>\n> @agent-Miner q\n",
	"1. one\n2. > @agent-Miner q\n3. three\n",
	"- one\n  * two\n    > @agent-Miner q\n",
	"> > @agent-Miner q?\n> > before\n",
}

type placed struct {
	Clean string   `json:"clean"`
	Notes []string `json:"notes"`
}

func main() {
	do := placeAnswers
	if len(os.Args) > 1 && os.Args[1] == "maps" {
		do = drawMaps
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "renderers:", err)
		os.Exit(1)
	}
}

func placeAnswers() error {
	var answers []string
	if err := json.NewDecoder(os.Stdin).Decode(&answers); err != nil {
		return fmt.Errorf("read the answers: %w", err)
	}
	out := make([]placed, 0, len(answers))
	for _, answer := range answers {
		p := placed{Clean: sanitize.Answer(answer, 256<<10)}
		for _, place := range places {
			src := []byte(place)
			edits := sanitize.Replies(src, note.Parse(src).Markers, []string{p.Clean})
			filled, err := note.Apply(src, edits)
			if err != nil {
				return fmt.Errorf("place %q: %w", p.Clean, err)
			}
			p.Notes = append(p.Notes, string(filled))
		}
		out = append(out, p)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// drawMaps draws each heading as that of a note, of a section in it, and as items of a list.
func drawMaps() error {
	var headings []string
	if err := json.NewDecoder(os.Stdin).Decode(&headings); err != nil {
		return fmt.Errorf("read the headings: %w", err)
	}
	kind, _ := kinds.Find("mind-map")
	out := make([]string, 0, len(headings))
	for _, h := range headings {
		src := "# " + h + "\n\nA.\n\n## One\n\nB.\n\n## " + h + "\n\nC.\n\n### Two\n\nD.\n"
		if len(out)%2 == 1 {
			src = "- One\n- " + h + "\n\t- " + h + "\n\t- Two\n"
		}
		set, err := gather.Collect(context.Background(), gather.Library{
			Notes:  func(context.Context) ([]string, error) { return []string{"Note.md"}, nil },
			Page:   func(_ context.Context, rel string) (*page.Page, error) { return page.Parse(rel, []byte(src)), nil },
			Near:   func(context.Context, string, string) ([]string, error) { return nil, nil },
			WhyNot: func(string) string { return "" },
		}, gather.Request{Order: order.Parse("[[Note]]"), Note: "Note.md"})
		if err != nil {
			return fmt.Errorf("gather %q: %w", h, err)
		}
		made, _ := kind.Make(&set, kinds.Options{})
		out = append(out, sanitize.Answer(made.Body, 0)) // empty where there were too few topics
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
