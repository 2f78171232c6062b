package rewrite

import (
	"errors"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// wrapped is a question of three lines, as an editor wraps it.
const wrapped = "> @agent-Miner what\n> did we\n> decide?\n"

// A person's own words stand directly below a marker. The answer takes the place of the
// question in front of them and of no byte of theirs, in every kind of line end, and an
// undo brings every byte back.
func TestOwnWordsBelow(t *testing.T) {
	t.Parallel()
	const ask = "> @agent-Miner what about"
	for name, c := range map[string]struct {
		question string // lines that the answer replaces
		own      string
	}{
		"behind a full stop":          {ask + " it.", "> My words."},
		"behind a question mark":      {ask + " it?", "> My words"},
		"behind an exclamation mark":  {ask + " it!", "> My words"},
		"behind a colon":              {ask + ":", "> My words"},
		"behind an ellipsis":          {ask + " …", "> My words"},
		"behind a Chinese stop":       {"> @agent-Miner 备份呢。", "> 我的话"},
		"behind a wide question mark": {"> @agent-Miner 备份呢？", "> 我的话"},
		"behind a danda":              {"> @agent-Miner क्या है।", "> मेरे शब्द"},
		"behind an Arabic question":   {"> @agent-Miner ما هذا؟", "> كلماتي"},
		"behind a Greek question":     {"> @agent-Miner τι είναι;", "> τα λόγια μου"},
		"behind a closed sentence":    {ask + " *it?*)", "> My words"},
		"behind a question and a tag": {ask + " it? #q", "> My words"},
		"behind a named block":        {ask + " it. ^a1", "> My words"},
		"behind a footnote":           {ask + " it.[^1]", "> My words"},
		"behind a hard break":         {ask + "  ", "> My words"},
		"behind a backslash":          {ask + "\\", "> My words"},
		"behind two lines":            {ask + "\n> the backups?", "> My words"},
		"lazy":                        {ask, "my words"},
		"less deep":                   {"> " + ask, "> my words"},
		"a quotation":                 {ask, "> \"My words\""},
		"a curly quotation":           {ask, "> “My words”"},
		"a guillemet":                 {ask, "> « Mes mots »"},
		"a Japanese quotation":        {ask, "> 「私の言葉」"},
		"an emphasised quotation":     {ask, "> *\"My words\"*"},
		"an attribution":              {ask, "> — Me"},
		"an attribution with hyphens": {ask, "> -- Me"},
		"a list":                      {ask, "> - mine\n> - too"},
		"a numbered list":             {ask, "> 1. mine"},
		"a list from two":             {ask, "> 2. mine"},
		"a list with bullets":         {ask, "> • mine"},
		"a task":                      {ask, "> [ ] mine"},
		"a table":                     {ask, "> | a | b |\n> |---|---|\n> | 1 | 2 |"},
		"a heading":                   {ask, "> # Mine"},
		"a tag":                       {ask, "> #mine"},
		"code":                        {ask, "> ```\n> mine\n> ```"},
		"indented":                    {ask, ">     mine"},
		"an HTML block":               {ask, "> <div>mine</div>"},
		"a hidden comment":            {ask, "> <!-- mine -->"},
		"a comment begins":            {ask, "> mine <!-- and\n> more -->"},
		"an Obsidian comment":         {ask, "> %% mine %%"},
		"an Obsidian comment, later":  {ask, "> mine %% and more %%"},
		"a formula":                   {ask, "> $$x$$"},
		"an embedded note":            {ask, "> ![[Mine]]"},
		"a footnote's text":           {ask, "> [^1]: mine"},
		"the target of a link":        {ask, "> [1]: https://example.org"},
		"a property":                  {ask, "> mine:: yes"},
		"the name of a block":         {ask, "> ^mine"},
		"a label":                     {ask, "> Mine: words"},
		"a deeper quote":              {ask, "> > mine"},
		"a rule":                      {ask, "> ***"},
		"an empty line of the quote":  {ask, ">\n> My words"},
		"one more marker's attempt":   {ask, "> @agents-Miner mine"},
		"words that name an agent":    {ask, "> mine, as @agent-Editor said"},
	} {
		t.Run(name, func(t *testing.T) {
			eols, places := []string{"\n", "\r\n", "\r"}, []string{"> mine\n", "", "# Mine\n\n", "- mine\n\n  "}
			if testing.Short() {
				eols, places = eols[:1], places[:1]
			}
			for _, eol := range eols {
				for _, around := range places {
					text := around + strings.ReplaceAll(c.question+"\n"+c.own, "\n", "\n"+strings.Repeat(" ", strings.Count(around, "- ")*2)) + "\n\nend"
					text = strings.ReplaceAll(text, "\n", eol)
					checkOwnWords(t, text, strings.ReplaceAll(c.question, "\n", eol+strings.Repeat(" ", strings.Count(around, "- ")*2)))
				}
			}
		})
	}
}

// checkOwnWords answers the question of a note and takes that back.
func checkOwnWords(t *testing.T, text, question string) {
	t.Helper()
	s := newScene(t, t.TempDir(), text)
	if n := len(note.Parse([]byte(text)).Markers); n != 1 {
		t.Fatalf("%d markers in %q", n, text)
	}
	job := answered(t, s, numbered)
	got := s.read()
	at := strings.Index(text, question)
	after := text[at+len(question):]
	if !strings.HasSuffix(got, after) || strings.Count(got, numbered(0)) != 1 || strings.Contains(got, "@agent-Miner what about") {
		t.Fatalf("%q was answered as\n%q", text, got)
	}
	if before := text[:at]; !strings.HasPrefix(got, before) {
		t.Fatalf("%q was answered as\n%q", text, got)
	}
	var logged []swap.Intention
	if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != text {
		t.Fatalf("%q was undone as\n%q, %v", text, s.read(), err)
	}
	s.settle(logged)
}

// What a person had there first is told by the place alone: the form of the note does not say it.
func TestOwnWordsByPlace(t *testing.T) {
	const text = "> @agent-Miner shorten\n> my words\n> and more of them\n\n> @agent-Miner shorten\n> this and that\n"
	s := newScene(t, t.TempDir(), text)
	job := s.job(numbered)
	job.Places[0].Text, job.Places[0].Lower = "> @agent-Miner shorten", "> my words"
	var last Draft
	job.Draft = func(d Draft) { last = d }
	if _, err := brisk.answerGroup(ctx, job, unlogged); err != nil {
		t.Fatal(err)
	}
	want := "> <!-- agent-response -->\n> " + numbered(0) + "\n> <!-- /agent-response -->\n> my words\n> and more of them\n\n<!-- agent-response -->\n" + numbered(1) + "\n<!-- /agent-response -->\n"
	if got := s.read(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i, b := range last.Blocks {
		job.Places[i].Block = b
	}
	// Somebody has given the note other line ends since; they come back with them.
	dos := strings.ReplaceAll(want, "\n", "\r\n")
	if err := os.WriteFile(s.path, []byte(dos), 0o644); err != nil {
		t.Fatal(err)
	}
	job.Draft = nil
	if _, err := brisk.undo(ctx, job, unlogged); err != nil || s.read() != strings.ReplaceAll(text, "\n", "\r\n") {
		t.Errorf("undone: %q, %v", s.read(), err)
	}
}

// An edit anywhere in a question makes it another one: its answer is not written over it.
func TestEditedQuestions(t *testing.T) {
	for name, now := range map[string]string{
		"the first line":  "> @agent-Miner when\n> did we\n> decide?\n",
		"the middle":      "> @agent-Miner what\n> do we\n> decide?\n",
		"the last":        "> @agent-Miner what\n> did we\n> decide\n",
		"a line is gone":  "> @agent-Miner what\n> decide?\n",
		"a line is added": "> @agent-Miner what\n> on earth\n> did we\n> decide?\n",
		"apart":           "> @agent-Miner what\n\n> did we\n> decide?\n",
		"without a mark":  "> @agent-Miner what\ndid we\n> decide?\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), "x\n\n"+wrapped+"\ny\n")
			job := s.job(numbered)
			now := "x\n\n" + now + "\ny\n"
			if err := os.WriteFile(s.path, []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
			res, err := brisk.answerGroup(ctx, job, unlogged)
			if err != nil && !errors.Is(err, ErrContested) || len(res.Missing) != 1 || s.read() != now {
				t.Errorf("%+v, %v: %q", res, err, s.read())
			}
		})
	}
}
