package find

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

func TestFindLines(t *testing.T) {
	for name, c := range map[string]struct {
		src, block string
		want       []string // the bytes that were found
	}{
		"none":              {"a\nb\n", "c", nil},
		"empty block":       {"a\n", "", nil},
		"empty note":        {"", "a", nil},
		"once":              {"a\nb\nc\n", "b", []string{"b"}},
		"no part of a line": {"ab\nb c\n", "b", nil},
		"several lines":     {"x\na\nb\nx\na\nb", "a\nb", []string{"a\nb", "a\nb"}},
		"not overlapping":   {"a\na\na\n", "a\na", []string{"a\na"}},
		"other line ends":   {"x\r\na\r\nb\r\n", "a\nb", []string{"a\r\nb"}},
		"byte order mark":   {"\ufeffa\nb\n", "a", []string{"a"}},
		"trailing space":    {"a \n", "a", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, s := range FindLines([]byte(c.src), []byte(c.block)) {
				got = append(got, c.src[s.Start:s.End])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// What Respond puts in a note is found there, and putting the marker's line in its
// place gives the note as it was, byte for byte.
func TestRespondAndBack(t *testing.T) {
	from, n := testseed.Take(t), 0
	for i := range 1000 / samples.Fewer {
		src := samples.Note(rand.New(rand.NewPCG(from, uint64(i))))
		for _, m := range note.Parse(src).Markers {
			n++
			edit := note.Respond(src, m, fmt.Sprintf("answer %d\n\n- with a list", n))
			next, err := note.Apply(src, []note.Edit{edit})
			if err != nil {
				t.Fatal(err)
			}
			runs := FindLines(next, edit.New)
			if len(runs) != 1 {
				t.Fatalf("the block stands %d times in %q", len(runs), next)
			}
			back, err := note.Apply(next, []note.Edit{{Span: runs[0], New: []byte(m.Text)}})
			if err != nil || !bytes.Equal(back, src) {
				t.Fatalf("back: %v\n%q, want\n%q", err, back, src)
			}
			if before, after := NearestLines(next, runs[0]); before != m.Upper || after != m.Lower {
				t.Fatalf("around: %q and %q, want %q and %q", before, after, m.Upper, m.Lower)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d markers were drawn", n)
	}
}

// Neighbours are remembered by little, and told apart by all of it.
func TestLongNeighboursAreRemembered(t *testing.T) {
	long := strings.Repeat("QUJD", 500_000)
	src := "![](data:image/png;base64," + long + ")\n> @agent-Miner q\n\n" + long + "\n"
	m := note.Parse([]byte(src)).Markers[0]
	if len(m.Upper) > 4<<10 || len(m.Lower) > 4<<10 {
		t.Fatalf("%d and %d bytes", len(m.Upper), len(m.Lower))
	}
	other := note.Parse([]byte(strings.Replace(src, "QUJD)", "QUJE)", 1))).Markers[0]
	if m.Upper == other.Upper || m.Lower != other.Lower {
		t.Error("another line is the same neighbour, or the same line another")
	}
	before, after := NearestLines([]byte(src), m.Span)
	if before != m.Upper || after != m.Lower {
		t.Error("a neighbour is remembered in two ways")
	}
}
