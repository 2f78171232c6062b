package sanitize

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/engine/note/testdata/samples"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/window"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzNote reads any note and answers any of its markers with anything: groups
// lose no marker, bytes outside the answers stay, an answer brings no marker and
// is a response block of its own.
func FuzzNote(f *testing.F) {
	files, _ := filepath.Glob("../testdata/golden/*.txtar")
	for i, file := range files {
		if ar, err := txtar.ParseFile(file); err == nil {
			f.Add([]byte(samples.Unescape.Replace(string(ar.Files[0].Data))), samples.Hostile[i%len(samples.Hostile)], uint64(0xF5A7<<uint(i)))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, answer string, pick uint64) {
		doc := note.Parse(src)
		picked := func(i int) bool { return pick>>(i%64)&1 == 1 }
		if stands(src, doc, picked, answer) {
			checkAnswered(t, src, picked, func(int) string { return answer })
		}
		for _, g := range note.GroupMarkers(doc.Markers) {
			if n := len(window.Cut(src, doc, g, window.Frame{LinesAbove: int(pick % 40), LinesBelow: int(pick % 11), Bytes: int(pick) % 500})); n != len(g.Markers) {
				t.Fatalf("%d windows for %d markers", n, len(g.Markers))
			}
		}
	})
}

// stands is what is asked before any answer is written: where it says no, none is.
func stands(src []byte, doc note.Doc, picked func(i int) bool, answer string) bool {
	var markers []note.Marker
	for i, m := range doc.Markers {
		if picked(i) {
			markers = append(markers, m)
		}
	}
	edits := repliesTo(src, markers, func(int) string { return answer })
	out, err := note.Apply(src, edits)
	return err != nil || note.NewPage(src).KeepsBlocks(note.NewPage(out), edits)
}

// FuzzSanitize puts any answer in every place: it stays in its block, runs and
// loads nothing, and is no other answer the second time.
func FuzzSanitize(f *testing.F) {
	for i, answer := range samples.Hostile {
		if i%fewer != 0 {
			continue
		}
		f.Add(answer, 0)
		f.Add("text "+answer+"\n\n"+answer, 200)
	}
	f.Fuzz(func(t *testing.T, answer string, limit int) {
		checkSanitized(t, answer, 0)
		checkSanitized(t, answer, limit%4096)
		checkPlaces(t, answer)
	})
}

func checkSanitized(t *testing.T, answer string, limit int) {
	t.Helper()
	got := Answer(answer, limit)
	if again := Answer(got, limit); again != got {
		t.Fatalf("limit %d: %q\nonce  %q\ntwice %q", limit, answer, got, again)
	}
	got = Labelled(answer, "a7k", limit)
	if again := Labelled(got, "a7k", limit); again != got {
		t.Fatalf("with a label, limit %d: %q\nonce  %q\ntwice %q", limit, answer, got, again)
	}
	if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' }) {
		t.Fatalf("%q: %q is no clean text", answer, got)
	}
	if limit > 0 && len(got) > max(limit, len("*The answer was longer than 4096 bytes and ends here.*")) {
		t.Fatalf("%d bytes, limit %d", len(got), limit)
	}
}
