package untaken

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"vaultdispatcher/engine/note"
)

// Characters that nobody sees or an input method makes, and what converters escape, count as what they look like for what is
// told, and never for a marker.
func TestDisguisedLinesAreTold(t *testing.T) {
	roles := []string{"Miner", "Fact_Checker", "Heavy-Lifter"}
	for _, c := range []struct{ line, mend string }{
		// A row of the reports each.
		{"\ufeff> @agent-Miner what?", "> @agent-Miner what?"},
		{"\u200b> @agent-Miner what?", "> @agent-Miner what?"},
		{"\u00a0> @agent-Miner what?", "> @agent-Miner what?"},
		{"＞ @agent-Miner what?", "> @agent-Miner what?"},
		{"> ＠agent-Miner what?", "> @agent-Miner what?"},
		{"＞＠agent-Miner what?", ">@agent-Miner what?"},
		{"＞\u3000＠agent-Miner what?", "> @agent-Miner what?"},
		{"> @ag\u200bent-Miner what?", "> @agent-Miner what?"},
		{"&gt; @agent-Miner what?", "> @agent-Miner what?"},
		{"text\u2028> @agent-Miner what?", "text\n> @agent-Miner what?"},
		{`\> @agent-Miner what?`, "> @agent-Miner what?"},
		{`> @agent-Fact\_Checker what?`, "> @agent-Fact_Checker what?"},
		{`> @agent\-Miner what?`, "> @agent-Miner what?"},
		{`\> @agent\-Heavy\-Lifter what\_is?`, `> @agent-Heavy-Lifter what\_is?`},
		// And more of them.
		{"\u200f> @agent-Miner what?", "> @agent-Miner what?"},
		{"\u00ad> @agent-Miner what?", "> @agent-Miner what?"},
		{"\u2060\u200d> @agent-Miner what?", "> @agent-Miner what?"},
		{"\u3000\u3000> @agent-Miner what?", "> @agent-Miner what?"},
		{"\u00a0\u00a0\u00a0\u00a0> @agent-Miner what?", "> @agent-Miner what?"},
		{"> @\u200bagent-Miner what?", "> @agent-Miner what?"},
		{"> @agent-\u200bMiner what?", "> @agent-Miner what?"},
		{"> @agent\u00ad-Miner what?", "> @agent-Miner what?"},
		{"﹥ @agent-Miner what?", "> @agent-Miner what?"},
		{"> ﹫agent-Miner what?", "> @agent-Miner what?"},
		{"› @agent-Miner what?", "> @agent-Miner what?"},
		{"- ＞ ＠agent-Miner what?", "- > @agent-Miner what?"},
		{"&#62; @agent-Miner what?", "> @agent-Miner what?"},
		{"&gt;&gt; @agent-Miner what?", ">> @agent-Miner what?"},
		{`\>\> @agent-Miner what?`, ">> @agent-Miner what?"},
		{"&gt; @Agent-Miner what?", "> @agent-Miner what?"},
		{`> @agent-Fact\_Checker: what?`, "> @agent-Fact_Checker what?"},
		{"> @agent-Miner:t\\_1 what?", "> @agent-Miner:t_1 what?"},
		{"one\u2029two\u2028> @agent-Miner what?", "one\ntwo\n> @agent-Miner what?"},
		{"\ufe0f> @agent-Miner what?", "> @agent-Miner what?"},
		{"> @ａｇｅｎｔ-Miner what?", "> @agent-Miner what?"},
		{"＞ ＠ａｇｅｎｔ－Ｍｉｎｅｒ what？", "> @agent-Miner what？"},
		{"> &commat;agent-Miner what?", "> @agent-Miner what?"},
		{"&gt; &#64;agent-Miner what?", "> @agent-Miner what?"},
		{"> @agent\u00adMiner what?", "> @agent-Miner what?"},
	} {
		src := []byte("first\n\n" + c.line + "\n\nend\n")
		doc := note.Parse(src)
		rows := find(src, doc, roles)
		if len(doc.Markers) > 0 || len(rows) != 1 || rows[0].Mend != c.mend || rows[0].Hidden || rows[0].Line != 3 {
			t.Errorf("%q: %d markers, %+v", c.line, len(doc.Markers), rows)
		}
	}
}

