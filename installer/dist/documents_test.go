package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocumentLinks: a page that comes with the programs links to no file that does not.
func TestDocumentLinks(t *testing.T) {
	files, err := filepath.Glob("../../assets/docs/*.md")
	more, _ := filepath.Glob("../../assets/docs/*/*.md")
	if files = append(files, more...); err != nil || len(files) < 30 || len(more) == 0 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, name := range texts {
		if strings.HasSuffix(name, ".md") {
			files = append(files, filepath.Join("../..", name))
		}
	}
	code := regexp.MustCompile("(?s)```.*?\n *```|`[^`\n]*`")
	link := regexp.MustCompile(`\]\(([^)\s#]+)`)
	for _, page := range files {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(filepath.ToSlash(page), "../../")
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(src), ""), -1) {
			to := path.Join(path.Dir(from), m[1])
			if strings.Contains(m[1], "://") || strings.HasSuffix(to, "/releases/latest") { // elsewhere
				continue
			}
			_, err := os.Stat(filepath.Join("../..", to))
			if !slices.Contains(texts, to) && !slices.Contains(pages, to) && !slices.ContainsFunc(pages, func(p string) bool { return strings.HasPrefix(to, p+"/") }) || err != nil {
				t.Errorf("%s links to %s, which does not come with the programs", from, to)
			}
		}
	}
}
