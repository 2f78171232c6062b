package part

import (
	"errors"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// find finds the part of the note's first question to Editor.
func find(t *testing.T, src string) (Part, error) {
	t.Helper()
	for _, m := range note.Parse([]byte(src)).Markers {
		if m.Role == "Editor" {
			return Find(note.NewPage([]byte(src)), m, "")
		}
	}
	t.Fatalf("no question in %q", src)
	return Part{}, nil
}

func TestFind(t *testing.T) {
	t.Parallel()
	const ask = "> @agent-Editor make it shorter\n"
	const answer = "<!-- agent-response -->\nan answer\n<!-- /agent-response -->\n"
	for name, c := range map[string]struct {
		src, name, text string
		err             error
	}{
		"paragraph":             {src: "one\n\ntwo\nthree\n\n" + ask + "\nfour\n", name: "paragraph above", text: "two\nthree"},
		"without an empty line": {src: "two\nthree\n" + ask, name: "paragraph above", text: "two\nthree"},
		"windows":               {src: "two\r\nthree\r\n\r\n> @agent-Editor shorter", name: "paragraph above", text: "two\nthree"},
		"mark of byte order":    {src: "\ufefftwo\n\n" + ask, name: "paragraph above", text: "two"},
		"properties":            {src: "---\na: b\n---\n" + ask, err: errNone},
		"below properties":      {src: "---\na: b\n---\ntext\n\n" + ask, name: "paragraph above", text: "text"},
		"list":                  {src: "a\n\n- one\n- two\n  - three\n\n" + ask, name: "list above", text: "- one\n- two\n  - three"},
		"in a list":             {src: "a\n\n- one\n  " + ask + "- two\n\nb\n", name: "list it stands in", text: "- one\n⟦1⟧\n- two"},
		"table":                 {src: "a\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n" + ask, name: "table above", text: "| a | b |\n|---|--:|\n| 1 | 2 |"},
		"quote":                 {src: "> one\n> two\n\n" + ask, name: "quote above", text: "> one\n> two"},
		"in a callout":          {src: "> [!note] A\n>\n> two\n> three\n> @agent-Editor shorter\n\nb", name: "paragraph above", text: "two\nthree"},
		"callout of one":        {src: "one\n\n> @agent-Editor shorter.\n> my words\n", name: "paragraph above", text: "one"},
		"section":               {src: "## A\n" + ask + "\none\n\n### B\ntwo\n\n## C\nthree\n", name: "section", text: "one\n\n### B\ntwo"},
		"section to the end":    {src: "A\n===\n\n" + ask + "\none\n\n## B\ntwo", name: "section", text: "one\n\n## B\ntwo"},
		"empty section":         {src: "## A\n" + ask + "\n## B\none\n", err: errEmpty},
		"at the top":            {src: ask + "one\n", err: errNone},
		"below code":            {src: "one\n\n```\ncode\n```\n\n" + ask, err: errNone},
		"below questions":       {src: "one\n\n> @agent-Miner why\n" + ask, name: "paragraph above", text: "one"},
		"below an answer":       {src: "one\n\n" + answer + "\n" + ask, name: "paragraph above", text: "one"},
		"what stays": {src: "## A\n" + ask + "\none[^1] %%no%% ![x](http://x) two ^abc\n\n" + answer + "\n```\ncode\n```\n\n> @agent-Miner why\n\nthree `code` <!-- c -->\n<b>x</b>\nkey:: value\n- item ^def\n\n[^1]: note\n[x]: http://x\n^ghi\n",
			name: "section", text: "one⟦1⟧ ⟦2⟧ ⟦3⟧ two⟦4⟧\n\n⟦5⟧\n\n⟦6⟧\n\n⟦7⟧\n\nthree `code` ⟦8⟧\n⟦9⟧x⟦10⟧\n⟦11⟧\n- item⟦12⟧\n\n⟦13⟧ note"},
		"a comment in HTML": {src: "## A\n" + ask + "\none\n\n<div>\n%%\n\nno\n%%\n\ntwo\n", name: "section", text: "one"},
		"a long comment":    {src: "one\n%%\nno\n\nno\n%%\ntwo\n\n" + ask, name: "paragraph above", text: "two"},
		"a comment in":      {src: "## A\n" + ask + "\none\n%%\nno\n\nno\n%%\ntwo\n", name: "section", text: "one\n⟦1⟧\ntwo"},
		"no UTF-8":          {src: "one \xff\n\n" + ask, err: errUnread},
		"signs of ours":     {src: "one ⟦1⟧\n\n" + ask, err: errUnread},
		"too large":         {src: strings.Repeat("a long line of words\n", 4000) + "\n" + ask, err: errTooLarge},
	} {
		p, err := find(t, c.src)
		if !errors.Is(err, c.err) || err == nil && (p.Name != c.name || p.Text != c.text) {
			t.Errorf("%s: the %s %q, %v", name, p.Name, p.Text, err)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	const text = "one two\nthree\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive"
	for name, c := range map[string]struct {
		reply, want string
		err         error
	}{
		"text":             {reply: "one\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive", want: "one\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive"},
		"empty lines":      {reply: "\n\nfour⟦1⟧\r\n\r\n⟦2⟧\n\n", want: "four⟦1⟧\n\n⟦2⟧"},
		"in a fence":       {reply: "```markdown\nfour⟦1⟧\n\n⟦2⟧\n```", want: "four⟦1⟧\n\n⟦2⟧"},
		"as it was":        {reply: text, want: text},
		"diff":             {reply: "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-one two\n+one\n three\n", want: "one\nthree\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive"},
		"diff in a fence":  {reply: "```diff\n@@ -1,2 +1,2 @@\n-one two\n+one\n three\n```", want: "one\nthree\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive"},
		"two hunks":        {reply: "@@ -1 +1 @@\n-one two\n+one\n@@ -8 +8,2 @@\n five\n+six\n", want: "one\nthree\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive\nsix"},
		"a wrong line":     {reply: "@@ -5 +5 @@\n-three\n+drei\n", want: "one two\ndrei\n\nfour⟦1⟧\n\n⟦2⟧\n\nfive"},
		"empty":            {reply: " \n", err: errNoText},
		"all taken away":   {reply: "@@ -8 +0,0 @@\n-five\n@@ -9 +9 @@\n-x\n+y\n", err: errNoMatch},
		"no match":         {reply: "@@ -1 +1 @@\n-one\n+two\n", err: errNoMatch},
		"beyond":           {reply: "@@ -40 +40 @@\n-one two\n+two\n", err: errBeyond},
		"another file":     {reply: "--- a\n+++ b\n@@ -2 +2 @@\n-three\n+drei\n--- c\n+++ d\n@@ -1 +1 @@\n-one two\n+eins\n", err: errBeyond},
		"broken off":       {reply: "@@ -1,2 +1,2 @@\n-one two\n", err: errBroken},
		"in doubt":         {reply: "@@ -2 +2 @@\n-\n+x\n", err: errDoubt},
		"without a number": {reply: "one\n\n⟦2⟧", err: errKept},
		"a number twice":   {reply: "four⟦1⟧\n\n⟦2⟧\n\n⟦2⟧", err: errKept},
		"in another order": {reply: "⟦2⟧\n\nfour⟦1⟧", err: errKept},
		"one more":         {reply: "four⟦1⟧\n\n⟦2⟧\n\n⟦3⟧", err: errKept},
		"a broken number":  {reply: "four⟦1⟧\n\n⟦2⟧\n\n⟦", err: errKept},
		"within a line":    {reply: "four⟦1⟧\n\nsee ⟦2⟧", err: errMoved},
		"not at the end":   {reply: "four⟦1⟧ more\n\n⟦2⟧", err: errMoved},
		"in code":          {reply: "```\nfour⟦1⟧\n\n⟦2⟧\n```\nx", err: errCoded},
		"in a comment":     {reply: "<!-- x\nfour⟦1⟧\n-->\n\n⟦2⟧\n", err: errCoded},
		"too long":         {reply: strings.Repeat("x", most+1), err: errLong},
	} {
		got, err := Fit(text, c.reply)
		if !errors.Is(err, c.err) || err == nil && got != c.want {
			t.Errorf("%s: %.200q, %v", name, got, err)
		}
	}
}

// The parts of all questions of a note are found in one reading of it.
func TestFindReadsOnce(t *testing.T) {
	reads := 0
	note.OnRead = func([]byte) { reads++ }
	defer func() { note.OnRead = func([]byte) {} }()
	page := note.NewPage([]byte("one\n\n> @agent-Editor make it shorter\n\ntwo\n\n> @agent-Editor and this\n"))
	for i, want := range []string{"one", "two"} {
		if got, err := Find(page, page.Doc().Markers[i], ""); err != nil || got.Text != want {
			t.Errorf("%q, %v", got.Text, err)
		}
	}
	if reads != 1 {
		t.Errorf("the note was read %d times", reads)
	}
}
