package untaken

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// What a telephone, a list or a habit puts around an address hides no question.
func TestQuestionsWithinLinesAreTold(t *testing.T) {
	roles := []string{"Manager", "Miner", "Broadcaster", "Heavy-Lifter", "Watcher", "Editor"}
	for _, c := range []struct{ line, reason, mend string }{
		// Behind what begins an item, a task or an aside.
		{"- [/] @agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"- [>] @Agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"- [ ] **@Agent-Miner** what?", "not in a block quote", "- > @agent-Miner what?"},
		{"- TODO @agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"- LATER @Agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"- 10:30 @agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"• @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"– @Agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"— @agent-miner: what?", "not in a block quote", "> @agent-Miner what?"},
		{"-> @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"→ @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"a) @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"(@agent-Miner what?)", "not in a block quote", "> @agent-Miner what?)"},
		{"„@agent-Miner was?“", "not in a block quote", "> @agent-Miner was?“"},
		{"« @agent-Miner quoi ? »", "not in a block quote", "> @agent-Miner quoi ? »"},
		{"「@agent-Miner 何？」", "not in a block quote", "> @agent-Miner 何？」"},
		{"==@agent-Miner what?==", "not in a block quote", "> @agent-Miner what?=="},
		{"~~@agent-Miner what?~~", "not in a block quote", "> @agent-Miner what?~~"},
		{"🤔 @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"👩🏽‍🔬 @Agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"> (@Agent-Miner what?)", "small letters", "> @agent-Miner what?)"},
		{"> ==@Agent-Miner what?==", "small letters", "> @agent-Miner what?=="},
		{"> 🤔 @Agent-Miner what?", "small letters", "> @agent-Miner what?"},

		// Behind other words of a quote.
		{"> [!question] @Agent-Miner what?", "small letters", "> [!question]\n> @agent-Miner what?"},
		{"> [!todo]- Plans @agent Miner what?", "small letters", "> [!todo]- Plans\n> @agent-Miner what?"},
		{"- > Hi @Agent-Miner, what?", "small letters", "- > Hi\n- > @agent-Miner what?"},
		{"> Hey @agent–miner: what?", "small letters", "> Hey\n> @agent-Miner what?"},

		// Behind a greeting or a name of the line, in plain text.
		{"Hey @agent-Miner, what did we decide?", "not in a block quote", "Hey\n> @agent-Miner what did we decide?"},
		{"- Q: @Agent-Miner what?", "not in a block quote", "- Q:\n- > @agent-Miner what?"},
		{"question:: @agent-miner what?", "not in a block quote", "question::\n> @agent-Miner what?"},
		{"请 @agent-Miner 我们决定了什么？", "not in a block quote", "请\n> @agent-Miner 我们决定了什么？"},

		// Behind the question.
		{"> What did we decide? @agent-Miner", "follow the >", "> @agent-Miner What did we decide?"},
		{"> What did we decide, @agent-Miner?", "follow the >", "> @agent-Miner What did we decide?"},
		{"> What did we decide, @Agent-Miner?", "small letters", "> @agent-Miner What did we decide?"},
		{"> [!question] What of it? @agent-Miner:t", "follow the >", "> [!question]\n> @agent-Miner:t What of it?"},

		// On two lines.
		{"> @Agent-Miner\n> what?", "small letters", "> @agent-Miner what?"},
		{"> @Agent-Miner:\n> what?", "small letters", "> @agent-Miner what?"},
		{"@Agent-Miner\nwhat?", "not in a block quote", "> @agent-Miner what?"},
		{"- @agent-Miner,\n  what?", "not in a block quote", "- > @agent-Miner what?"},
		{"> @Agent-Miner", "small letters", ""},

		// In a table.
		{"| a | b |\n|--|--|\n| x | @Agent-Miner what? |", "in a table", ""},
		{"| a |\n|--|\n| **@agent-Miner** what? |", "in a table", ""},
		{"| a |\n|--|\n| - @agent Miner what? |", "in a table", ""},

		// Beside a hyphen, a colon or a > of others.
		{"> @agent-Miner：我们决定了什么？", "a space must follow", "> @agent-Miner 我们决定了什么？"},
		{"> @agent-Miner:warum?", "a space must follow", "> @agent-Miner warum?"},
		{"> @agent-Miner:我们决定了什么？", "a space must follow", "> @agent-Miner 我们决定了什么？"},
		{"＞ ＠agent-Miner：什么？", "plain >", "> @agent-Miner 什么？"},
		{"> @agent-Heavy–Lifter what?", "a space must follow", "> @agent-Heavy-Lifter what?"},
		{"> @agent-heavy\u2011lifter, what?", "a space must follow", "> @agent-Heavy-Lifter what?"},
		{"> @agent-**Miner** what?", "a role begins", "> @agent-Miner what?"},
		{"> @agent-<miner>: what?", "a role begins", "> @agent-Miner what?"},
		{"> @agent--Miner what?", "a role begins", "> @agent-Miner what?"},
		{"> @agent- what?", "a role begins", ""},
		{"text\n\t> @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"> • @agent-Miner what?", "follow the >", "> @agent-Miner what?"},
		{"> ==@agent-Miner what?==", "follow the >", "> @agent-Miner what?=="},
	} {
		rows := find([]byte(c.line), note.Parse([]byte(c.line)), roles)
		if len(rows) != 1 || rows[0].Hidden || !strings.Contains(rows[0].Reason, c.reason) || rows[0].Mend != c.mend {
			t.Errorf("%q: want %q, %q; got %+v", c.line, c.reason, c.mend, rows)
		}
	}
}

// Other people, lists of agents and words about asking are left alone.
func TestWordsWithinLinesAskNobody(t *testing.T) {
	for _, line := range []string{
		"- [/] @ann what?", "• @agentprovocateur opens", "— @agent_smith", "> Hi @Agent Smith, what?", "> (@Agent Orange was used)", "> see [[@Agent-Miner what]]",
		"write @Agent-Miner and a question", "- 10:30 call @ann about the miner", "> mail ann@agent-Miner.example now", "> ann@agent-miner.example", "| @Agent-Smith said | x |", "| @Agent-Miner | finds |",
		"- TODO ask the editor", "> the @miner knows", "```\n- TODO @agent-Miner what?\n> Hi @Agent-Miner what?\n| @Agent-Miner what? |\n```", "> \\@Agent-Miner what?", "> write `@Agent-Miner what?`",
		"Write to the agent: @ann", "Have you tried @agent-Miner?", "I said to her that @agent-Miner is good, is it not?", "Hey @agent-Smith, what?", "Hey `@agent-Miner what?`", "Try `> @agent-Miner what?`", "Hey @agent-Miner, thank you", "(@ann)", "`@Agent-Miner what?`", "- [/] `@agent-Miner what?`", "## @Agent-Miner\nfinds what is there", "🤔 @ann", "👍 @agents of change",
	} {
		if rows := find([]byte(line), note.Parse([]byte(line)), []string{"Miner", "Editor"}); len(rows) > 0 && !rows[0].Hidden {
			t.Errorf("%q: %+v", line, rows)
		}
	}
}
