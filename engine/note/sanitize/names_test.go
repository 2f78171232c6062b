package sanitize

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/headings"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

var randomNames = flag.Int("names", 200, "how many random notes with references are answered")

// readers read a note with footnotes and without, as apps do.
var readers = []goldmark.Markdown{
	goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()), goldmark.WithRendererOptions(html.WithUnsafe())),
	goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())),
}

var (
	answerBlocks = regexp.MustCompile(`(?s)<!-- agent-response -->.*?<!-- /agent-response -->`)
	leadsTo      = regexp.MustCompile(`(?:href|src)="([^"]*)"|<h[1-6] id="([^"]*)"`)
	noteItems    = regexp.MustCompile(`(?s)<li id="(fn:\d+)">(.*?)</li>`)
	backLinks    = regexp.MustCompile(`(?s)&#160;<a href="#fnref.*?</a>`)
)

// leads are where the links, pictures and footnotes outside of answers lead, and the names of the headings there.
func leads(t *testing.T, md goldmark.Markdown, src []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := md.Convert(src, &b); err != nil {
		t.Fatal(err)
	}
	page, notes, _ := strings.Cut(b.String(), `<div class="footnotes"`)
	items := make(map[string]string)
	for _, m := range noteItems.FindAllStringSubmatch(notes, -1) {
		items["#"+m[1]] = noteItems.ReplaceAllString(backLinks.ReplaceAllString(m[2], ""), "")
	}
	var out strings.Builder
	for _, m := range leadsTo.FindAllStringSubmatch(answerBlocks.ReplaceAllString(page, ""), -1) {
		if item, ok := items[m[1]]; ok {
			for _, inner := range leadsTo.FindAllStringSubmatch(item, -1) {
				if more, ok := items[inner[1]]; ok { // a footnote in a footnote
					item = strings.ReplaceAll(item, inner[0], more)
				}
			}
			m[0] = numbers.ReplaceAllString(item, "")
		}
		out.WriteString(m[0] + "\n")
	}
	return out.String()
}

// numbers of footnotes change with those above.
var numbers = regexp.MustCompile(`id="fnref[^"]*"|(role="doc-noteref">)\d+`)

// checkNames answers the questions of a note and wants what is the person's to lead where it led. It reports
// whether there was anything to answer.
func checkNames(t *testing.T, src, answer string) bool {
	t.Helper()
	markers := note.Parse([]byte(src)).Markers
	answers := make([]string, len(markers))
	for i := range markers {
		answers[i] = Labelled(answer, fmt.Sprintf("k%d", i), 0)
		if again := Labelled(answers[i], fmt.Sprintf("k%d", i), 0); again != answers[i] {
			t.Fatalf("%q\nonce  %q\ntwice %q", answer, answers[i], again)
		}
	}
	edits := Replies(note.NewPage([]byte(src)), markers, headings.Fit([]byte(src), answers))
	out, err := note.Apply([]byte(src), edits)
	if err != nil || len(markers) == 0 || !note.NewPage([]byte(src)).KeepsBlocks(note.NewPage(out), edits) {
		return false // it would not be written
	}
	for _, md := range readers {
		if had, has := leads(t, md, []byte(src)), leads(t, md, out); had != has {
			t.Fatalf("answer %q\ncleaned %q\nled to\n%s\nand now\n%s\n%s", answer, answers[0], had, has, out)
		}
	}
	return true
}

// TestNamesStay: whatever an answer defines, every href, src and footnote of the person's own text is the same
// before and after it, and so is each heading that a link may name.
func TestNamesStay(t *testing.T) {
	t.Parallel()
	cases := 0
	for i, answer := range samples.Naming {
		for n := range 2 {
			src := strings.ReplaceAll(samples.Named[(i+3*n)%len(samples.Named)], "QUESTION", "> @agent-Miner why?")
			if checkNames(t, src, answer) {
				cases++
			}
		}
	}
	seed := testseed.Take(t)
	for i := range *randomNames {
		src, answer := samples.NameAtRandom(rand.New(rand.NewPCG(seed, uint64(i))))
		if checkNames(t, src, answer) {
			cases++
		}
	}
	t.Logf("count: %d notes with references answered", cases)
	if cases < 200 {
		t.Errorf("only %d cases", cases)
	}
}
