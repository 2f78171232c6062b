package note

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/note/testdata/samples"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

var escape = strings.NewReplacer("\r", "␍", "\x00", "␀", "\t", "␉", "\xEF\xBB\xBF", "⟦BOM⟧", "\xFF", "⟦FF⟧")

func spelled(b []byte) string {
	s := escape.Replace(string(b))
	if !strings.HasSuffix(s, "\n") {
		s += "␄\n"
	}
	return s
}

// TestGolden reads each note of testdata/golden, says what is found in it and
// answers every marker.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden notes: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for _, f := range ar.Files {
		want[f.Name] = string(f.Data)
	}
	src := []byte(samples.Unescape.Replace(want["note"]))
	doc := Parse(src)
	got := map[string]string{"found": found(src, doc), "result": spelled(answerAll(t, src, doc))}
	if *update {
		ar.Files = []txtar.File{{Name: "note", Data: []byte(want["note"])}, {Name: "found", Data: []byte(got["found"])}, {Name: "result", Data: []byte(got["result"])}}
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, text := range got {
		if text != want[name] {
			t.Errorf("%s is\n%s\nwant\n%s", name, text, want[name])
		}
	}
}

func found(src []byte, doc Doc) string {
	var b strings.Builder
	for _, m := range doc.Markers {
		fmt.Fprintf(&b, "marker %d%s %s #%d %q %q: %s\n", m.Line, spread(m), m.Key(), m.Ordinal, m.First, m.Rest, strings.ReplaceAll(m.Instruction, "\n", " / "))
	}
	for _, m := range doc.Misses {
		fmt.Fprintf(&b, "miss %d %s\n", m.Line, m.Reason)
	}
	for _, s := range doc.Blocks {
		fmt.Fprintf(&b, "block %d-%d\n", newText(src).lineAt(s.Start)+1, newText(src).lineAt(max(s.Start, s.End-1))+1)
	}
	if doc.Disabled {
		b.WriteString("off\n")
	}
	if doc.Unclosed > 0 {
		fmt.Fprintf(&b, "unclosed %d\n", doc.Unclosed)
	}
	return b.String()
}

// spread tells of a question of several lines where it ends, and where what is asked does.
func spread(m Marker) string {
	switch {
	case m.Asked > m.Ends:
		return fmt.Sprintf("-%d(-%d)", m.Ends, m.Asked)
	case m.Ends > m.Line:
		return fmt.Sprintf("-%d", m.Ends)
	}
	return ""
}

// answerAll answers every marker with the same two paragraphs.
func answerAll(t testing.TB, src []byte, doc Doc) []byte {
	t.Helper()
	answers := make([]string, len(doc.Markers))
	for i := range answers {
		answers[i] = fmt.Sprintf("Answer %d.\n\nMore.", i+1)
	}
	out, err := Apply(src, Replies(NewPage(src), doc.Markers, answers))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
