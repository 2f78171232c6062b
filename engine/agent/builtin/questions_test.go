package builtin

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
)

// asked is a question to the sample vault and the notes that answer it, none
// where the vault has no answer.
type asked struct {
	question string
	notes    []string
}

func questions(t *testing.T) []asked {
	t.Helper()
	text, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []asked
	for line := range strings.Lines(string(text)) {
		question, notes, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		a := asked{question: question}
		for n := range strings.SplitSeq(notes, " | ") {
			if n != "-" {
				a.notes = append(a.notes, n)
			}
		}
		list = append(list, a)
	}
	return list
}

// Of the questions to the sample vault most are answered by the right note, four
// of five by it first; those that it cannot answer are refused. Every link
// of every answer leads to a note, and to a heading of it.
func TestQuestions(t *testing.T) {
	m, root := sample(t)
	list := questions(t)
	if len(list) < 60 {
		t.Fatalf("%d questions", len(list))
	}
	answerable, first, found, refused, links := 0, 0, 0, 0, 0
	for _, a := range list {
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Inbox/Questions.md", Requests: []agent.Request{request(a.question)}})
		if err != nil {
			t.Fatal(err)
		}
		links += checkLinks(t, root, reply.Text)
		cited := citations(root, reply.Text)
		if len(a.notes) == 0 {
			if !strings.Contains(reply.Text, "**From your notes**") {
				refused++
			} else {
				t.Logf("answered, though nothing is known: %s\n%s", a.question, reply.Text)
			}
			continue
		}
		answerable++
		at := slices.IndexFunc(cited, func(n string) bool { return slices.Contains(a.notes, n) })
		if at == 0 {
			first++
		} else {
			t.Logf("%s: %q, wanted first is %q", a.question, cited, a.notes)
		}
		if at >= 0 {
			found++
		}
	}
	t.Logf("%d of %d found, %d first; %d of %d refused; %d links", found, answerable, first, refused, len(list)-answerable, links)
	if 100*found < 88*answerable || 100*first < 78*answerable {
		t.Errorf("of %d questions %d are answered by the right note, %d by it first", answerable, found, first)
	}
	if refused < len(list)-answerable-1 {
		t.Errorf("%d of %d questions that nothing answers were refused", refused, len(list)-answerable)
	}
	if 10*links < 18*len(list) { // a refusal has none
		t.Errorf("only %d links were looked at", links)
	}
}

var (
	wikilink = regexp.MustCompile(`\[\[([^\[\]|#]+)(#[^\[\]|]+)?(?:\|[^\[\]]*)?\]\]`)
	inline   = regexp.MustCompile(`\]\(([^()\s#]+\.md)(?:#([^()\s]*))?\)`)
)

// citations are the notes that the answer quotes and those that it says have it too, in its order.
func citations(root, text string) []string {
	var notes []string
	for line := range strings.Lines(text) {
		rest, quoted := strings.CutPrefix(line, "> — ")
		if list, more := strings.CutPrefix(rest, "Also in: "); more {
			rest, quoted = list, true
		}
		if !quoted {
			continue
		}
		for _, m := range wikilink.FindAllStringSubmatch(rest, -1) {
			notes = append(notes, noteAt(root, m[1]))
		}
		for _, m := range inline.FindAllStringSubmatch(rest, -1) {
			name, _ := url.PathUnescape(m[1])
			notes = append(notes, name)
		}
	}
	return notes
}

// noteAt is the only note that a wikilink of that target means, "" for none.
func noteAt(root, target string) (found string) {
	_ = filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		rel = filepath.ToSlash(rel)
		stem := strings.TrimSuffix(rel, ".md")
		if err == nil && !d.IsDir() && stem != rel && (strings.EqualFold(stem, target) || strings.EqualFold(path.Base(stem), target)) {
			if found != "" {
				found = "several"
			} else {
				found = rel
			}
		}
		return err
	})
	return found
}

// checkLinks follows the links of an answer and counts them.
func checkLinks(t *testing.T, root, text string) (n int) {
	t.Helper()
	for _, m := range wikilink.FindAllStringSubmatch(text, -1) {
		n++
		rel := noteAt(root, m[1])
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
		if err != nil || rel == "" {
			t.Errorf("%s leads to %q: %v", m[0], rel, err)
			continue
		}
		for head := range strings.SplitSeq(strings.TrimPrefix(m[2], "#"), "#") {
			if head != "" && !hasHeading(string(src), head) {
				t.Errorf("%s leads to no heading of %s", m[0], rel)
			}
		}
	}
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		n++
		name, _ := url.PathUnescape(m[1])
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Errorf("%s leads nowhere: %v", m[0], err)
		}
	}
	return n
}

var notWord = regexp.MustCompile(`[^\pL\pN]+`)

func hasHeading(src, head string) bool {
	plain := func(s string) string { return strings.Trim(notWord.ReplaceAllString(strings.ToLower(s), " "), " ") }
	for line := range strings.Lines(src) {
		if strings.HasPrefix(line, "#") && plain(line) == plain(head) {
			return true
		}
	}
	return false
}
