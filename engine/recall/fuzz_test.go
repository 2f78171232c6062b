package recall

import (
	"context"
	"strings"
	"testing"
)

func FuzzSearch(f *testing.F) {
	dir := f.TempDir()
	writeNote(f, dir, "a.md", "# Alpha\nsome words AND others NEAR here\n\n> @agent-Miner zebra alpha words\n\n<!-- agent-response -->\nzebra\n<!-- /agent-response -->\n")
	ix := open(f, dir)
	for _, s := range []string{`"`, `a"b`, `alpha AND`, `NEAR(a b)`, `title:alpha`, `^alpha`, `-a`, `a*`, `(`, `'; DROP TABLE fts; --`, "\x00", "猫 alpha", "zebra", "", strings.Repeat("w ", 5000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		found, err := ix.Search(context.Background(), query, SearchOptions{})
		if err != nil {
			t.Fatalf("%q: %v", query, err)
		}
		if _, err := unknownWords(context.Background(), ix, query); err != nil {
			t.Fatalf("%q: %v", query, err)
		}
		for _, p := range found {
			if p.Matched > p.Terms || p.Matched+len(p.Missing) > p.Terms || strings.Contains(p.Text, "zebra") {
				t.Fatalf("%q: %+v", query, p)
			}
		}
	})
}
