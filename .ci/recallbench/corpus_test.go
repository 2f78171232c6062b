//go:build recalleval

package recallbench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	vaults = flag.String("vaults", "../../../../shared/vaults", "`folder` with real vaults")
	pods   = flag.String("pods", "/usr/share/perl/*/pod", "where perl-doc keeps its pages")
	rsts   = flag.String("rsts", "/usr/share/doc/python3-doc/html/_sources", "where python3-doc keeps its sources")
)

// question is a text whose answer stands in one note, or in any of several.
type question struct {
	text string
	want map[string]bool
	from string // the note that asks, which is no answer
	fold int    // the variant of the vault that it is asked of
}

// corpus is a vault under construction: notes by path.
type corpus struct {
	notes map[string]string
	order []string
}

func (c *corpus) add(rel, text string) {
	if _, twice := c.notes[rel]; !twice {
		c.order = append(c.order, rel)
	}
	c.notes[rel] = text
}

// write makes files of the notes.
func (c *corpus) write(t testing.TB, dir string) {
	t.Helper()
	for _, rel := range c.order {
		path := filepath.Join(dir, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.notes[rel]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// realVaults are the notes of the shared vaults.
func realVaults(t testing.TB) *corpus {
	t.Helper()
	c := &corpus{notes: make(map[string]string)}
	err := filepath.WalkDir(*vaults, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(*vaults, path)
		c.add(filepath.ToSlash(rel), string(text))
		return err
	})
	if err != nil || len(c.order) < 100 {
		t.Fatalf("no real vaults in %s: %d notes, %v", *vaults, len(c.order), err)
	}
	return c
}

// files returns what a pattern names, and fails where that is nothing.
func files(t testing.TB, dir, pattern string) []string {
	t.Helper()
	dirs, _ := filepath.Glob(dir) // of several versions the last
	var list []string
	if n := len(dirs); n > 0 {
		list, _ = filepath.Glob(filepath.Join(dirs[n-1], pattern))
	}
	if len(list) == 0 {
		t.Fatalf("nothing at %s/%s: install perl-doc and python3-doc", dir, pattern)
	}
	return list
}

// manuals adds the manuals of both languages, without their questions and
// answers.
func (c *corpus) manuals(t testing.TB) {
	t.Helper()
	for _, file := range files(t, *pods, "*.pod") {
		name := strings.TrimSuffix(filepath.Base(file), ".pod")
		if !strings.Contains(name, "faq") && !strings.HasSuffix(name, "delta") {
			c.add("Perl/"+name+".md", fromPod(read(t, file)))
		}
	}
	for _, file := range append(files(t, *rsts, "*/*.rst.txt"), files(t, *rsts, "*.rst.txt")...) {
		dir, name := filepath.Split(strings.TrimSuffix(file, ".rst.txt"))
		if dir = filepath.Base(dir); dir != "faq" {
			c.add("Python/"+dir+"/"+name+".md", fromRst(read(t, file)))
		}
	}
}

// faq adds the answers of both languages, each a note whose name says nothing,
// and returns the questions.
func (c *corpus) faq(t testing.TB) []question {
	t.Helper()
	var questions []question
	take := func(folder, text string) {
		for i, part := range regexp.MustCompile(`(?m)^## `).Split(text, -1) {
			head, body, _ := strings.Cut(part, "\n")
			body = strings.TrimSpace(body)
			if i == 0 || len(strings.Fields(head)) < 3 || len(strings.Fields(body)) < 15 {
				continue
			}
			rel := fmt.Sprintf("%s/entry %d.md", folder, i)
			c.add(rel, body+"\n")
			questions = append(questions, question{text: head, want: map[string]bool{rel: true}})
		}
	}
	for _, file := range files(t, *pods, "perlfaq[1-9].pod") {
		take("Inbox/"+strings.TrimSuffix(filepath.Base(file), ".pod"), fromPod(read(t, file)))
	}
	for _, file := range files(t, *rsts, "faq/*.rst.txt") {
		take("Inbox/py"+strings.TrimSuffix(filepath.Base(file), ".rst.txt"), fromRst(read(t, file)))
	}
	return questions
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	podCode = regexp.MustCompile(`[BCFILSXZ](?:<<+ (.*?) >>+|<([^<>]*)>)`)
	rstRole = regexp.MustCompile(":[a-z:]+:`~?([^`<]*)[^`]*`")
)

// fromPod makes markdown of a page of Perl's documentation.
func fromPod(text string) string {
	var b strings.Builder
	for _, par := range strings.Split(text, "\n\n") {
		par = strings.Trim(par, "\n")
		for range 3 {
			if !strings.HasPrefix(par, " ") {
				par = podCode.ReplaceAllString(par, "$1$2")
			}
		}
		par = strings.NewReplacer("E<gt>", ">", "E<lt>", "<", "E<sol>", "/", "E<verbar>", "|").Replace(par)
		command, rest, _ := strings.Cut(par, " ")
		switch {
		case strings.HasPrefix(command, "=head"):
			par = strings.Repeat("#", int(command[5]-'0')) + " " + strings.ReplaceAll(rest, "\n", " ")
		case command == "=item":
			par = "- " + strings.TrimPrefix(rest, "* ")
		case strings.HasPrefix(par, "="):
			continue
		}
		b.WriteString(par + "\n\n")
	}
	return b.String()
}

var rstRule = regexp.MustCompile(`^([=\-~^*#"'])+$`)

// fromRst makes markdown of a page of Python's documentation. What is underlined
// with = is a heading of the first level, everything else one of the second.
func fromRst(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		n := len(out)
		switch {
		case len(line) >= 3 && rstRule.MatchString(line) && n > 0 && out[n-1] != "" && !strings.HasPrefix(out[n-1], " "):
			out[n-1] = map[bool]string{true: "# ", false: "## "}[line[0] == '='] + out[n-1]
		case len(line) >= 3 && rstRule.MatchString(line), strings.HasPrefix(line, ".. "):
		default:
			out = append(out, rstRole.ReplaceAllString(line, "$1"))
		}
	}
	return strings.Join(out, "\n")
}
