package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/engine/recall/terms"
)

// A piece is quoted whole, and is the one that the question asks for.
func TestPiece(t *testing.T) {
	long := strings.Repeat("A line about nothing that matters here.\n\n", 16)
	for name, c := range map[string]struct{ note, question, want string }{
		"a short section":        {"# Heron\n\nThe heron fishes.\n\nIt waits for hours.\n", "who fishes?", "The heron fishes.\n\nIt waits for hours."},
		"all steps":              {long + "1. Find the heron.\n2. Count.\n3. Note the number.\n\nAnother line.\n", "how do I find the heron?", "1. Find the heron.\n2. Count.\n3. Note the number."},
		"after a colon":          {long + "The heron eats:\n\n- fish\n- frogs\n\nAnother line.\n", "what does the heron eat?", "The heron eats:\n\n- fish\n- frogs"},
		"under a label":          {long + "**Food of the heron**\n\n- fish\n- frogs\n\nAnother line.\n", "which food has the heron?", "**Food of the heron**\n\n- fish\n- frogs"},
		"a whole table":          {long + "| bird | eggs |\n|---|---|\n| heron | 4 |\n| stork | 5 |\n\nAnother line.\n", "how many eggs has the stork?", "| bird | eggs |\n|---|---|\n| heron | 4 |\n| stork | 5 |"},
		"a definition":           {"# Birds\n\n" + long + "The heron is seen near a stork.\n\nA **stork** is a wader.\n", "what is a stork?", "A **stork** is a wader."},
		"a number":               {long + "Eggs of the heron are blue.\n\nThe heron lays 4 eggs.\n", "how many eggs has the heron?", "The heron lays 4 eggs."},
		"a duration":             {long + "The heron has 4 young to brood.\n\nThe heron broods for 26 days.\n", "how long does the heron brood?", "The heron broods for 26 days."},
		"an act":                 {long + "The heron is in the park.\n\nAnna counts each heron.\n", "who counts the heron in the park?", "Anna counts each heron."},
		"by its heading":         {"# Birds\n\n## Food\n\nFish and frogs.\n\n## Nest\n\nIn tall trees.\n", "what about the nest of birds?", "In tall trees."},
		"what a colon announces": {long + "- The heron eats these:\n" + strings.Repeat("\t- fish\n", 20), "what food has the heron?", "- The heron eats these:" + strings.Repeat("\n\t- fish", 20)},
		"as far as it fits":      {long + "- The heron eats\n" + strings.Repeat("\t- fish\n", 20), "what food has the heron?", "- The heron eats" + strings.Repeat("\n\t- fish", 14) + "\n\n…"},
		"properties":             {"---\nloc:\n  - \"[[Kyoto]]\"\n  - \"[[Japan]]\"\nbird_kind: heron\ncreated: 2026-01-02\n---\n", "where in Kyoto?", "Location: [[Kyoto]], [[Japan]]\nBird kind: heron"},
	} {
		p := Parse("n.md", []byte(c.note))
		q := terms.Parse(c.question)
		for i := range q.Terms {
			q.Terms[i].Weigh(1, 1)
		}
		if got := p.Piece(q, Around{Asks: terms.KindOf(c.question)}); got.Text != c.want {
			t.Errorf("%s: %q is answered by\n%s\nwant\n%s", name, c.question, got.Text, c.want)
		}
	}
}

// What only repeats the note's name tells nothing: where no note has the other words, the first paragraph is the piece.
func TestPieceIntroduces(t *testing.T) {
	p := Parse("Heron.md", []byte("A wader, loved by the Queen of the north.\n\n## Nest\n\nThe nest of a heron is high.\n"))
	for known, want := range map[int]string{0: "A wader, loved by the Queen of the north.", 1: "The nest of a heron is high."} {
		q := terms.Parse("which monarch admires the heron?")
		for i := range q.Terms {
			q.Terms[i].Weigh(1, max(known, i/2))
		}
		if got := p.Piece(q, Around{Asks: terms.Listing}); got.Text != want {
			t.Errorf("%d: %q", known, got.Text)
		}
	}
}

// The lines that ask are no piece.
func TestPieceWithoutQuestion(t *testing.T) {
	p := Parse("n.md", []byte("Where is the heron?\n\nThe heron is by the lake.\n"))
	q := terms.Parse("Where is the heron?")
	q.Terms[0].Weigh(1, 1)
	if got := p.Piece(q, Around{Line: 1, Start: 1, End: 1, Asks: terms.Place}); got.Text != "The heron is by the lake." {
		t.Errorf("%q", got.Text)
	}
}

// However long a block, its head or what introduces it is, the piece is not.
func TestPieceIsBounded(t *testing.T) {
	endless := strings.Repeat("They paste this again and again. ", 9000)
	nested := ""
	for n := range 12 {
		nested += strings.Repeat("\t", n) + "- " + strings.Repeat("level ", 60) + "\n"
	}
	for name, c := range map[string]struct{ note, says string }{
		"what introduces a list": {endless + "and so:\n\n- the heron fishes\n- it waits\n", "- the heron fishes"},
		"a block":                {"Some say:\n\n- " + endless[:9000] + "The heron fishes. " + endless + "\n", "The heron fishes."},
		"levels above":           {nested + strings.Repeat("\t", 12) + "- the heron fishes\n", "- the heron fishes"},
		"a header":               {"| bird | " + endless + " |\n|---|---|\n| heron | fishes |\n| stork | waits |\n", "| heron | fishes |"},
		"a row":                  {"| bird | what |\n|---|---|\n| " + endless + " | The heron fishes [[a\\|b]]. |\n", "| bird | what |\n| --- | --- |\n| They paste"},
		"many cells":             {"| bird |" + strings.Repeat(" a |", 900) + "\n|---|\n| x |" + strings.Repeat(" some |", 400) + " heron |\n", " | heron |"},
	} {
		got := Parse("n.md", []byte(c.note)).Piece(weighed("heron fishes"), Around{}).Text
		if n := utf8.RuneCountInString(got); n > pieceRunes+pieceLeads*QuoteRunes || !strings.Contains(got, c.says) || !strings.Contains(got, "heron") {
			t.Errorf("%s: %d characters, want %q in\n%.1000s", name, n, c.says, got)
		}
	}
}

// What is too far away to be quoted with a block is not looked at, so that deep lists cost no more than others.
func TestClimbLooksNear(t *testing.T) {
	note := ""
	for n := range 300 {
		note += strings.Repeat(" ", n) + "- level\n"
	}
	const from = 150
	p := Parse("n.md", []byte(note))
	for i := range p.Blocks {
		if i < from-stepLines || i > from+stepLines {
			p.Blocks[i].lead = 1 << 30 // to follow it would panic
		}
	}
	s := selection{p: p}
	if first, end := s.climb(from, len(p.Blocks)); first != from || end != from+pieceLines {
		t.Errorf("blocks %d to %d", first, end)
	}
}
