package sanitize

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note/testdata/samples"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/headings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gtext "github.com/yuin/goldmark/text"
)

// app reads Markdown as a note app would.
var app = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// render reads a note with the same offsets: line ends become line feeds, and the
// byte order mark a blank line.
func render(src []byte) ast.Node {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte(" \n"))
	src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		copy(src, "  \n")
	}
	return app.Parse(gtext.NewReader(src))
}

// checkAnswered answers the markers that pick chooses and holds the result
// against what is promised about every note. It returns the markers that were
// not chosen, and the new note.
func checkAnswered(t *testing.T, src []byte, pick func(i int) bool, answer func(i int) string) (rest []note.Marker, after note.Doc, out []byte) {
	t.Helper()
	doc := note.Parse(src)
	checkDoc(t, src, doc)
	var chosen []note.Marker
	for i, m := range doc.Markers {
		if pick(i) {
			chosen = append(chosen, m)
		} else {
			rest = append(rest, m)
		}
	}
	out = answerWith(t, src, chosen, answer)
	blocks := locate(t, src, out, chosen, answer)
	if !note.NewPage(src).KeepsBlocks(note.NewPage(out), repliesTo(src, chosen, answer)) {
		t.Fatalf("an answer does not end with its block: %q\n%q", src, out)
	}
	after = note.Parse(out)
	for _, b := range blocks {
		whole := func(o note.Span) bool { return o.Start <= b.Start && b.End <= o.End }
		if bytes.Contains(out, []byte(note.MarkerStart)) && !slices.ContainsFunc(after.Blocks, whole) {
			t.Fatalf("an answer is no response block: %q\n%q", src, out)
		}
	}
	for _, m := range after.Markers {
		if slices.ContainsFunc(blocks, func(b note.Span) bool { return b.Start <= m.Span.Start && m.Span.End <= b.End }) {
			t.Fatalf("an answer holds a live marker: %q\n%q\n%q", m.Text, src, out)
		}
	}
	return rest, after, out
}

// checkDoc wants markers and near misses that tell the truth about their lines,
// and groups that hold every marker once.
func checkDoc(t *testing.T, src []byte, doc note.Doc) {
	t.Helper()
	seen := 0
	for _, g := range note.GroupMarkers(doc.Markers) {
		for _, m := range g.Markers {
			seen++
			if m.Key() != g.Key {
				t.Fatalf("%q in group %q", m.Text, g.Key)
			}
		}
	}
	if seen != len(doc.Markers) {
		t.Fatalf("%d of %d markers in groups", seen, len(doc.Markers))
	}
	lines := note.Lines(src)
	equal := make(map[string]int)
	for _, m := range doc.Markers {
		head := note.Head(m.Text)
		if !slices.Equal(lines[m.Line-1:m.Ends], note.Lines([]byte(m.Text))) || !isLine(src, m) || m.Ordinal != equal[head] || m.Instruction == "" {
			t.Fatalf("marker %+v in %q", m, src)
		}
		equal[head]++
		checkSpan(t, src, lines, m)
	}
	for _, m := range doc.Misses {
		if lines[m.Line-1] != m.Text || m.Reason == "" {
			t.Fatalf("near miss %+v in %q", m, src)
		}
	}
	if doc.Disabled && len(doc.Markers) > 0 {
		t.Fatalf("markers in a note that is off: %q", src)
	}
}

// checkSpan wants no line in the span of a question that is not surely part of it, and the
// asked text to be that of the asked lines.
func checkSpan(t *testing.T, src []byte, lines []string, m note.Marker) {
	t.Helper()
	marks := strings.Count(lines[m.Line-1][:strings.Index(lines[m.Line-1], note.MarkerStart)], ">")
	for i := m.Line; i < m.Ends; i++ {
		text := strings.TrimLeft(lines[i], " \t>")
		above := strings.TrimRight(lines[i-1], " \t*_`\"')]}")
		if strings.Count(lines[i][:len(lines[i])-len(text)], ">") != marks || strings.HasSuffix(lines[i-1], "  ") || strings.HasSuffix(lines[i-1], "\\") ||
			text == "" || strings.ContainsAny(text[:1], "-+|\"'<%@#>\\") || above != "" && strings.ContainsAny(above[len(above)-1:], ".?!:") || strings.Contains(text, note.MarkerStart) {
			t.Fatalf("line %d, %q, is in the span of %+v: %q", i+1, lines[i], m, src)
		}
	}
	if m.Ends < m.Line || m.Asked < m.Ends || m.Asked > len(lines) || strings.Count(m.Instruction, "\n") > m.Asked-m.Line {
		t.Fatalf("the spans of %+v: %q", m, src)
	}
	if above := strings.TrimRight(lines[m.Ends-1], " \t*_`\"')]}"); m.Asked > m.Ends && !strings.HasSuffix(lines[m.Ends-1], ":") && m.Asked == m.Ends+1 {
		if text := strings.TrimLeft(lines[m.Ends], " \t>"); strings.Count(lines[m.Ends][:len(lines[m.Ends])-len(text)], ">") >= marks || above != "" && strings.ContainsAny(above[len(above)-1:], ".?!") {
			t.Fatalf("line %d, %q, is asked by %+v: %q", m.Ends+1, lines[m.Ends], m, src)
		}
	}
	for i, asked := range strings.Split(m.Instruction, "\n")[1:] {
		if whole := strings.Join(lines[m.Line:m.Asked], "\n"); !strings.Contains(strings.ToValidUTF8(whole, "\uFFFD"), strings.TrimSpace(asked)) {
			t.Fatalf("line %d of what %+v asks, %q, is not in %q", i+1, m, asked, src)
		}
	}
}

