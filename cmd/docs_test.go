package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readmeWords is how long the first page may be: what it is, how to try it, where to read on.
const readmeWords = 600

// documents returns the pages a person reads, by their paths from the top.
func documents(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join("..", "assets", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	evidence, err := filepath.Glob(filepath.Join("..", "assets", "docs", "evidence", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Concat(files, pages, evidence) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	if len(texts) < 15 {
		t.Fatalf("only %d documents found", len(texts))
	}
	return texts
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// releases is the page of releases beside the files of a repository, as GitHub shows these below blob/BRANCH.
var releases = filepath.Join("..", "..", "..", "releases", "latest")

// headingLinks returns the names by which a page's headings are linked to, in GitHub's way:
// https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links
func headingLinks(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := notSlug.ReplaceAllString(strings.ToLower(m[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

// TestDocumentLinks: every link between the documents leads to a file that is there, and to a
// heading it has; every page is reached from the README in two steps at most.
func TestDocumentLinks(t *testing.T) {
	texts := documents(t)
	links, linked := 0, map[string]bool{}
	for file, text := range texts {
		for _, m := range link.FindAllStringSubmatch(withoutCode(text), -1) {
			target, name, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, ":") || filepath.Join(filepath.Dir(file), filepath.FromSlash(target)) == releases {
				continue // an address
			}
			links++
			to := file
			if target != "" {
				to = filepath.Join(filepath.Dir(file), filepath.FromSlash(target))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", file, m[1])
			}
			if name != "" && !headingLinks(texts[to])[name] {
				t.Errorf("%s links to %s, which has no such heading", file, m[1])
			}
			if filepath.Base(file) == "README.md" {
				linked[to] = true
			}
		}
	}
	for file := range texts {
		if !linked[file] && file != filepath.Join("..", "README.md") {
			t.Errorf("no README links to %s", file)
		}
	}
	if links < 50 {
		t.Errorf("only %d links found", links)
	}
}

// withoutCode takes the indented and fenced blocks and the code spans out of a page.
func withoutCode(text string) string {
	var kept []string
	fenced := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case !fenced && !strings.HasPrefix(line, "    "):
			kept = append(kept, line)
		}
	}
	return regexp.MustCompile("`[^`]*`").ReplaceAllString(strings.Join(kept, ""), "")
}

// TestPlacesAreShort: who comes with one editor or disk reads one short page.
func TestPlacesAreShort(t *testing.T) {
	texts := documents(t)
	for _, name := range []string{"editors", "nas", "note-apps", "phones", "wsl"} {
		if n := len(strings.Fields(texts[filepath.Join("..", "assets", "docs", name+".md")])); n == 0 || n > 450 {
			t.Errorf("%s.md has %d words; at most 450 are read", name, n)
		}
	}
}

// TestWordsAreFew: one list of words, in two tables, and no word is in both.
func TestWordsAreFew(t *testing.T) {
	texts, seen := documents(t), map[string]bool{}
	for _, file := range []string{filepath.Join("..", "ARCHITECTURE.md"), filepath.Join("..", "assets", "docs", "how-it-works.md")} {
		_, words, found := strings.Cut(texts[file], "\n## Words\n")
		if !found {
			t.Fatalf("%s has no list of words", file)
		}
		words, _, _ = strings.Cut(words, "\n## ")
		for _, m := range row.FindAllStringSubmatch(words, -1) {
			if word := m[1]; seen[word] {
				t.Errorf("the word %q is explained twice", word)
			} else if word != "word" {
				seen[word] = true
			}
		}
	}
	if n := len(seen); n < 20 || n > 25 {
		t.Errorf("%d words are explained, not 20 to 25", n)
	}
}

// row is the first cell of a row.
var row = regexp.MustCompile(`(?m)^\| ([^|-][^|]*?) \|`)

// TestReadmeIsShort: a newcomer reads the first page whole.
func TestReadmeIsShort(t *testing.T) {
	text := documents(t)[filepath.Join("..", "README.md")]
	if n := len(strings.Fields(text)); n == 0 || n > readmeWords {
		t.Errorf("README.md has %d words, more than %d", n, readmeWords)
	}
}
