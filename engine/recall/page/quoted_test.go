package page

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testseed"
)

// Code is quoted as it is; outside of it an embed becomes a link, and a link leads where it led.
func TestCodeAndLinksOfQuotes(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"Embed it:\n\n```md\n![[Plan.pdf#page=2]]  \n![a](b.png) ^id\n- [ ] task [[#Costs]]\n```\n", "```md\n![[Plan.pdf#page=2]]  \n![a](b.png) ^id\n- [ ] task [[#Costs]]\n```"},
		{"Write `![[Plan.pdf]]` for ![[Plan.pdf]] and !![[b]].\n", "Write `![[Plan.pdf]]` for [[Plan.pdf]] and [[b]]."},
		{"Write ``a ` ![[x]]`` or `![a](b)`, ![a](b), ![](c).\n", "Write ``a ` ![[x]]`` or `![a](b)`, [a](b), […](c)."},
		{"Code `over\n![[two]] lines` and ![[two]]\n", "Code `over\n![[two]] lines` and [[two]]"},
		{"An open ` tick\nand ![[one]] more\n", "An open ` tick\nand [[one]] more"},
		{"- item\n  ~~~\n  ```\n  ![[x]]\n  ~~~\n  ![[y]]\n", "- item\n  ~~~\n  ```\n  ![[x]]\n  ~~~\n  [[y]]"},
		{"> ~~~\n> > [t](#e) ![[x]]\n> [!note] y\n> - ~~~\n", "~~~\n> [t](#e) ![[x]]\n[!note] y\n- ~~~"},
		{"- > ~~~\n  > ![[x]]\n  > ~~~\n  > ![[y]]\n", "- > ~~~\n  > ![[x]]\n  > ~~~\n  > [[y]]"},
		{"1. > said\n   > ```\n   > ![[x]]\n   > ```\n   > ![[y]]\n", "1. > said\n   > ```\n   > ![[x]]\n   > ```\n   > [[y]]"},
		{"> > ```\n> > > ![[a]]\n> ![[b]]\n", "```\n> ![[a]]\n```\n[[b]]"},
		{"> [![badge](a.png)](#b) [!x]\n> [!tip]- Title\n", "[[badge](a.png)](../Sub%20d/Note.md#b) [!x]\nTitle"},
		{"> ~~~\n> " + strings.Repeat("![[a]]\n> ", 400) + "~~~\n", "![[a]]\n~~~"},
		{"See [[#Costs]], [[#Costs|them]], ![[#^id]] and `[[#Costs]]`.\n", "See [[Note#Costs]], [[Note#Costs|them]], [[Note#^id]] and `[[#Costs]]`."},
		{"See [costs](#costs) and [b](<../b c.md>) and [c](./c.md) and [d](d.md).\n", "See [costs](../Sub%20d/Note.md#costs) and [b](<../b c.md>) and [c](../Sub%20d/c.md) and [d](d.md)."},
		{"See [[../b]] and [[./c#d]] and [x](../../../out.md).\n", "See [[b]] and [[Sub d/c#d]] and [x](../../../out.md)."},
	} {
		p := Parse("Sub d/Note.md", []byte(c.src))
		p.Reader, p.IsUnique = "Days/Today.md", true
		var got []string
		for _, b := range p.Blocks {
			got = append(got, p.showBlock(b, 0, true))
		}
		if text := strings.Join(got, "\n\n"); !strings.HasSuffix(text, c.want) {
			t.Errorf("%q is quoted\n%q, want\n%q", c.src, text, c.want)
		}
	}
	p := Parse("Sub/Note.md", []byte("See [[#Costs]].\n"))
	if got := p.showBlock(p.Blocks[0], 0, true); got != "See [[Sub/Note#Costs]]." {
		t.Errorf("of two notes with one name: %q", got)
	}
}

var (
	aLink    = regexp.MustCompile(`\[\[([^\[\]\n|]+)(?:\|[^\[\]\n]*)?\]\]|\]\(<?([^()\n<>]*)>?\)`)
	notShown = regexp.MustCompile(`(?m)<!--[\s\S]*?(-->|$)|%%[\s\S]*?(%%|$)|[ \t]+\^[A-Za-z0-9-]+[ \t]*$`)
	aFence   = regexp.MustCompile("(?m)^[-*+> \t]*(```|~~~|\\$\\$)")
	noLetter = regexp.MustCompile(`[^\pL\pN]+`)
)

