package note

import (
	"strings"
	"testing"
)

// What else stands on the lines of a question is not asked, and stays behind the answer.
func TestWhatElseStandsOnTheLineStays(t *testing.T) {
	const block = "<!-- agent-response -->\nyes\n<!-- /agent-response -->\n"
	const card = "<!--SR:!2024-01-01,3,250-->"
	in := func(prefix, lines string) string {
		var b strings.Builder
		for line := range strings.Lines(block + lines) {
			b.WriteString(strings.TrimRight(prefix+line, " \n") + "\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct{ text, asked, want string }{
		"a name":                   {"> @agent-Miner what? ^q1\n", "what?", block + "\n^q1\n"},
		"a name of Obsidian's":     {"> @agent-Miner what? ^37066d\n", "what?", block + "\n^37066d\n"},
		"a text element":           {"> @agent-Miner what grows? ^Qk3mPz9a\n", "what grows?", block + "\n^Qk3mPz9a\n"},
		"a power":                  {"> @agent-Miner what is 2 ^10\n", "what is 2 ^10", block},
		"a name in the middle":     {"> @agent-Miner what ^q1 is\n", "what ^q1 is", block},
		"a name at a word":         {"> @agent-Miner what^q1\n", "what^q1", block},
		"a name of two signs":      {"> @agent-Miner what ^q_1\n", "what ^q_1", block},
		"two names":                {"> @agent-Miner what of ^q1 ^q2\n", "what of ^q1", block + "\n^q2\n"},
		"two, over two lines":      {"> @agent-Miner what\n> of ^q1 ^q2\n", "what\nof ^q1", block + "\n^q2\n"},
		"two and a comment":        {"> @agent-Miner what of ^q1 %%a%% ^q2\n", "what of ^q1", block + "%%a%%\n\n^q2\n"},
		"nothing but a name":       {"> @agent-Miner ^q1\n", "^q1", block + "\n^q1\n"},
		"a schedule":               {"> @agent-Miner what? " + card + "\n", "what?", block + card + "\n"},
		"a schedule at a word":     {"> @agent-Miner what?" + card + "\n\nend\n", "what?", block + card + "\n\nend\n"},
		"a schedule and a name":    {"> @agent-Miner what? " + card + " ^q1\n\nend\n", "what?", block + card + "\n\n^q1\n\nend\n"},
		"a name and a schedule":    {"> @agent-Miner what? ^q1 " + card + "\n", "what?", block + card + "\n\n^q1\n"},
		"another comment":          {"> @agent-Miner what? <!-- ask Ann -->\n", "what?", block + "<!-- ask Ann -->\n"},
		"percent signs":            {"> @agent-Miner what? %%mine%%\n", "what?", block + "%%mine%%\n"},
		"percent signs within":     {"> @agent-Miner what %%mine%% is it? %% b %%\n", "what is it?", block + "%%mine%%\n%% b %%\n"},
		"two percent signs":        {"> @agent-Miner is 100%% sure?\n", "is 100%% sure?", block},
		"percent signs in code":    {"> @agent-Miner what is `%%a%%`?\n", "what is `%%a%%`?", block},
		"a comment in code":        {"> @agent-Miner what is `<!--a-->`?\n", "what is `<!--a-->`?", block},
		"the end of an answer":     {"> @agent-Miner what? <!-- /agent-response -->\n", "what? <!-- /agent-response -->", block},
		"a comment that goes on":   {"> @agent-Miner what? %%a\n> b%%\n> c\n", "what?", in("> ", "%%a\n") + "> b%%\n> c\n"},
		"HTML that goes on":        {"> @agent-Miner what? <!--a\n> b-->\n", "what?", in("> ", "<!--a\n") + "> b-->\n"},
		"several lines":            {"> @agent-Miner what %%a%%\n> did we " + card + "\n> decide? ^q1\n\nend\n", "what\ndid we\ndecide?", block + "%%a%%\n" + card + "\n\n^q1\n\nend\n"},
		"several, a line of HTML":  {"> @agent-Miner what\n> did <b>we</b>\n> decide?\n", "what", in("> ", "") + "> did <b>we</b>\n> decide?\n"},
		"several, a long comment":  {"> @agent-Miner what\n> did we <!-- a\n> b --> decide?\n", "what", in("> ", "") + "> did we <!-- a\n> b --> decide?\n"},
		"several, own words below": {"> @agent-Miner what? %%a%%\n> Mine.\n", "what?", in("> ", "%%a%%\n\n") + "> Mine.\n"},
		"a name on the line below": {"> @agent-Miner what?\n^q2\n", "what?", block + "^q2\n"},
		"in a quote":               {"> a\n> > @agent-Miner what? " + card + " ^q1\n", "what?", "> a\n" + in("> ", card+"\n\n^q1\n")},
		"in a callout":             {"> [!note] T\n> @agent-Miner what? %%m%%\n> more\n", "what?", "> [!note] T\n" + in("> ", "%%m%%\n\n") + "> more\n"},
		"in a list":                {"- a\n  > @agent-Miner what? " + card + " ^q1\n- b\n", "what?", "- a\n" + in("  ", card+"\n^q1\n") + "- b\n"},
		"in a list below it":       {"> @agent-Miner compare:\n> - tea %%cheap%%\n> - milk\n", "compare:\n- tea\n- milk", in("> ", "") + "> - tea %%cheap%%\n> - milk\n"},
		"above a line of marks":    {"> @agent-Miner what? %%m%%\n---\n", "what?", block + "%%m%%\n\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n", "\r"} {
				src := []byte(strings.ReplaceAll(c.text, "\n", eol))
				doc := Parse(src)
				if len(doc.Markers) != 1 || doc.Markers[0].Instruction != c.asked {
					t.Fatalf("%+v is asked, want %q", doc.Markers, c.asked)
				}
				edit := Respond(src, doc.Markers[0], "yes")
				got, err := Apply(src, []Edit{edit})
				if want := strings.ReplaceAll(c.want, "\n", eol); err != nil || string(got) != want {
					t.Fatalf("it is\n%q, want\n%q, %v", got, want, err)
				}
				if left := Parse(got); len(left.Markers) > 0 || !NewPage(src).KeepsBlocks(NewPage(got), []Edit{edit}) {
					t.Error("the answer is no block, or a question is left")
				}
			}
		})
	}
}

// A comment alone asks nothing.
func TestCommentIsNoQuestion(t *testing.T) {
	for _, text := range []string{"> @agent-Miner %%later%%", "> @agent-Miner <!-- later -->", "> @agent-Miner:t <!--a--> %%b%%"} {
		doc := Parse([]byte(text))
		if len(doc.Markers) > 0 || len(doc.Misses) != 1 || doc.Misses[0].Reason != Empty {
			t.Errorf("%q: %+v", text, doc)
		}
	}
	if doc := Parse([]byte("> @agent-Miner<!--a--> what?")); len(doc.Markers) > 0 {
		t.Error("a comment is taken for the space behind the role")
	}
}
