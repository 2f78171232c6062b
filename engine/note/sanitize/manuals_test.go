package sanitize

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// record is one answer of a list in testdata: behind § its head, then its lines.
type record struct{ head, answer string }

var spelledRune = regexp.MustCompile(`\\u\{([0-9A-F]+)\}`)

func readRecords(t *testing.T, file string) (list []record) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split("\n"+string(text), "\n§ ") {
		head, answer, _ := strings.Cut(part, "\n")
		if i == 0 {
			continue // what the file says of itself
		}
		lines := strings.Split(answer, "\n")
		for len(lines) > 0 && (strings.HasPrefix(lines[len(lines)-1], "¶") || lines[len(lines)-1] == "") {
			lines = lines[:len(lines)-1] // the source of the next one
		}
		list = append(list, record{head, spelledRune.ReplaceAllStringFunc(strings.Join(lines, "\n"), func(s string) string {
			n, _ := strconv.ParseUint(s[3:len(s)-1], 16, 32)
			return string(rune(n))
		})})
	}
	return list
}

// TestHostileOfManuals: answers that act by the manual of some program do so no more.
func TestHostileOfManuals(t *testing.T) {
	t.Parallel()
	list, acting := readRecords(t, "hostile.txt"), 0
	for _, r := range list {
		acts := regexp.MustCompile(r.head)
		if !acts.MatchString(r.answer) {
			t.Errorf("%q does not act as it comes: %s", r.answer, r.head)
		}
		got := Answer(r.answer, 0)
		if acts.MatchString(got) {
			acting++
			t.Errorf("acts (%s)\n in %q\ngot %q", r.head, r.answer, got)
		}
		if again := Answer(got, 0); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
	t.Logf("count: %d hostile answers, %d act", len(list), acting)
	if len(list) < 100 {
		t.Errorf("only %d", len(list))
	}
}

var (
	inGoldmark = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList), goldmark.WithRendererOptions(html.WithUnsafe()))
	asMeant    = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(spelledTags{}, 100))))
	inFormula = regexp.MustCompile(`\$[^$]*\$`)
)

// spelledTags shows tags that an answer may not have as they are spelled: a model that writes <none> means these letters.
type spelledTags struct{}

func (spelledTags) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		tag := dressed().ReplaceAll(n.(*ast.RawHTML).Segments.Value(src), []byte("<$1>"))
		if emphasis().Find(tag) == nil {
			tag = util.EscapeHTML(tag)
		}
		_, err := w.Write(tag)
		return ast.WalkContinue, err
	})
}

// looksOf is an answer as goldmark shows it, without the spaces in formulas, which show nothing.
func looksOf(t *testing.T, answer string) string {
	t.Helper()
	var b strings.Builder
	if err := asMeant.Convert([]byte(answer), &b); err != nil {
		t.Fatal(err)
	}
	return inFormula.ReplaceAllStringFunc(b.String(), func(s string) string { return strings.ReplaceAll(s, " ", "") })
}

// TestGoodAnswers: what a good model writes looks as it was written. The bed .ci/answers compares more renderers.
func TestGoodAnswers(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"good.txt": 50, "daily.txt": 300} {
		list, exact, spoilt := readRecords(t, file), 0, 0
		for _, r := range list {
			got := Answer(r.answer, 0)
			if got == r.answer {
				exact++
			} else if looksOf(t, got) != looksOf(t, r.answer) {
				spoilt++
				t.Errorf("%s is spoilt (%s)\n in %q\ngot %q", file, r.head, r.answer, got)
			} else {
				t.Logf("alike: %q\n%q", r.answer, got)
			}
		}
		t.Logf("count: %s: %d answers, %d byte for byte, %d spoilt", file, len(list), exact, spoilt)
		if len(list) < least {
			t.Errorf("%s: only %d", file, len(list))
		}
	}
}
