package untaken

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// A mend has the question as it was written: what begins its first word is no mark behind an address.
func TestMendsKeepTheQuestion(t *testing.T) {
	addresses := []string{
		"> @Agent-Miner ", "> @agent-Miner: ", "@agent-Miner ", "> @agent Minr ", "@agent Miner, ", "> @miner, ", "> @agnet-Miner ", "> [!todo] @miner ", "> agent-Miner: ", "> @**agent-Miner** ",
		"> @\"agent-Miner\", ", "> **@agent-Miner** ", "[^1]: @agent-Miner ", "> @agent&#45;Miner ", "&gt; @agent-Miner ", "- @agent-Miner — ", "Hey @agent Miner, ", "> Hey @agent-Miner ", "> @agent-Miner:t: ",
		"> @Agent-Miner\n> ", "> @agents Miner\n> ", "> @agent_Miner:t ",
	}
	questions := []string{
		"-5 or 5?", ".gitignore has what?", "*.go is what?", "--force does what?", "_private is what?", "*what* is it?", "**what** is it?", "_x_ is what?", "![[map]] shows what?", "...and then?",
		"$5 for what?", "(what) is it?", "[[Plan]] says what?", "#tag is what?", "`code` does what?", `\alpha is what?`, "'quoted' by whom?", "!important is what?", "&lt;5 is what?",
	}
	for _, address := range addresses {
		for _, question := range questions {
			src := []byte(address + question)
			rows := find(src, note.Parse(src), []string{"*", "Editor", "Miner"})
			if len(rows) != 1 || rows[0].Mend != "" && !strings.HasSuffix(rows[0].Mend, " "+question) {
				t.Errorf("%q: %+v", src, rows)
			}
		}
	}
}

// A dash with space around it joins no role that nobody answers.
func TestDashBeforeTheQuestion(t *testing.T) {
	for src, mend := range map[string]string{
		"> @agent - what?": "", "> @agent – what?": "", "> @agent - Miner what?": "> @agent-Miner what?", "> @agent – Miner what?": "> @agent-Miner what?",
	} {
		if rows := find([]byte(src), note.Parse([]byte(src)), []string{"*", "Editor", "Miner"}); len(rows) != min(1, len(mend)) || len(rows) > 0 && rows[0].Mend != mend {
			t.Errorf("%q: %+v", src, rows)
		}
	}
}