// linksIn returns what the links of a text in a note lead to.
func linksIn(text, in string, p *Page) (to []string) {
	for _, m := range aLink.FindAllStringSubmatch(text, -1) {
		target, dir := m[1]+m[2], path.Dir(in)
		at, head, _ := strings.Cut(strings.ReplaceAll(target, "%20", " "), "#")
		own := strings.TrimSuffix(p.rel, ".md")
		switch {
		case at == "":
			at = strings.TrimSuffix(in, ".md")
		case at == path.Base(own) && m[1] != "":
			at = own
		case at[0] == '.':
			at = path.Join(dir, at)
		}
		to = append(to, strings.TrimSuffix(at, ".md")+"#"+head)
	}
	return to
}

// codeIn returns the lines of the fenced code in a text.
func codeIn(text string) (lines []string) {
	src := []byte(text)
	_ = ast.Walk(goldmark.DefaultParser().Parse(gmtext.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if code, ok := n.(*ast.FencedCodeBlock); ok && entering {
			for i := range code.Lines().Len() {
				at := code.Lines().At(i)
				lines = append(lines, strings.TrimRight(string(at.Value(src)), "\n"))
			}
		}
		return ast.WalkContinue, nil
	})
	return lines
}

func leavesVault(link string) bool { return strings.HasPrefix(link, "..") }

// checkQuotes holds each block of a note, as it is quoted, against the note.
func checkQuotes(t *testing.T, rel string, src []byte) (blocks, links int) {
	t.Helper()
	p := Parse(rel, src)
	p.Reader, p.IsUnique = "Days/Deep/Today.md", true
	letters := func(text string) string {
		return noLetter.ReplaceAllString(aLink.ReplaceAllString(notShown.ReplaceAllString(text, ""), "]"), "")
	}
	shown := func(text string) string {
		lines := strings.Split(strings.ToValidUTF8(text, "\uFFFD"), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
			return !isShown(line) || note.IsBookkeeping(strings.TrimSpace(line))
		}), "\n")
	}
	whole := letters(shown(string(src)))
	for _, b := range p.Blocks {
		text, raw := p.showBlock(b, 0, true), shown(string(src[b.Span.Start:b.Span.End]))
		blocks++
		switch {
		case b.kind == property:
		case b.kind == fence:
			for line := range strings.SplitSeq(text, "\n") {
				if !slices.Contains(strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n"), line) && !strings.Contains(raw, strings.TrimSpace(line)) {
					t.Fatalf("%s: code %q of %q is quoted %q", rel, line, raw, text)
				}
			}
		case b.kind == quoted && aFence.MatchString(raw):
			if was, is := codeIn(raw), codeIn(text); fmt.Sprintf("%q", was) != fmt.Sprintf("%q", is) {
				t.Fatalf("%s: of %q the code is %q, quoted %q it is %q", rel, raw, was, text, is)
			}
		case !strings.Contains(text, "`") && strings.Count(raw, "|") == 0 && !notShown.MatchString(raw) && !aFence.MatchString(raw):
			if !strings.Contains(whole, letters(text)) {
				t.Fatalf("%s: %q is quoted %q", rel, raw, text)
			}
			was, is := linksIn(raw, rel, p), linksIn(text, p.Reader, p)
			if links += len(is); fmt.Sprint(was) != fmt.Sprint(is) && !slices.ContainsFunc(was, leavesVault) {
				t.Fatalf("%s: %q leads to %q, quoted %q to %q", rel, raw, was, text, is)
			}
			if strings.Contains(text, "![") && strings.Contains(strings.ReplaceAll(text, "![]", ""), "![[") {
				t.Fatalf("%s: %q embeds", rel, text)
			}
		}
	}
	return blocks, links
}

// Each quote is found in its note, and each of its links leads where it led: in the sample vault, in random notes, and in the
// vaults below a folder that VAULTS names.
func TestQuotesAreTheirSource(t *testing.T) {
	blocks, links := 0, 0
	for _, root := range append(filepath.SplitList(os.Getenv("VAULTS")), "../../../assets/vault", "../../../assets/docs") {
		err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
				return err
			}
			src, err := os.ReadFile(file)
			rel, _ := filepath.Rel(root, file)
			b, l := checkQuotes(t, filepath.ToSlash(rel), src)
			blocks, links = blocks+b, links+l
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	seed := testseed.Take(t)
	parts := []string{"word ", "![[a]] ", "[[#Head|x]] ", "[[../b c]] ", "[t](../c.md#d) ", "[t](#e) ", "![](x.png) ", "`", "``", "\n", "\n\n", "- ", "```\n", "~~~\n", "> ", "[ ] "}
	for i := range 2000 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		var src strings.Builder
		for range 40 {
			src.WriteString(parts[r.IntN(len(parts))])
		}
		b, l := checkQuotes(t, "Sub/Deep/Note.md", []byte(src.String()))
		blocks, links = blocks+b, links+l
	}
	t.Logf("count: %d blocks, %d links", blocks, links)
	if links < 1000 {
		t.Error("too little was quoted")
	}
}
