package progress

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

func TestProgressComment(t *testing.T) {
	const id = "0w7kq3v9m2x4t"
	for _, text := range append(slices.Clone(samples.Hostile),
		"queued on Desk", "failed because --> <!-- --", "- -- --- ----", "->", "-", "<!--> x", "--!> x", "> @agent-Miner again", "@agent-X:y now",
		"(0w7kq3v9m2x4t.00000000) -->", "%% x %%", "$$", "[[n]]", strings.Repeat("ä-", 500), "a\r\n> @agent-Miner b\u2028c", "<!-- agent-response -->",
	) {
		comment := Comment(id, text)
		inner := strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->")
		for _, bad := range []string{"--", "<", ">", "@agent-", "\n", "\r", "`", "%%", "$$", "[["} {
			if strings.Contains(inner, bad) {
				t.Errorf("%q holds %q: %s", text, bad, comment)
			}
		}
		if len(comment) > mostProgress+80 {
			t.Errorf("%d bytes: %s", len(comment), comment)
		}
		src := []byte("a\n\n> @agent-Miner q?\n" + comment + "\n\nb\n")
		b := Bare(src)
		if string(b.Text) != "a\n\n> @agent-Miner q?\n\nb\n" || len(b.Progress) != 1 || b.Progress[0].ID != id || b.Progress[0].Text != comment {
			t.Errorf("%q is read as %q, %+v", src, b.Text, b.Progress)
		}
		if !IsInvisible(src, note.Parse(b.Text).Markers, map[string]bool{comment: true}) {
			t.Errorf("%q is seen", src)
		}
	}
}

// What a person has written into a comment, or beside it, is theirs.
func TestProgressIsOnlyWhatWasWritten(t *testing.T) {
	comment := Comment("0w7kq3v9m2x4t", "queued on Desk")
	for _, line := range []string{
		strings.Replace(comment, "queued", "queued, buy milk", 1), comment + " buy milk", "buy milk " + comment, "- " + comment,
		strings.Replace(comment, "<!--", "<!-- buy milk", 1), "<!-- agent-progress: buy milk -->", "<!-- agent-progress: x (a.00000000) -->",
		strings.Replace(comment, "0w7", "0w8", 1),
	} {
		src := "x\n" + line + "\ny\n"
		if b := Bare([]byte(src)); string(b.Text) != src || len(b.Progress) != 0 {
			t.Errorf("%q is read as %q", src, b.Text)
		}
	}
	for src, want := range map[string]string{
		comment:                                 "",
		comment + "\n":                          "",
		comment + "\n" + comment + "\nx":        "x",
		"\ufeff" + comment + "\r\nx":            "\ufeffx",
		"x\n" + comment:                         "x",
		"x\r\n" + comment + "\r\n\r\ny":         "x\r\n\r\ny",
		"x\r" + comment + "\r" + comment + "\r": "x\r",
		"> x\n>  " + comment + "  \n> y":        "> x\n> y",
		"\n" + comment + "\n":                   "\n",
	} {
		if got := string(Bare([]byte(src)).Text); got != want {
			t.Errorf("%q is read as %q, want %q", src, got, want)
		}
	}
}

