package past

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"vaultdispatcher/engine/journal"
)

// counting is a journal that counts how often the lines of a note are read.
type counting struct {
	Journal
	reads int
}

func (c *counting) NotePast(ctx context.Context, vault, file string) (journal.NotePast, bool, error) {
	c.reads++
	return c.Journal.NotePast(ctx, vault, file)
}

// Where a folder is renamed each note asks for the lines of the one that had its name, whether all have names of their own or
// are the same in folders of their own, and for no others.
func TestReadsTheLinesOfARenamedFolder(t *testing.T) {
	for name, rel := range map[string]func(folder string, i int) string{
		"other names": func(folder string, i int) string { return fmt.Sprintf("%s/%d.md", folder, i) },
		"one name":    func(folder string, i int) string { return fmt.Sprintf("%s/%d/index.md", folder, i) },
	} {
		for _, n := range []int{50, 200} {
			t.Run(fmt.Sprint(n, " with ", name), func(t *testing.T) {
				q, disk := newOnDisk(t)
				c := &counting{Journal: disk}
				q.Journal = c
				read := func(rel, src string) string {
					t.Helper()
					doc, err := look(t, q, rel, []byte(src))
					if err != nil {
						t.Fatal(err)
					}
					return doc.Markers[0].Text
				}
				for i := range n {
					read(rel("old", i), fmt.Sprintf("> @agent-Miner ask\n\n> words of %d\n", i))
				}
				for i := range n {
					if err := q.Depart(t.Context(), rel("old", i)); err != nil {
						t.Fatal(err)
					}
				}
				c.reads = 0
				for i := range n {
					src := fmt.Sprintf("> @agent-Miner ask\n> words of %d\n", i)
					if got := read(rel("new", i), src); strings.Contains(got, "words") {
						t.Fatalf("own words are asked: %q", got)
					}
				}
				for i := range n { // the news that another went come later
					read(fmt.Sprintf("late %d.md", i), "> @agent-Miner ask\n")
				}
				if c.reads > 5*n {
					t.Errorf("%d notes were renamed, and lines were read %d times", n, c.reads)
				}
			})
		}
	}
}
