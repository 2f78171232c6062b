package proposal

import (
	"strings"
	"testing"
)

// The proof is of what goes and comes: a change elsewhere in the note asks nobody twice, another text does.
func TestSeen(t *testing.T) {
	t.Parallel()
	const asked, answer = "> @agent-Editor! why\n", "because\n"
	note := func(above, text string) []byte { return []byte(above + "a\n\n" + text + "\nb\n") }
	first := Show(note("", asked), note("", answer))
	if first.Diff != "@@ -1,5 +1,5 @@\n a\n \n-> @agent-Editor! why\n+because\n \n b\n" || len(first.Hash) != 32 {
		t.Errorf("shown as %q, proof %q", first.Diff, first.Hash)
	}
	if moved := Show(note("on top\n", asked), note("on top\n", answer)); moved.Hash != first.Hash || moved.Diff == first.Diff {
		t.Errorf("lines above make another proof: %+v", moved)
	}
	const block = "because\n<!-- end -->"
	for name, two := range map[string][2]Shown{
		"the last line below has no line end": {Show([]byte(asked+"b\n"), []byte(answer+"b\n")), Show([]byte(asked+"b"), []byte(answer+"b"))},
		"a line is added below the last one":  {Show([]byte(asked[:len(asked)-1]), []byte(block)), Show([]byte(asked+"b"), []byte(block+"\nb"))},
	} {
		if two[0].Hash != two[1].Hash {
			t.Errorf("%s: another proof: %q, %q", name, two[0].Diff, two[1].Diff)
		}
	}
	for name, other := range map[string]Shown{
		"other words":  Show(note("", asked), note("", "because!\n")),
		"another line": Show(note("", "> @agent-Editor! why not\n"), note("", answer)),
		"CRLF":         Show(note("", asked), note("", "because\r\n")),
		"no line end":  Show([]byte("a\n"+asked), []byte("a\nbecause")),
	} {
		if other.Hash == first.Hash {
			t.Errorf("%s: the same proof", name)
		}
	}
	if same := Show(note("", asked), note("", asked)); same.Diff != "" || same.Hash == "" || same.Hash == first.Hash {
		t.Errorf("nothing changes, and it shows %+v", same)
	}
	if broken := Show([]byte("a\n"), []byte("\xff\n")); !strings.Contains(broken.Diff, "\uFFFD") {
		t.Errorf("bytes that are no text are shown as %q", broken.Diff)
	}
}
