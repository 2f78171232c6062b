package notedisk

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
)

func parse(_ string, src []byte) *string { text := string(src); return &text }

// Each note is read once, those that are read ahead too, but large ones.
func TestPages(t *testing.T) {
	t.Parallel()
	d, mu, counts := New(t.TempDir(), nil), sync.Mutex{}, make(map[string]int)
	d.Read = func(_ *os.Root, rel string) ([]byte, error) {
		mu.Lock()
		counts[rel]++
		mu.Unlock()
		switch {
		case rel == "gone.md":
			return nil, os.ErrNotExist
		case strings.HasPrefix(rel, "large"):
			return []byte(strings.Repeat("words ", LargeNote/5)), nil
		}
		return []byte("words of " + rel), nil
	}
	read, end, err := OpenPages(t.Context(), d, []string{"a.md", "gone.md", "b.md", "large.md", "c.md"}, parse)
	if err != nil {
		t.Fatal(err)
	}
	for _, rel := range []string{"a.md", "b.md", "b.md", "c.md", "d.md", "a.md"} {
		if p := read(rel); p == nil || *p != "words of "+rel {
			t.Errorf("%s is read as %v", rel, p)
		}
	}
	for range 2 {
		if read("gone.md") != nil || read("large.md") == nil {
			t.Error("a note is there that is gone, or the other way round")
		}
	}
	end()
	mu.Lock()
	defer mu.Unlock()
	for rel, n := range counts {
		if n > 1 && rel != "large.md" {
			t.Errorf("%s is read %d times", rel, n)
		}
	}
	if counts["large.md"] != 2 {
		t.Errorf("a large note is read %d times by two that ask", counts["large.md"])
	}
}

// A disk that hangs holds up nobody who has given up.
func TestPagesOfADiskThatHangs(t *testing.T) {
	t.Parallel()
	d, hanging := New(t.TempDir(), nil), make(chan struct{})
	defer close(hanging)
	d.Read = func(*os.Root, string) ([]byte, error) { <-hanging; return nil, nil }
	ctx, cancel := context.WithCancel(t.Context())
	read, end, err := OpenPages(ctx, d, []string{"a.md", "b.md"}, parse)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if read("a.md") != nil {
		t.Error("a note is read of a disk that hangs")
	}
	end()
}