// Random notes get progress comments under some of their markers: nothing of the
// note changes, and what is read of it neither, also by whoever knows nothing of
// such comments. Spans of the one are found in the other.
func TestRandomProgress(t *testing.T) {
	from := testseed.Take(t)
	comments, refused := 0, 0
	for i := range *randomNotes {
		r := rand.New(rand.NewPCG(from, uint64(i)))
		src := samples.Note(r)
		doc := note.Parse(src)
		next, wanted := src, make(map[string]bool)
		for n, m := range doc.Markers {
			if r.IntN(3) == 0 {
				continue
			}
			comment := Comment(fmt.Sprintf("%013d", n), "failed because "+samples.Answer(r))
			b := Bare(next)
			try, err := note.Apply(next, []note.Edit{b.InsertComment(m, comment)})
			if err != nil {
				t.Fatal(err)
			}
			wanted[comment] = true
			if comments++; !IsInvisible(try, doc.Markers, wanted) {
				delete(wanted, comment)
				refused++
				continue
			}
			next = try
		}
		b := Bare(next)
		if !bytes.Equal(b.Text, src) || len(b.Progress) != len(wanted) {
			t.Fatalf("note %d: %d comments for %d, without them\n%q, want\n%q", i, len(b.Progress), len(wanted), b.Text, src)
		}
		for _, m := range doc.Markers {
			if raw := b.Raw(m.Span); string(next[raw.Start:raw.End]) != m.Text {
				t.Fatalf("note %d: the marker %q is %q", i, m.Text, next[raw.Start:raw.End])
			}
		}
		if again := Bare(b.Text); len(again.Progress) != 0 {
			t.Fatalf("note %d: taking comments out leaves some: %q", i, b.Text)
		}
	}
	t.Logf("count: %d notes, %d comments, of which %d could not be placed", *randomNotes, comments, refused)
	if comments < *randomNotes || refused > comments/4 {
		t.Error("too little happened")
	}
}

// Under a line that is no marker a comment stands where it ends its paragraph, and changes nothing
// that is read; elsewhere it does not.
func TestFindTarget(t *testing.T) {
	comment := Comment("line01234567", "not taken up")
	for name, c := range map[string]struct {
		text string
		line int
		want string // "" = none
	}{
		"alone":                {"a\n\n@agent-Miner what?\n\nb\n", 3, "a\n\n@agent-Miner what?\n" + comment + "\n\nb\n"},
		"windows":              {"a\r\n\r\n@agent-Miner what?\r\n", 3, "a\r\n\r\n@agent-Miner what?\r\n" + comment + "\r\n"},
		"ends a paragraph":     {"a\n@agent-Miner what?\n\nb\n", 2, "a\n@agent-Miner what?\n" + comment + "\n\nb\n"},
		"quoted":               {"> @agent-Miner: what?\n>\n> b\n", 1, "> @agent-Miner: what?\n> " + comment + "\n>\n> b\n"},
		"in a list":            {"- a\n- @agent-Miner what?\n- b\n", 2, "- a\n- @agent-Miner what?\n  " + comment + "\n- b\n"},
		"in a numbered list":   {"1. @agent-Miner what?\n2. b\n", 1, "1. @agent-Miner what?\n   " + comment + "\n2. b\n"},
		"in a list of a quote": {"> - @agent-Miner what?\n", 1, "> - @agent-Miner what?\n>   " + comment + "\n"},
		"above more":           {"@agent-Miner what?\nmore\n", 1, ""},
		"above a list":         {"@agent-Miner what?\n- more\n", 1, ""},
		"above an underline":   {"@agent-Miner what?\n===\n", 1, ""},
		"in code":              {"```\n@agent-Miner what?\n```\n", 2, ""},
		"in indented code":     {"a\n\n    @agent-Miner what?\n", 3, ""},
		"in a comment":         {"%%\n@agent-Miner what?\n\n%%\n", 2, ""},
		"in an answer":         {"<!-- agent-response -->\n@agent-Miner what?\n\n<!-- /agent-response -->\n", 2, ""},
		"in the properties":    {"---\na: @agent-Miner what?\n\n---\n", 2, ""},
		"in a table":           {"| a |\n|---|\n| @agent-Miner what? |\n\n", 3, ""},
		"still being typed":    {"@agent-Miner what?", 1, ""},
		"not there":            {"a\n", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := Bare([]byte(c.text))
			m, ok := b.FindTarget(c.line)
			if ok != (c.want != "") {
				t.Fatalf("it takes one: %v", ok)
			}
			if !ok {
				return
			}
			got, err := note.Apply(b.Source, []note.Edit{b.InsertComment(m, comment)})
			if err != nil || string(got) != c.want {
				t.Fatalf("it is\n%q, want\n%q, %v", got, c.want, err)
			}
			if again := Bare(got); string(again.Text) != c.text || !IsInvisible(got, note.Parse([]byte(c.text)).Markers, map[string]bool{comment: true}) {
				t.Errorf("without it, the note is %q", again.Text)
			}
		})
	}
}
