package sanitize

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/headings"
	"vaultdispatcher/engine/note/target"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

var attacks = flag.Int("attacks", 20000/fewer, "how many answers of the generator are read")

// inAttributes is goldmark with attributes, which Hugo uses, besides.
var inAttributes = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, extension.Typographer),
	goldmark.WithParserOptions(parser.WithAttribute()), goldmark.WithRendererOptions(html.WithUnsafe()))

var (
	pageTag       = regexp.MustCompile(`^</?(p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|b|i|u|s|del|ins|sub|sup|kbd|mark|small|abbr|span|br|hr|table|thead|tbody|tr|th|td|a|img|input|div|dl|dt|dd)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*/?>`)
	pageAttribute = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)
	plainValue    = map[string]*regexp.Regexp{
		"class": regexp.MustCompile(`^(|language-\S*|footnotes|footnote-ref|footnote-backref)$`), "id": regexp.MustCompile(`^fn(ref\d*)?:\d+$`), "style": regexp.MustCompile(`^text-align:(left|right|center)$`),
		"role": regexp.MustCompile(`^doc-`), "type": regexp.MustCompile(`^checkbox$`), "start": regexp.MustCompile(`^\d+$`),
	}
	comment = regexp.MustCompile(`^<!-- (/?agent-response|raw HTML omitted) -->`)
)

// actingTags are the tags of a page, and their attributes, that are none of those that an answer may have.
func actingTags(page string) (found []string) {
	for i := strings.IndexByte(page, '<'); i >= 0; {
		rest := page[i:]
		m := pageTag.FindStringSubmatch(rest)
		switch {
		case m != nil:
			for _, a := range pageAttribute.FindAllStringSubmatch(m[2], -1) {
				if !isPlainAttribute(m[1], a[1], a[2]) {
					found = append(found, m[0])
				}
			}
		case !comment.MatchString(rest):
			found = append(found, rest[:min(len(rest), 40)])
		}
		next := strings.IndexByte(page[i+1:], '<')
		if next < 0 {
			return found
		}
		i += 1 + next
	}
	return found
}

var nearTarget = regexp.MustCompile(`(?i)^\s*(?:https?://|mailto:)|^\s*[a-z][a-z0-9+.-]*:|^\s*[/\\]{2}`)

func isPlainAttribute(tag, name, value string) bool {
	switch name {
	case "href", "src":
		m := strings.ToLower(nearTarget.FindString(value))
		isOpen := tag == "a" && (strings.HasPrefix(m, "http") || m == "mailto:")
		return (m == "" || isOpen) && (isOpen || !target.Climbs(value))
	case "title", "alt", "align", "disabled", "checked":
		return true
	}
	plain := plainValue[name]
	return plain != nil && plain.MatchString(value)
}

func actsInGoldmark(t testing.TB, text string) (found []string) {
	t.Helper()
	for _, md := range []goldmark.Markdown{inGoldmark, inAttributes} {
		var b strings.Builder
		if err := md.Convert([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		found = append(found, actingTags(b.String())...)
	}
	return found
}

// TestAttacks reads answers of a generator, cleaned, in goldmark: none has an element, an attribute or an address that no
// answer may have. The bed .ci/answers reads them in other parsers.
func TestAttacks(t *testing.T) {
	t.Parallel()
	seed, every := testseed.Take(t), int64(min(16, max(1, *attacks/400))) // a share of fewer is chance
	var next, acted, tried, faults atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= int64(*attacks) || faults.Load() > 20 {
					return
				}
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				raw := samples.Attack(r)
				if i%every == 0 { // the judge can tell
					tried.Add(1)
					if len(actsInGoldmark(t, raw)) > 0 {
						acted.Add(1)
					}
				}
				clean := Answer(raw, 0)
				text := clean
				if i%4 == 0 {
					src := []byte(places[r.IntN(len(places))])
					if filled, err := note.Apply(src, Replies(note.NewPage(src), note.Parse(src).Markers[:1], headings.Fit(src, []string{clean}))); err == nil {
						text = string(filled)
					}
				}
				if found := actsInGoldmark(t, text); len(found) > 0 {
					faults.Add(1)
					t.Errorf("number %d: %q acts\n in  %q\n out %q", i, found, raw, text)
				}
				if again := Answer(clean, 0); again != clean {
					faults.Add(1)
					t.Errorf("number %d: in %q\nonce  %q\ntwice %q", i, raw, clean, again)
				}
			}
		})
	}
	all.Wait()
	t.Logf("count: %d answers of the generator, of %d looked at as they come %d act", next.Load()-int64(runtime.GOMAXPROCS(0)), tried.Load(), acted.Load())
	if acted.Load() < tried.Load()/8 {
		t.Errorf("only %d of %d act as they come", acted.Load(), tried.Load())
	}
}
