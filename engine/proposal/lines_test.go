package proposal

import (
	"strings"
	"testing"
)

// show writes lines with their changed words in braces.
func show(lines []Line) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line.Kind[:1] + line.Sign + " ")
		for _, p := range line.Parts {
			if p.Changed {
				p.Text = "{" + p.Text + "}"
			}
			b.WriteString(p.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ diff, want string }{
		"a word":        {"@@ -1,2 +1,2 @@\n a\n-we meet on Friday at nine\n+we meet on Monday at nine\n", "p line 1\na a\nr- we meet on {Friday} at nine\na+ we meet on {Monday} at nine\n"},
		"other lines":   {"-one two three\n+four five six\n", "r- one two three\na+ four five six\n"},
		"an answer":     {"-> @agent-Editor! why\n+<!-- agent-response -->\n+because\n", "r- > @agent-Editor! why\na+ <!-- agent-response -->\na+ because\n"},
		"lines moved":   {"-one two\n-three four\n+one two three\n+four\n", "r- one two\nr- {three} four\na+ one two {three}\na+ four\n"},
		"pairs apart":   {"-a b\n+a c\n x\n-a d\n+a e\n", "r- a {b}\na+ a {c}\na x\nr- a {d}\na+ a {e}\n"},
		"words of many": {"-die Größe und é\n+die Größe, und e\u0301\n", "r- die Größe und {é}\na+ die Größe{,} und {e\u0301}\n"},
		"CRLF and ends": {"-a b\r\n\\ No newline at end of file\n+a c\r\n", "r- a b\np \\ No newline at end of file\na+ a c\n"},
		"nothing":       {"", ""},
	} {
		if got := show(Lines(c.diff)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Whatever a diff holds, its lines are shown whole and in their order, marked or not.
func FuzzLines(f *testing.F) {
	f.Add("-a b\n+a c\n")
	f.Add("@@ -1 +1 @@\n \n-\xff\n+\xff \n+")
	f.Fuzz(func(t *testing.T, diff string) {
		lines := Lines(diff)
		i := 0
		for want := range strings.Lines(diff) {
			want = strings.TrimRight(want, "\r\n")
			var got strings.Builder
			for _, p := range lines[i].Parts {
				got.WriteString(p.Text)
			}
			switch lines[i].Kind {
			case "place":
				want = placeOf(want)
			case "around":
				want = want[1:]
			}
			if lines[i].Sign+got.String() != want {
				t.Fatalf("line %d is %q, want %q", i, lines[i].Sign+got.String(), want)
			}
			i++
		}
		if i != len(lines) {
			t.Fatalf("%d lines of %d", len(lines), i)
		}
	})
}