// What is meant so, and what asks nobody, is not told.
func TestDisguisedLinesThatAskNobody(t *testing.T) {
	for _, line := range []string{
		`> \@agent-Miner what?`, `\> \@agent\-Miner what?`, "&gt; mail ann@example.org", "\u200bsee @miner", "＞ ＠ann said so", `\> @agent\_smith said so`,
		"```\n＞ @agent-Miner what?\n```", "<!--\n\u200b> @agent-Miner what?\n-->", "`\u200b> @agent-Miner what?`", "    ＞ @agent-Miner what?",
		"%%\n&gt; @agent-Miner what?\n%%", "the word \u200b@agent-Miner in a text", "> [[＠agent-Miner what]] is a note", "＠agents of change", "ann\u200b@agent-miner.example",
		"", "[＠agent-Ed x](y.md)", "> [@agent-Ed x](y.md) said so", "ann&commat;agent-miner.example", "> &commat;ann said so", "＠ｍａｉｌ", "\u200b", "@", "＠", "\\", "a\u2028b@c",
	} {
		src := []byte("first\n\n" + line + "\n")
		if rows := find(src, note.Parse(src), []string{"Miner"}); len(rows) > 0 && !rows[0].Hidden {
			t.Errorf("%q: %+v", line, rows)
		}
	}
}

// encodeWide is a text in UTF-16.
func encodeWide(text string, order binary.AppendByteOrder) (out []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// A question in UTF-16 is told with its line, in a whole note and behind UTF-8.
func TestWideNotesAreTold(t *testing.T) {
	const text = "# Plän\r\n\r\n> @agent-Miner what grows?\r\n\r\nend\r\n"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, src := range [][]byte{
			encodeWide("\ufeff"+text, order), encodeWide(text, order), append([]byte("one\n\n"), encodeWide("> @Agent-Miner what grows?\r\n", order)...),
		} {
			before := string(src)
			rows := find(src, note.Parse(src), []string{"Miner"})
			if len(rows) != 1 || rows[0].Line != 3 || rows[0].Hidden || !strings.Contains(rows[0].Reason, "saved as UTF-16") || !strings.Contains(rows[0].Reason, "save it as UTF-8") ||
				!strings.Contains(strings.ToLower(rows[0].Text), "> @agent-miner what grows?") {
				t.Errorf("%q: %+v", src, rows)
			}
			if string(src) != before {
				t.Error("the bytes are others")
			}
		}
		for _, line := range []string{"> @agents-Miner what?", "> @agent-Miner: what?", "> @Agent-Mnier what?"} {
			src := encodeWide("\ufeffone\n"+line+"\n", order)
			if rows := find(src, note.Parse(src), []string{"Miner"}); len(rows) != 1 || rows[0].Line != 2 || rows[0].Reason != sentences[wide] {
				t.Errorf("%q: %+v", line, rows)
			}
		}
		quiet := encodeWide("\ufeffmail ann@example.org about @agents of change\r\n", order)
		if rows := find(quiet, note.Parse(quiet), []string{"Miner"}); len(rows) > 0 {
			t.Errorf("nothing is asked: %+v", rows)
		}
	}
	mixed := append([]byte("> @agent-Miner what?\n\n"), encodeWide("and\r\n> @agent-Miner more?\r\n", binary.LittleEndian)...)
	if doc := note.Parse(mixed); len(doc.Markers) != 1 || len(find(mixed, doc, []string{"Miner"})) != 1 {
		t.Errorf("%+v", find(mixed, doc, []string{"Miner"}))
	}
}
