package window

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

const windowNote = `---
title: x
---
one
> @agent-Miner a
two
> @agent-Editor other
three
<!-- agent-response -->
an older answer
<!-- /agent-response -->
four
five
six
> @agent-Miner b
seven
eight
nine
ten
> @agent-Miner c
`

func TestWindows(t *testing.T) {
	src := []byte(windowNote)
	doc := note.Parse(src)
	g := note.GroupMarkers(doc.Markers)[0]
	for _, c := range []struct {
		before, after int
		want          []note.Window
	}{
		{0, 0, []note.Window{{Request: 1, Text: "[Request 1]"}, {Request: 2, Text: "[Request 2]"}, {Request: 3, Text: "[Request 3]"}}},
		{1, 1, []note.Window{{Request: 1, Text: "one\n[Request 1]"}, {Request: 2, Text: "six\n[Request 2]"}, {Request: 3, Text: "ten\n[Request 3]"}}}, // one line below them is asked
		{2, 2, []note.Window{ // the second and the third touch
			{Request: 1, Text: "---\none\n[Request 1]"}, {Request: 2, Text: "five\nsix\n[Request 2]\neight\nnine\nten\n[Request 3]"}, {Request: 3, See: 2}}},
		{30, 10, []note.Window{
			{Request: 1, Text: "---\ntitle: x\n---\none\n[Request 1]\nthree\nfour\nfive\nsix\n[Request 2]\neight\nnine\nten\n[Request 3]"}, {Request: 2, See: 1}, {Request: 3, See: 1}}},
		{-1, -1, []note.Window{{Request: 1, Text: "[Request 1]"}, {Request: 2, Text: "[Request 2]"}, {Request: 3, Text: "[Request 3]"}}},
	} {
		if got := Cut(src, doc, g, Frame{LinesAbove: c.before, LinesBelow: c.after}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d before, %d after:\n%+v\nwant\n%+v", c.before, c.after, got, c.want)
		}
	}
}

// What stands below a question with an empty line between is no part of it, and is in its window.
func TestWindowsBelow(t *testing.T) {
	src := []byte(strings.NewReplacer("> @agent-Miner a\n", "> @agent-Miner a\n\n", "> @agent-Miner b\n", "> @agent-Miner b\n\n").Replace(windowNote))
	doc := note.Parse(src)
	g := note.GroupMarkers(doc.Markers)[0]
	for _, c := range []struct {
		lines int
		want  []note.Window
	}{
		{1, []note.Window{{Request: 1, Text: "one\n[Request 1]\n"}, {Request: 2, Text: "six\n[Request 2]\n"}, {Request: 3, Text: "ten\n[Request 3]"}}},
		{2, []note.Window{{Request: 1, Text: "---\none\n[Request 1]\n\ntwo"}, {Request: 2, Text: "five\nsix\n[Request 2]\n\nseven"}, {Request: 3, Text: "nine\nten\n[Request 3]"}}},
		{3, []note.Window{ // the second and the third touch
			{Request: 1, Text: "title: x\n---\none\n[Request 1]\n\ntwo"}, {Request: 2, Text: "four\nfive\nsix\n[Request 2]\n\nseven\neight\nnine\nten\n[Request 3]"}, {Request: 3, See: 2}}},
	} {
		if got := Cut(src, doc, g, Frame{LinesAbove: c.lines, LinesBelow: c.lines}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d before and after:\n%+v\nwant\n%+v", c.lines, got, c.want)
		}
	}
}

func TestWindowsMakeTextValid(t *testing.T) {
	for text, want := range map[string]string{
		"\xEF\xBB\xBFa\xFFb\r\n> @agent-Miner q\r\nc\rd":     "a\uFFFDb\n[Request 1]\nd",
		"\xEF\xBB\xBFa\xFFb\r\n> @agent-Miner q\r\n\r\nc\rd": "a\uFFFDb\n[Request 1]\n\nc\nd",
	} {
		src := []byte(text)
		doc := note.Parse(src)
		got := Cut(src, doc, note.GroupMarkers(doc.Markers)[0], Frame{LinesAbove: 9, LinesBelow: 9})
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%q: %#v", text, got)
		}
	}
}

// TestNoLineTwice gives every line of a note its own number and looks for it in
// all windows of all sizes.
func TestNoLineTwice(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		if i%7 == 3 || i == 11 {
			fmt.Fprintf(&b, "> @agent-Miner line%02d\n\n", i)
		} else {
			fmt.Fprintf(&b, "line%02d\n", i)
		}
	}
	src := []byte(b.String())
	doc := note.Parse(src)
	g := note.GroupMarkers(doc.Markers)[0]
	for before := range 12 {
		for after := range 12 {
			var all strings.Builder
			for i, w := range Cut(src, doc, g, Frame{LinesAbove: before, LinesBelow: after}) {
				if w.Request != i+1 || (w.See == 0) != (w.Text != "") {
					t.Fatalf("window %d is %+v", i, w)
				}
				all.WriteString(w.Text + "\n")
			}
			for i := range 40 {
				if n := strings.Count(all.String(), fmt.Sprintf("line%02d", i)); n > 1 {
					t.Errorf("%d before, %d after: line %d appears %d times", before, after, i, n)
				}
			}
			for i := range g.Markers {
				if n := strings.Count(all.String(), fmt.Sprintf("[Request %d]", i+1)); n != 1 {
					t.Errorf("%d before, %d after: request %d appears %d times", before, after, i+1, n)
				}
			}
		}
	}
}

func BenchmarkGroupAndWindows(b *testing.B) {
	src := []byte(strings.Repeat(strings.Repeat("Some *words* about [[Another note]], with an address a@b.example.\n", 75)+"\n> @agent-Miner what of it?\n\n", 20))
	doc := note.Parse(src)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for _, g := range note.GroupMarkers(doc.Markers) {
			if n := len(Cut(src, doc, g, Frame{LinesAbove: 30, LinesBelow: 10})); n != 20 {
				b.Fatalf("%d windows", n)
			}
		}
	}
}
