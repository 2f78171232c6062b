package note

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

func TestGrammar(t *testing.T) {
	for _, c := range []struct {
		in, role, task, instruction string
		why                         Reason
	}{
		{"Miner what?", "Miner", "", "what?", ""},
		{"Miner:T-1.b_2  what? ", "Miner", "T-1.b_2", "what?", ""},
		{"a-b_9\twhat", "a-b_9", "", "what", ""},
		{"Miner @agent-Editor x", "Miner", "", "@agent-Editor x", ""},
		{"Miner \xFFx", "Miner", "", "\uFFFDx", ""},
		{"Miner: what", "", "", "", Colon},
		{"Miner::a b", "", "", "", Colon},
		{"Miner:a:b c", "", "", "", NoSpace},
		{"Miner\u00A0what", "Miner", "", "what", ""},
		{"Miner:β.2\u3000何？", "Miner", "β.2", "何？", ""},
		{"Miner\u2009\u202fwhat", "Miner", "", "what", ""},
		{"Miner\u200bwhat", "", "", "", NoSpace},
		{"A\u0308rzte:e\u0301 x", "Ärzte", "é", "x", ""},
		{"Мiner x", "", "", "", Confusable},
		{"Miner:Рlan x", "", "", "", Confusable},
		{"Ｍiner x", "", "", "", Confusable},
		{"Miner", "", "", "", Empty},
		{"Miner \t\u00A0", "", "", "", Empty},
		{"", "", "", "", BadRole},
		{"-x y", "", "", "", BadRole},
		{"Äh y", "Äh", "", "y", ""},
		{"9a y", "", "", "", BadRole},
	} {
		m, why := parseMarker([]byte(c.in))
		if why != c.why || why == "" && (m.Role != c.role || m.TaskID != c.task || m.Instruction != c.instruction) {
			t.Errorf("%q: %q %q %q %q", c.in, m.Role, m.TaskID, m.Instruction, why)
		}
	}
}

func TestMarkerKnowsItsPlace(t *testing.T) {
	src := []byte("\xEF\xBB\xBFabove \xFF\r\n \t\r\n> @agent-Miner q\xFE\r\n\r\nbelow\r\n> @agent-Miner last")
	doc := Parse(src)
	if len(doc.Markers) != 2 {
		t.Fatalf("%+v", doc)
	}
	m, last := doc.Markers[0], doc.Markers[1]
	if m.Line != 3 || m.Upper != "above \xFF" || m.Lower != "below" || !m.Terminated || m.Text != "> @agent-Miner q\xFE" {
		t.Errorf("%+v", m)
	}
	if string(src[m.Span.Start:m.Span.End]) != m.Text {
		t.Errorf("span %v is %q", m.Span, src[m.Span.Start:m.Span.End])
	}
	if last.Line != 6 || last.Upper != "below" || last.Lower != "" || last.Terminated {
		t.Errorf("%+v", last)
	}
}

func TestGroups(t *testing.T) {
	doc := Parse([]byte("> @agent-Miner a\n> @agent-miner:x b\n> @agent-MINER c\n> @agent-Miner:X d\n> @agent-ÄRZTE e\n> @agent-A\u0308rzte f\n"))
	var got []string
	for _, g := range GroupMarkers(doc.Markers) {
		for _, m := range g.Markers {
			got = append(got, string(g.Key)+" "+g.Role+" "+m.Instruction)
		}
	}
	want := []string{"agent-miner Miner a", "agent-miner Miner c", "agent-miner:x miner b", "agent-miner:X Miner d", "agent-ärzte ÄRZTE e", "agent-ärzte ÄRZTE f"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// panicking is a block parser with a fault.
type panicking struct{ parser.BlockParser }

func (panicking) Open(ast.Node, gtext.Reader, parser.Context) (ast.Node, parser.State) {
	panic("a fault")
}

func TestParserFaultLeavesNoteAlone(t *testing.T) {
	p := parser.NewParser(parser.WithBlockParsers(util.Prioritized(panicking{parser.NewParagraphParser()}, 1)))
	doc := readNote(p, newText([]byte("> @agent-Miner q\n"))).doc
	if len(doc.Markers) != 0 || len(doc.Misses) != 1 || doc.Misses[0].Reason != Unreadable {
		t.Errorf("%+v", doc)
	}
}

// TestLines holds the cutting of lines against a simpler one.
func TestLines(t *testing.T) {
	for _, src := range []string{"", "a", "a\n", "\n", "\r", "\r\n", "\n\r", "a\r\rb\r\n\r\r\nc\n\rd", "\xEF\xBB\xBF", "\xEF\xBB\xBF\na"} {
		body := strings.TrimPrefix(src, string(bom))
		var want []string
		for line := range strings.Lines(strings.ReplaceAll(UnifyLineEnds(body), "\r", "\n")) {
			want = append(want, strings.TrimSuffix(line, "\n"))
		}
		tx := newText([]byte(src))
		var got []string
		for i := range tx.count() {
			got = append(got, string(tx.line(i)))
			if tx.lineAt(tx.starts[i]) != i {
				t.Errorf("%q: line %d is not at its start", src, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestCleanNoteIsNotRead(t *testing.T) {
	src := bytes.Repeat([]byte("A line with an address, a@b.example, and @agents.\n"), 100)
	if doc := Parse(src); doc.Markers != nil || doc.Misses != nil || doc.Blocks != nil {
		t.Errorf("%+v", doc)
	}
	if n := testing.AllocsPerRun(10, func() { Parse(src) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A question in HTML of its own, as converters leave quotes (https://github.com/argenos/zotero-mdnotes/issues/82), is told;
// what mentions an agent in HTML is not.
func TestQuestionsInHTML(t *testing.T) {
	for line, told := range map[string]bool{
		"<blockquote>@agent-Miner what?</blockquote>":                      true,
		"<blockquote><p>@agent-Miner what?</p></blockquote>":               true,
		"<div> @agent-Miner what?</div>":                                   true,
		`<p class="a"><b>@agent-Miner</b> what?</p>`:                       false,
		"<p>Write @agent-Miner what? in a quote.</p>":                      false,
		"<p>Write <b>@agent-Miner what?</b> in a quote.</p>":               false,
		"<p>@agent-Miner</p>":                                              false,
		"<p>a > <@agent-Miner what?</p>":                                   false,
		"<div>\n<p>One.</p><p>@agent-Miner what?</p>\n</div>":              false,
		"<div>\n<p>@agent-Miner what?</p>\n</div>":                         true,
		"<table><tr><td>> @agent-Miner what?</td></tr></table>":            false,
		"<!-- <blockquote>@agent-Miner what?</blockquote> -->":             false,
		"    <blockquote>@agent-Miner what?</blockquote>":                  false,
		"`<blockquote>@agent-Miner what?</blockquote>`":                    false,
		"Paragraph <span>@agent-Miner what?</span>":                        false,
		"<blockquote>" + "\\@agent-Miner what?</blockquote>":               false,
		"<blockquote>\n\n> @agent-Miner with a blank line?\n</blockquote>": false, // a marker
	} {
		doc := Parse([]byte("# t\n\n" + line + "\n\nend\n"))
		if got := len(doc.Misses) == 1 && doc.Misses[0].Reason == HTML; got != told {
			t.Errorf("%q: misses %+v", line, doc.Misses)
		}
	}
}