// isLine reports whether a marker's span is the whole line it names.
func isLine(src []byte, m note.Marker) bool {
	s := m.Span
	return string(src[s.Start:s.End]) == m.Text && len(note.Lines(src[:s.Start])) == m.Line-1 &&
		(s.End == len(src) || src[s.End] == '\r' || src[s.End] == '\n')
}

// locate finds the answers in the new note, without what stays behind
// one, and wants every other byte unchanged.
func locate(t *testing.T, src, out []byte, markers []note.Marker, answer func(int) string) []note.Span {
	t.Helper()
	const closing = "<!-- /agent-response -->"
	var blocks []note.Span
	from, to := 0, 0
	edits := repliesTo(src, markers, answer)
	for i, m := range markers {
		n := m.Span.Start - from
		if len(out) < to+n || !bytes.Equal(src[from:m.Span.Start], out[to:to+n]) {
			t.Fatalf("bytes before %q changed: %q\n%q", m.Text, src, out)
		}
		to += n
		block := edits[i].New
		if !bytes.HasPrefix(out[to:], block) {
			t.Fatalf("no answer for %q: %q", m.Text, out)
		}
		blocks = append(blocks, note.Span{Start: to, End: to + bytes.LastIndex(block, []byte(closing)) + len(closing)})
		from, to = m.Span.End, to+len(block)
	}
	if !bytes.Equal(src[from:], out[to:]) {
		t.Fatalf("bytes behind the last answer changed: %q\n%q", src, out)
	}
	return blocks
}

// checkSafe wants nothing in a rendered note that loads, runs or hides.
func checkSafe(t *testing.T, src []byte) {
	t.Helper()
	_ = ast.Walk(render(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			if d := string(n.Destination); strings.Contains(d, ":") || strings.HasPrefix(d, "//") {
				t.Fatalf("loads %q: %q", d, src)
			}
		case *ast.RawHTML:
			var b strings.Builder
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				b.Write(s.Value(src))
			}
			if tag := b.String(); emphasis().FindString(tag) != tag {
				t.Fatalf("holds HTML %q: %q", tag, src)
			}
		case *ast.HTMLBlock:
			text := strings.TrimSpace(string(n.Lines().Value(src)))
			if text != "<!-- agent-response -->" && text != "<!-- /agent-response -->" || n.HasClosure() {
				t.Fatalf("holds HTML %q: %q", text, src)
			}
		}
		return ast.WalkContinue, nil
	})
}

