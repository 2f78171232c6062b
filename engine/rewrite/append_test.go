package rewrite

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// TestAppend: a question and its answer come behind whatever a note ends with, once however often it is
// asked for, and Undo leaves the note byte for byte as it was, and what was written since.
func TestAppend(t *testing.T) {
	t.Parallel()
	const answer = "the answer\n\n```\ncode\n```"
	for name, text := range map[string]string{
		"empty":             "",
		"a line":            "a\n",
		"no final newline":  "a",
		"crlf":              "a\r\n",
		"crlf, no final":    "a\r\nb",
		"blank lines":       "a\n\n\n",
		"blanks":            "a\n  \n",
		"byte order mark":   "\ufeffa\n",
		"quote":             "> a",
		"a question":        "> @agent-Miner other?",
		"list":              "- a\n  - b",
		"properties":        "---\na: b\n---\n",
		"table":             "| a |\n|---|\n| b |\n",
		"invalid utf-8":     "caf\xe9",
		"an answer":         "<!-- agent-response -->\nx\n<!-- /agent-response -->\n",
		"the same question": "> why?\n\n<!-- agent-response -->\nother\n<!-- /agent-response -->\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: answer}}}
			job.Draft = func(d Draft) { job.Places[0].Block = d.Blocks[0] }
			var logged []swap.Intention
			for range 2 {
				res, err := brisk.appendAnswer(ctx, job, "why?\n\nand how?", logTo(&logged))
				if err != nil || len(res.Written) != 1 {
					t.Fatalf("%+v, %v", res, err)
				}
			}
			job.Draft = nil
			got := s.read()
			if !strings.HasPrefix(got, text) || strings.Count(got, "the answer") != 1 || strings.Count(got, "> and how?") != 1 {
				t.Fatalf("%q", got)
			}
			if before, after := note.Parse([]byte(text)), note.Parse([]byte(got)); len(before.Markers) != len(after.Markers) {
				t.Errorf("%q: %d markers", got, len(after.Markers))
			}
			if strings.Contains(text, "\r\n") != strings.Contains(got[len(text):], "\r\n") {
				t.Errorf("other line ends: %q", got)
			}
			more, kept := "more\n", text
			if !strings.HasSuffix(text, "\n") && text != "" { // what is written below is no end of that line
				kept += lineEnd([]byte(text))
			}
			if err := os.WriteFile(s.path, []byte(got+more), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != kept+more {
				t.Fatalf("undone: %q, %v", s.read(), err)
			}
			// Once more after a crash: what is gone is not looked for elsewhere. Lines like it may be taken for it.
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil && !errors.Is(err, ErrEdited) || s.read() != kept+more {
				t.Fatalf("undone again: %q, %v", s.read(), err)
			}
			s.settle(logged)
			if err := os.WriteFile(s.path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != text {
				t.Errorf("undone: %q, %v", s.read(), err)
			}
		})
	}
}

// TestUndoAppendTakesItsOwnLineEnds: behind a carriage return that was appended, a line feed is somebody else's.
func TestUndoAppendTakesItsOwnLineEnds(t *testing.T) {
	s := newScene(t, t.TempDir(), "a\rb\r")
	job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: "x"}}}
	job.Draft = func(d Draft) { job.Places[0].Block = d.Blocks[0] }
	var logged []swap.Intention
	if _, err := brisk.appendAnswer(ctx, job, "why?", logTo(&logged)); err != nil {
		t.Fatal(err)
	}
	s.settle(logged)
	if err := os.WriteFile(s.path, []byte(s.read()+"\nmore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != "a\rb\r\nmore\n" {
		t.Errorf("undone: %q, %v", s.read(), err)
	}
}

// TestUndoAppendKeepsLinesApart: a person has taken the blank line above what was appended away, and their lines stay lines.
func TestUndoAppendKeepsLinesApart(t *testing.T) {
	for _, text := range []string{"One\n", "One", "One\r\n", "One\r\n\r\n"} {
		for _, below := range []string{"# Two\n", ""} {
			s := newScene(t, t.TempDir(), text)
			job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: "x"}}}
			job.Draft = func(d Draft) { job.Places[0].Block = d.Blocks[0] }
			var logged []swap.Intention
			if _, err := brisk.appendAnswer(ctx, job, "why?", logTo(&logged)); err != nil {
				t.Fatal(err)
			}
			s.settle(logged)
			eol := lineEnd([]byte(text))
			edited := "One" + eol + s.read()[strings.Index(s.read(), "> why?"):] + below
			if err := os.WriteFile(s.path, []byte(edited), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != "One"+eol+below {
				t.Errorf("%q with %q below: %q, %v", text, below, s.read(), err)
			}
		}
	}
}

// TestAppendNowhere: where it would mean something else, nothing is written.
func TestAppendNowhere(t *testing.T) {
	for i, c := range []struct{ text, question string }{
		{"```\ncode", "why?"}, {"<!-- open", "why?"}, {"%% open", "why?"}, {"a\n", "@agent-Miner why?"}, {"a\n", "x\n\n@agent-Miner why?"}, {"a\n", "%% hidden"},
		{"<!-- agent-response -->\nopen\n", "why?"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := newScene(t, t.TempDir(), c.text)
			job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: "x"}}}
			if _, err := brisk.appendAnswer(ctx, job, c.question, func(swap.Intention) error { return nil }); !errors.Is(err, ErrUnsafe) || s.read() != c.text {
				t.Errorf("%v: %q", err, s.read())
			}
		})
	}
}
