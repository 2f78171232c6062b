package templates

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
	"vaultdispatcher/engine/note"
)

const asks = "> @agent-Miner what about {}?\n"

// What a note app makes notes from is a template; what only tells of templates is none.
func TestFindParts(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"# {{date}}\n\n" + asks, "1-3: 1 {{date}}"},
		{"---\ncreated: {{date}}\n---\n\n" + asks, "1-5: 2 {{date}}"},
		{asks + "\n<% tp.file.title %>\n", "1-3: 3 <% tp.file.title %>"},
		{"> @agent-Miner what did I do on {{date:YYYY-MM-DD}}?\n", "1-1: 1 {{date:YYYY-MM-DD}}"},
		{"- <% current page %>\n- > @agent-Miner q\n", "1-2: 1 <% current page %>"},
		{"<%*\nlet a = 1\n%>\n" + asks, "1-4: 1 <%*"},
		{"<b>{{title}}</b>\n\n" + asks, "1-3: 1 {{title}}"},
		{"\ufeff# {{title}}\r\n\r\n> @agent-Miner q\r\n", "1-3: 1 {{title}}"},

		{"Write `{{date}}` there.\n\n" + asks, ""},
		{"```\n{{date}}\n```\n\n" + asks, ""},
		{"    {{date}}\n\n" + asks, ""},
		{"%% {{date}} %%\n\n" + asks, ""},
		{"<!-- {{date}} -->\n\n" + asks, ""},
		{"<!-- agent-response -->\nUse {{date}}.\n<!-- /agent-response -->\n\n" + asks, ""},
		{`Write \{{date}} there.` + "\n\n" + asks, ""},
		{"- {{query (page <% today %>)}}\n\n" + asks, ""},
		{"- {{embed [[a]]}} {{c1::b}} {{video x}}\n\n" + asks, ""},
		{"{{date}}\n", "1-1: 1 {{date}}"},
		{"a {{x {{date}} }}\n", ""},

		{"---\ntags: meta/template/page\n---\n" + asks, "1-4: 2 meta/template/page"},
		{"---\ntitle: x\ntags: [a, \"#meta/template/slash\"]\n---\n" + asks, "1-5: 3 #meta/template/slash"},
		{"---\ntags: template\n---\n" + asks, ""},
		{"---\nother: meta/template/page\n---\n" + asks, ""},

		{"- a\n- MEETING\n  template:: meeting\n\t- <%today%>\n\t- > @agent-Miner q\n- > @agent-Miner r\n", "2-5: 3 template:: meeting"},
		{"- > @agent-Miner q\n  template:: m\n- b\n", "1-2: 2 template:: m"},
		{"- a\n\t- b\n\t  id:: 1\n\t  template:: m\n\t\t- > @agent-Miner q\n\t- c\n", "2-5: 4 template:: m"},
		{"# NPC\ntemplate:: NPC\n\t- > @agent-Miner q\n- ## Town\n\t- > @agent-Miner r\n", "1-3: 2 template:: NPC"},
		{"- a\n  template:: [[Daily]]\n\t- > @agent-Miner q\n", ""},
		{"- a `template:: m`\n\t- > @agent-Miner q\n", ""},
		{"- a\n\t- b\n\t  template:: m\n- > @agent-Miner q\n", "2-3: 3 template:: m"},
		{"text\n\ntemplate:: m\n\n" + asks, ""},
	} {
		var got []string
		for _, p := range FindParts(note.NewPage([]byte(c.src))) {
			got = append(got, fmt.Sprintf("%d-%d: %d %s", p.First, p.Last, p.Line, p.Sign))
		}
		if list := strings.Join(got, "; "); list != c.want {
			t.Errorf("%q: %s, want %s", c.src, list, c.want)
		}
	}
}

// A long sign is told shortened.
func TestSign(t *testing.T) {
	parts := FindParts(note.NewPage([]byte("<% " + strings.Repeat("\u00e9", 400) + " %>\n" + asks)))
	if !parts.IsWhole() || len(parts[0].Sign) > mostSign || !utf8.ValidString(parts[0].Sign) {
		t.Errorf("%+v", parts)
	}
	if part, is := parts.At(2); !is || part.Line != 1 || !strings.HasPrefix(part.Sign, "<% ") {
		t.Errorf("%+v", part)
	}
	if part, is := FindParts(note.NewPage([]byte("- a\n  template:: m\n- > @agent-Miner q\n"))).At(3); is {
		t.Errorf("%+v", part)
	}
}
