package untaken

import (
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testseed"
)

// More forms that people give a question, and those that are near them and ask nobody, each in a note of its own.
var formTests = []struct{ note, reason, mend string }{
	// No role is named: many texts have @agent in them.
	{"> @agent what did we decide?", "", ""},
	{"Hey @agent, what did we decide?", "", ""},
	{"Have you tried an @agent, or do you not?", "", ""},
	{"> Is this an @agent or a bot?", "", ""},
	{"> The @agent, what is it?", "", ""},
	{"> @agent", "", ""},
	{"> @agent?", "", ""},
	{"> @agent said so", "", ""},
	{"> @Agent Smith, what?", "", ""},
	{"> Hi @Agent Smith what did they say?", "", ""},
	{"> @agents what do you think?", "", ""},
	{"> @acme/agent what do you think?", "", ""},
	{"> @agent/x what is it?", "", ""},
	{"install @agent/x, is that right?", "", ""},
	{"> @agent.com is what?", "", ""},
	{"Hey x@agent.com, what now?", "", ""},
	{"Hi ann@agent what now?", "", ""},
	{"```python\n@agent what(x): return x?\n@agent\ndef f(): return 1?\n```", "", ""},
	{"    @agent what?", "", ""},
	{"\t@agent what?", "", ""},
	{"`@agent what?`", "", ""},
	{"> \\@agent what?", "", ""},
	{"@media print and what?", "", ""},
	{"@agency what?", "", ""},

	// The role alone, which counts in a quote where it is spelled right.
	{"> @minr what?", "", ""},
	{"> [!todo] @miner what?", "small letters", "> [!todo]\n> @agent-Miner what?"},
	{"> [!todo]- @Miner, what?", "small letters", "> [!todo]-\n> @agent-Miner what?"},
	{"> [!todo] @agnet-Miner what?", "small letters", "> [!todo]\n> @agent-Miner what?"},
	{"> [!todo] @ann what?", "", ""},
	{"> [!todo] @ann ask @miner what", "", ""},
	{"> [!note] mail ann@miner.example what?", "", ""},
	{"[!todo] @miner what?", "", ""},
	{"> @minr said so", "", ""},
	{"> @min what?", "", ""},
	{"> @mike what?", "", ""},
	{"> @minr", "", ""},
	{"@minr what?", "", ""},
	{"```\n> @minr what?\n> [!todo] @miner what?\n```", "", ""},

	// The word for an agent in other languages is no address, unless it differs in one letter.
	{"> @агент-Miner what?", "", ""},
	{"> @Agenten-Miner what?", "", ""},
	{"> @agents-Miner what?", "small letters", "> @agent-Miner what?"},
	{"> @agente-Miner what?", "small letters", "> @agent-Miner what?"},
	{"> @агент-Смит what?", "", ""},
	{"> @агентство-Miner what?", "", ""},
	{"> @Agenten-Schmidt what?", "", ""},
	{"> @Agenten sind was?", "", ""},
	{"> @coal-Miner what?", "", ""},
	{"see @Agenten-Miner what", "", ""},

	// Marks between the @ and the word.
	{"> @**agent-Miner** what?", "small letters", "> @agent-Miner what?"},
	{"> **@agent-Miner** what?", "follow the >", "> @agent-Miner what?"},
	{"> @_agent-Miner_ what?", "small letters", "> @agent-Miner what?"},
	{"> @_agent-Miner:t_ what?", "small letters", "> @agent-Miner:t what?"},
	{"> @[agent-Miner] what?", "small letters", "> @agent-Miner what?"},
	{"> @[[agent-Miner]], what?", "small letters", "> @agent-Miner what?"},
	{"> @`agent-Miner` what?", "small letters", "> @agent-Miner what?"},
	{"> @\"agent-Miner\" what?", "small letters", "> @agent-Miner what?"},
	{"> @**miner** what?", "small letters", "> @agent-Miner what?"},
	{"@**agent-Miner** what?", "not in a block quote", "> @agent-Miner what?"},
	{"> @**ann** what?", "", ""},
	{"> @[[agents]] do what?", "", ""},
	{"> @_ann_ what?", "", ""},
	{"@**miner** what?", "", ""},

	// Tables whose rows begin without a |.
	{"Q | A\n---|---\nQ1 | @agent-Miner what?", "in a table", ""},
	{"Q1 | @agent-Miner what?\n:--|--:\nx | y", "in a table", ""},
	{"Q | A\n- | -\nQ1 | @Agent-Miner what?", "in a table", ""},
	{"Q | A\n---|---\n@agent-Miner what? | x", "in a table", ""},
	{"Q | A\n---|---\n@Agent-Miner what? | x", "in a table", ""},
	{"Q | A\n---|---\nx \\| y | z\nQ1 | **@agent-Miner** what?", "in a table", ""},
	{"> Q | A\n> ---|---\n> Q1 | @agent-Miner what?", "in a table", ""},
	{"Q | A\n---|---\nx | y\n\n@agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
	{"Q | A\n---\nQ1: @agent-Miner what?", "not in a block quote", "Q1:\n> @agent-Miner what?"},
	{"Q | A\n---|---\nMiner | @agent-Miner", "", ""},
	{"Q | A\n---|---\n@agent-Miner | finds what is there", "", ""},
	{"Q | A\n---|---\n@agent-Smith what? | x", "", ""},
	{"Q | A\n---|---\nx | ask @agent-Miner what", "", ""},
	{"Q | A\n---|---\nx | ann@agent-miner.example?", "", ""},
	{"```\nQ | A\n---|---\nQ1 | @agent-Miner what?\n```", "", ""},

	// A footnote without a quote.
	{"text[^1]\n\n[^1]: @agent-Miner what?", "not in a block quote", "[^1]:\n> @agent-Miner what?"},
	{"[^a]: @Agent-Miner: what?", "not in a block quote", "[^a]:\n> @agent-Miner what?"},
	{"[^a]: **@agent-Miner** what?", "not in a block quote", "[^a]:\n> @agent-Miner what?"},
	{"[^1]: @agent-Miner finds notes", "", ""},
	{"[^1]: @agent-Smith said what?", "", ""},
	{"[^1]: @miner said what?", "", ""},
	{"[^1]: ann@agent-miner.example, or what?", "", ""},
	{"```\n[^1]: @agent-Miner what?\n```", "", ""},

	// HTML's names and numbers of characters.
	{"> @agent&#45;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent&#x2d;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent&#X2D;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent&hyphen;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent&dash;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent&ndash;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> &#0064;agent&#45;Miner what?", "escaped", "> @agent-Miner what?"},
	{"&#x3E; &#X40;agent&#x2d;Miner what &gt; why?", "escaped", "> @agent-Miner what &gt; why?"},
	{"> @agent-Heavy&lowbar;Lifter what?", "escaped", "> @agent-Heavy_Lifter what?"},
	{"> @&#97;gent-Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent-&#77;iner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent&nbsp;Miner what?", "escaped", "> @agent-Miner what?"},
	{"> @agent-Miner&nbsp;what&#45;if?", "escaped", "> @agent-Miner what&#45;if?"},
	{"> @agent-Miner&#32;what?", "escaped", "> @agent-Miner what?"},
	{">&nbsp;@agent-Miner what?", "escaped", "> @agent-Miner what?"},
	{"&#0062; @agent-Miner what?", "escaped", "> @agent-Miner what?"},
	{"&num; @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
	{"> @agent&#45;based models", "", ""},
	{"> @agent-Miner: R&amp;D?", "instead of the colon", "> @agent-Miner R&amp;D?"},
	{"> Q &amp; A: @agent-Miner what?", "follow the >", "> Q &amp; A:\n> @agent-Miner what?"},
	{"Fish &amp; chips with @agent-Miner, or what?", "", ""},
	{"> @ann&#45;Miner what?", "", ""},
	{"> @&#97;nn what?", "", ""},
	{"ann&#64;agent&#45;miner.example", "", ""},
	{"```\n> @agent&#45;Miner what?\n```", "", ""},
	{"`> @agent&#45;Miner what?`", "", ""},
	{"&lt;!-- &commat;agent-Miner what? --&gt;", "", ""},

	// NUL. UTF-7 is no spelling of an address.
	{"> +AEA-agent-Miner what?", "", ""},
	{"> @agent-\x00Miner what?", "cannot be seen", "> @agent-Miner what?"},
	{"\x00> @agent-Miner what?", "cannot be seen", "> @agent-Miner what?"},
	{"> @agent-Miner\x00 what?", "cannot be seen", "> @agent-Miner what?"},
	{"> @ag\x00ent-Miner what?", "cannot be seen", "> @agent-Miner what?"},
	{">\x00 @agent-Miner what?", "cannot be seen", "> @agent-Miner what?"},
	{"\x00\x00 mail ann@agent-miner.example", "", ""},
	{"\x00see @miner", "", ""},
	{"```\n> @agent-\x00Miner what?\n+AD4 +AEA-agent-Miner what?\n```", "", ""},
	{"mail ann+AEA-agent-miner.example", "", ""},
	{"+AD4 +AEA-ann what?", "", ""},
	{"+AD4 AEA-agent-Miner what?", "", ""},
	{"the sequence +AEA-agent- is an address", "", ""},

	// Bytes that are no UTF-8, as in notes saved in an older encoding.
	{"agent\xe9 ", "", ""},
	{"> agent\xe9x", "", ""},
	{"> @agent\xff\xff-", "", ""},
	{"> @agent\xe9-Miner what?", "small letters", "> @agent-Miner what?"},

	// A slash alone.
	{"&gt; /\n@", "", ""},
	{"+AD4- /\n@", "", ""},
	{"> (((( /\n\n@agen\n", "", ""},

	// Other people, groups and companies, what they say, and what is only shown.
	{"> @agent smith, did you read it?", "", ""},
	{"@agent provocateur, was ist das?", "", ""},
	{"@agent of change, are you there?", "", ""},
	{"> @miners: can you restart?", "", ""},
	{"> @editors do you agree?", "", ""},
	{"> @mines what?", "", ""},
	{"> @editor wrote: what?", "", ""},
	{"> **@miner** said: what?", "", ""},
	{"> @miner: said who?", "", ""},
	{"> @miner, who said it?", "small letters", "> @agent-Miner who said it?"},
	{"&gt; @miner wrote: hi", "", ""},
	{"> [@miner](https://example.com/miner) did what?", "", ""},
	{"> @miner.smith, what?", "", ""},
	{"> @miner@example.social what?", "", ""},
	{"> @miner/tools what is it?", "", ""},
	{"> [!quote] @miner: I am here", "", ""},
	{"> [!quote] @miner 12:04\n> Where?", "", ""},
	{"> Agent: Miner Smith", "", ""},
	{"> Agent. Miner was her name.", "", ""},
	{"> agent: Miner, what?", "small letters", "> @agent-Miner what?"},
	{"> agent:Miner tell me", "small letters", "> @agent-Miner tell me"},
	{"> @Agentur Miner what?", "", ""},
	{"> @Agentur-Miner what?", "", ""},
	{"- @Agenten Miner bezahlen", "", ""},
	{"> @agentic-Miner what?", "", ""},
	{"> @creditor what?", "", ""},
	{"> @Miner: „Was?“", "", ""},
	{"> '@miner' said what?", "", ""},
	{"@agent or @task, which?", "", ""},
	{"cc: @agent what is it?", "", ""},
	{"For example, @agent what is new?", "", ""},
	{"**User:** @agent what is new?", "", ""},
	{"prompt: @agent what is new?", "", ""},
	{"> **Tip**: @agent what is new?", "", ""},
	{"- \"@agent what is new?\"", "", ""},
	{"## @agent: what is it?", "", ""},
	{"@agent\ndef f(): return x if y else z?", "", ""},
	{"@agent\nclass F: # why?", "", ""},
	{"@agent_miner = 5", "", ""},
	{"@agent.editor ||= 5", "", ""},
	{"@agents.miner.new", "", ""},
	{"@agents.miner = x", "", ""},

	// Emphasis of other text keeps its end.
	{"> **Note:** @agent-Miner what?", "follow the >", "> **Note:**\n> @agent-Miner what?"},
	{"**Q:** @agent-Miner what?", "not in a block quote", "**Q:**\n> @agent-Miner what?"},
	{"Hey **@agent-Miner**, what?", "not in a block quote", "Hey\n> @agent-Miner what?"},
}

// Each form is told with its sentence and its mend, and nothing near it is.
func TestForms(t *testing.T) {
	for _, c := range formTests {
		rows := find([]byte(c.note), note.Parse([]byte(c.note)), []string{"*", "Editor", "Miner"})
		switch {
		case c.reason == "" && len(rows) > 0 && !rows[0].Hidden:
			t.Errorf("%q: %+v", c.note, rows)
		case c.reason != "" && (len(rows) != 1 || rows[0].Hidden || !strings.Contains(rows[0].Reason, c.reason) || rows[0].Mend != c.mend):
			t.Errorf("%q: want %q, %q; got %+v", c.note, c.reason, c.mend, rows)
		}
	}
}

// pieces are what lines that nearly ask are made of.
var pieces = []string{
	"@", "agent", "Agent", "-", "Miner", "minr", "> ", ">", "|", "\n", "[!todo] ", "[^1]: ", "&#45;", "&commat;", "&#10;", "&nbsp;", "\x00", "?",
	"what ", ", ", ":", "**", "_", "[[", "]]", "Hey ", "/", "&gt; ", "---|---", "- ", "    ", "\t", "\xff", "？", "`", "\\", "\u2028", "\r", "#", " ", "@agent-Miner what?",
}

// Whatever a note holds, each row is about a line of it that is no marker, and no line has two.
func TestRowsOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 1))
	for range 3000 {
		var b strings.Builder
		for range r.IntN(25) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src := []byte(b.String())
		doc := note.Parse(src)
		taken := make(map[int]bool)
		for _, m := range doc.Markers {
			taken[m.Line] = true
		}
		for _, row := range find(src, doc, []string{"*", "Editor", "Miner"}) {
			if row.Line < 1 || row.Line > len(note.Lines(src)) || taken[row.Line] {
				t.Fatalf("%q: %+v", src, row)
			}
			taken[row.Line] = true
		}
	}
}