// places are notes with one marker and the user's words around it. Each word of
// the user has to be in a paragraph before and after the answer.
var places = []string{
	"> @agent-Miner q\n",
	"BEFORE\n> @agent-Miner q\nAFTER\n",
	"BEFORE\n\n> @agent-Miner q\n\nAFTER\n",
	"- > @agent-Miner q\n- AFTER\n",
	"- BEFORE\n  > @agent-Miner q\n  AFTER\n\nEND\n",
	"1. BEFORE\n2. > @agent-Miner q\n3. AFTER\n",
	"-\t> @agent-Miner q\n\n\tAFTER\n",
	"> BEFORE\n> @agent-Miner q?\n> AFTER\n\nEND\n",
	"> BEFORE\n> @agent-Miner q\n> goes on\n> to here.\n> AFTER\n\nEND\n",
	"BEFORE\n> @agent-Miner q\n> goes on\nAFTER\n",
	"- > @agent-Miner q:\n  > - AFTER\n- END\n",
	"> @agent-Miner q\r\n> goes on\r\n> — AFTER\r\n",
	"> [!note] BEFORE\n> - one\n>\n> @agent-Miner q?\n> AFTER\n",
	"> > @agent-Miner q\n> AFTER\n",
	"> - > @agent-Miner q\n>   AFTER\n> - LAST\n\nEND\n",
	">>>@agent-Miner q\nAFTER\n",
	"   > @agent-Miner q\n   AFTER\n",
	"BEFORE\n> @agent-Miner q\n> @agent-Miner r\nAFTER\n",
	"| a |\n|---|\n| BEFORE |\n> @agent-Miner q\n\nAFTER\n",
	"```\nx\n```\n> @agent-Miner q\nAFTER\n",
	"AFTER\r\n\r\n> @agent-Miner q",
	"BEFORE\n> @agent-Miner q ^name\n\nAFTER\n",
	"- BEFORE\n- > @agent-Miner q ^name\n\n- AFTER\n",
	"- BEFORE\n- > @agent-Miner q ^name\n- AFTER\n",
	"1. BEFORE\n   > @agent-Miner q ^name\n   AFTER\n2. LAST\n\nEND\n",
	"BEFORE\n> @agent-Miner q? ^name\n> AFTER\n\nEND\n",
	"> BEFORE\n> @agent-Miner q ^name\nAFTER\n",
	"> - > @agent-Miner q ^name\n>   AFTER\n> - LAST\n\nEND\n",
	"> [!note] BEFORE\n> @agent-Miner q\n> goes on ^name\n>\n> AFTER\n\nEND",
}

// checkPlaces puts an answer in every place.
func checkPlaces(t *testing.T, answer string) {
	t.Helper()
	for _, place := range places {
		src := []byte(place)
		_, after, out := checkAnswered(t, src, func(int) bool { return true }, func(int) string { return answer })
		if len(after.Markers) > 0 {
			t.Fatalf("a marker is left: %q", out)
		}
		checkSafe(t, out)
		if had, has := words(src, src), words(src, out); had != has {
			t.Fatalf("the user's words moved: %s, then %s\n%q\n%q", had, has, src, out)
		}
		more := append(slices.Clone(out), "\n\n> @agent-Next live?\n"...)
		doc := note.Parse(more)
		if len(doc.Markers) != 1 || len(doc.Blocks) != bytes.Count(src, []byte(note.MarkerStart)) || doc.Unclosed != 0 {
			t.Fatalf("below the answer: %d markers, %d blocks, unclosed %d\n%q", len(doc.Markers), len(doc.Blocks), doc.Unclosed, more)
		}
	}
}

// words tells for each word of the user in src in which containers it stands in
// out. A quote counts only on lines that carry its mark: a lazy line leaves its
// quote when the marker does.
func words(src, out []byte) string {
	var b strings.Builder
	root := render(out)
	for _, word := range []string{"BEFORE", "AFTER", "LAST", "END"} {
		if !bytes.Contains(src, []byte(word)) {
			continue
		}
		_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if s, ok := n.(*ast.Text); ok && entering && bytes.Contains(s.Segment.Value(out), []byte(word)) {
				fmt.Fprintf(&b, "%s in", word)
				marks := bytes.Count(out[bytes.LastIndexByte(out[:s.Segment.Start], '\n')+1:s.Segment.Start], []byte(">"))
				lazy := quoteDepth(n) - marks
				for p := n.Parent(); p != nil; p = p.Parent() {
					switch p.Kind() {
					case ast.KindTextBlock, ast.KindParagraph:
						continue
					case ast.KindBlockquote:
						if lazy--; lazy >= 0 {
							continue
						}
					}
					if p.Type() == ast.TypeBlock {
						b.WriteString(" " + p.Kind().String())
					}
				}
				b.WriteString(". ")
			}
			return ast.WalkContinue, nil
		})
	}
	return b.String()
}

func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	for _, answer := range samples.Hostile {
		checkPlaces(t, answer)
	}
}

func quoteDepth(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	return depth
}

func answerWith(t testing.TB, src []byte, markers []note.Marker, answer func(int) string) []byte {
	t.Helper()
	out, err := note.Apply(src, repliesTo(src, markers, answer))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// repliesTo are the edits for clean answers.
func repliesTo(src []byte, markers []note.Marker, answer func(int) string) []note.Edit {
	answers := make([]string, len(markers))
	for i := range markers {
		answers[i] = Labelled(answer(i), fmt.Sprintf("k%d", i), 0)
	}
	return Replies(note.NewPage(src), markers, headings.Fit(src, answers))
}
