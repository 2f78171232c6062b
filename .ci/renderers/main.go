// Command renderers puts answers into notes as the engine does: it reads a JSON list of answers and
// writes a list with the cleaned answer and the notes that hold it, for .ci/answers. With the argument
// maps it reads a list of headings, and writes the mind map of a note with each. With names and a number it writes so
// many random notes with references, each before and after an answer that has such names, and with the answer as it came.
// With attacks or diagrams, a seed and two numbers it writes answers of a generator.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"vaultdispatcher/engine/broadcast/gather"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/headings"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/note/testdata/samples"
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
	switch {
	case len(os.Args) > 1 && os.Args[1] == "maps":
		do = drawMaps
	case len(os.Args) > 4 && (os.Args[1] == "attacks" || os.Args[1] == "diagrams"):
		do = func() error { return generate(os.Args[1:]) }
	case len(os.Args) > 2 && os.Args[1] == "names":
		do = func() error { return answerNamed(os.Args[2]) }
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
			edits := sanitize.Replies(note.NewPage(src), note.Parse(src).Markers, headings.Fit(src, []string{p.Clean}))
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

type named struct {
	Old string `json:"before"`
	New string `json:"after"`
	Raw string `json:"raw"`
}

// answerNamed writes count notes that were answered. TEST_SEED repeats those of an earlier run.
func answerNamed(count string) error {
	want, err := strconv.Atoi(count)
	if err != nil {
		return fmt.Errorf("the number of notes: %w", err)
	}
	seed, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64()
	}
	var out []named
	for i := uint64(0); len(out) < want; i++ {
		src, answer := samples.NameAtRandom(rand.New(rand.NewPCG(seed, i)))
		doc := note.Parse([]byte(src))
		clean, raw := make([]string, len(doc.Markers)), make([]string, len(doc.Markers))
		for n := range doc.Markers {
			clean[n], raw[n] = sanitize.Labelled(answer, fmt.Sprintf("0a7kx%d", n+1), 256<<10), answer
		}
		edits := sanitize.Replies(note.NewPage([]byte(src)), doc.Markers, headings.Fit([]byte(src), clean))
		after, err := note.Apply([]byte(src), edits)
		if err != nil {
			return fmt.Errorf("answer %q: %w", src, err)
		}
		if len(edits) == 0 || !note.NewPage([]byte(src)).KeepsBlocks(note.NewPage(after), edits) {
			continue // the engine would not write it
		}
		before, err := note.Apply([]byte(src), note.Replies(note.NewPage([]byte(src)), doc.Markers, make([]string, len(doc.Markers))))
		if err != nil {
			return fmt.Errorf("answer %q: %w", src, err)
		}
		asItCame, err := note.Apply([]byte(src), note.Replies(note.NewPage([]byte(src)), doc.Markers, raw))
		if err != nil {
			return fmt.Errorf("answer %q: %w", src, err)
		}
		out = append(out, named{string(before), string(after), string(asItCame)})
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"seed": strconv.FormatUint(seed, 10), "notes": out})
}

type attack struct {
	Raw   string `json:"raw"`
	Clean string `json:"clean"`
}

// generate writes answers of the generator of attacks, as they come and clean: its arguments are the kind, the seed, the
// number of the first one and how many.
func generate(args []string) error {
	var numbers [3]uint64
	for i := range numbers {
		n, err := strconv.ParseUint(args[i+1], 10, 64)
		if err != nil {
			return fmt.Errorf("a seed or number: %w", err)
		}
		numbers[i] = n
	}
	compose := samples.Attack
	if args[0] == "diagrams" {
		compose = samples.AttackDiagram
	}
	var out []attack
	for i := range numbers[2] {
		raw := compose(rand.New(rand.NewPCG(numbers[0], numbers[1]+i)))
		out = append(out, attack{raw, sanitize.Answer(raw, 256<<10)})
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
			Notes:      func(context.Context) ([]string, error) { return []string{"Note.md"}, nil },
			Page:       func(_ context.Context, rel string) (*page.Page, error) { return page.Parse(rel, []byte(src)), nil },
			Neighbours: func(context.Context, string, string) ([]string, error) { return nil, nil },
			WhyNot:     func(string) string { return "" },
		}, gather.Request{Order: order.Parse("[[Note]]"), Note: "Note.md"})
		if err != nil {
			return fmt.Errorf("gather %q: %w", h, err)
		}
		made, _ := kind.Make(&set, kinds.Options{})
		out = append(out, sanitize.Answer(made.Body, 0)) // empty where there were too few topics
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
