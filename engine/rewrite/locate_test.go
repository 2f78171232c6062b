package rewrite

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
)

func TestLocate(t *testing.T) {
	marker := func(text, before, after string, ordinal, line int) note.Marker {
		return note.Marker{Text: text, Upper: before, Lower: after, Ordinal: ordinal, Line: line}
	}
	const q = "> @agent-Miner q?"
	for name, c := range map[string]struct {
		then, now []note.Marker
		want      []int
	}{
		"unchanged":                {[]note.Marker{marker(q, "a", "b", 0, 3)}, []note.Marker{marker(q, "a", "b", 0, 3)}, []int{0}},
		"gone":                     {[]note.Marker{marker(q, "a", "b", 0, 3)}, nil, []int{-1}},
		"edited":                   {[]note.Marker{marker(q, "a", "b", 0, 3)}, []note.Marker{marker(q+"?", "a", "b", 0, 3)}, []int{-1}},
		"other surroundings":       {[]note.Marker{marker(q, "a", "b", 0, 3)}, []note.Marker{marker(q, "x", "y", 0, 9)}, []int{0}},
		"neighbours beat ordinal":  {[]note.Marker{marker(q, "a", "b", 0, 3)}, []note.Marker{marker(q, "x", "y", 0, 3), marker(q, "a", "b", 1, 9)}, []int{1}},
		"one neighbour is enough":  {[]note.Marker{marker(q, "a", "b", 0, 3)}, []note.Marker{marker(q, "x", "y", 0, 3), marker(q, "a", "y", 1, 9)}, []int{1}},
		"ordinal among equals":     {[]note.Marker{marker(q, "a", "a", 1, 3)}, []note.Marker{marker(q, "a", "a", 0, 3), marker(q, "a", "a", 1, 9)}, []int{1}},
		"nearest among the same":   {[]note.Marker{marker(q, "a", "a", 7, 8)}, []note.Marker{marker(q, "a", "a", 0, 1), marker(q, "a", "a", 1, 9), marker(q, "a", "a", 2, 30)}, []int{1}},
		"each is used once":        {[]note.Marker{marker(q, "a", "b", 0, 3), marker(q, "a", "b", 1, 5)}, []note.Marker{marker(q, "a", "b", 0, 4)}, []int{0, -1}},
		"the sure one goes first":  {[]note.Marker{marker(q, "x", "y", 0, 3), marker(q, "a", "b", 1, 5)}, []note.Marker{marker(q, "a", "b", 0, 3)}, []int{-1, 0}},
		"swapped":                  {[]note.Marker{marker(q, "a", "b", 0, 3), marker(q, "c", "d", 1, 5)}, []note.Marker{marker(q, "c", "d", 0, 3), marker(q, "a", "b", 1, 5)}, []int{1, 0}},
		"first of two was deleted": {[]note.Marker{marker(q, "a", "b", 0, 3), marker(q, "c", "d", 1, 5)}, []note.Marker{marker(q, "c", "d", 0, 3)}, []int{-1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var places []Place
			for _, m := range c.then {
				places = append(places, place(m, ""))
			}
			if got := locateMarkers(nil, c.now, Job{Places: places}, make([]string, len(places))); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestStanding(t *testing.T) {
	block := func(first, rest, answer string) string {
		m := note.Marker{First: first, Rest: rest}
		return string(note.Respond([]byte("\n"), m, answer).New) + "\n"
	}
	answers := []string{"yes", "no", "yes", "one\n\ntwo", "> quoted"}
	all := []int{0, 1, 2, 3, 4}
	for name, c := range map[string]struct {
		src  string
		want []int
	}{
		"none":            {"yes\n", nil},
		"open":            {"text\n" + block("", "", "yes"), []int{0}},
		"twice":           {block("", "", "yes") + "\n" + block("", "", "yes"), []int{0, 2}},
		"in a quote":      {block("> ", "> ", "one\n\ntwo"), []int{3}},
		"in a list":       {block("- ", "  ", "no"), []int{1}},
		"in a list of 1.": {block("1. ", "   ", "> quoted"), []int{4}},
		"longer answer":   {block("", "", "yes\nand more"), nil},
		"tail of longer":  {block("", "", "more\nyes"), nil},
		"edited inside":   {block("", "", "yes, perhaps"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			there := findWrittenAnswers([]byte(c.src), answers, all)
			var got []int
			for _, i := range all {
				if there[i] {
					got = append(got, i)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestVerify(t *testing.T) {
	src := []byte(three)
	doc := note.Parse(src)
	edit := note.Respond(src, doc.Markers[0], "yes")
	good, err := note.Apply(src, []note.Edit{edit})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(note.NewPage(src), note.NewPage(good), []note.Edit{edit}, []int{0}); err != nil {
		t.Error(err)
	}
	wild := edit
	wild.New = []byte("yes\n> @agent-Miner more?\n")
	more, err := note.Apply(src, []note.Edit{wild})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		next     []byte
		edit     note.Edit
		answered []int
	}{
		"a byte more":          {append(slices.Clone(good), '\n'), edit, []int{0}},
		"a byte less":          {good[:len(good)-1], edit, []int{0}},
		"another byte":         {append([]byte{'!'}, good[1:]...), edit, []int{0}},
		"a new marker":         {more, wild, []int{0}},
		"another one answered": {good, edit, []int{1}},
		"none answered":        {good, edit, nil},
	} {
		if err := verify(note.NewPage(src), note.NewPage(c.next), []note.Edit{c.edit}, c.answered); err == nil {
			t.Errorf("%s was let through", name)
		}
	}
}

// A line that went on in the paragraph of a marker, without the list around it, ends
// that list when the marker is an answer. Below it a line belongs to no list any more,
// and its answer, set in as for the list, would be code to the end of the note.
func TestAnswersBelowALazyLine(t *testing.T) {
	const above, below = "- > @agent-Miner one\nlazy\n", "  > @agent-Miner two\n\nthe end\n"
	code := sanitize.Answer("  ```\ncode", 0)
	src := []byte(above + below)
	doc := note.Parse(src)
	both, edits, err := buildAnswered(progress.Bare(src), doc, []int{0, 1}, []string{code, code}, "")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(both, []byte("\nlazy\n<!-- agent-response -->\n  ```\ncode\n```\n<!-- /agent-response -->\n\nthe end\n")) {
		t.Errorf("the answer below is set in as for the list:\n%s", both)
	}
	drafted := makeDraft(src, doc, []int{0, 1}, edits)
	for i, b := range drafted.Blocks {
		if !bytes.Contains(both, b.Text) {
			t.Errorf("block %d is kept as\n%s\nand written as\n%s", i, b.Text, both)
		}
	}
	second, _, err := buildAnswered(progress.Bare(src), doc, []int{1}, []string{code}, "")
	if err != nil {
		t.Fatal(err)
	}
	if out, _, err := buildAnswered(progress.Bare(second), note.Parse(second), []int{0}, []string{code}, ""); !errors.Is(err, ErrUnsafe) {
		t.Errorf("%v: the answer above makes code of the one below:\n%s", err, out)
	}
}
