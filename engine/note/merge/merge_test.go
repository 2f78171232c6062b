package merge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

func TestMerge(t *testing.T) {
	const base = "a\nb\nc\nd\ne\n"
	for name, c := range map[string]struct {
		base, a, b, want string // want "" = not clean
	}{
		"nothing":                  {base, base, base, base},
		"one side":                 {base, "a\nb\nX\nd\ne\n", base, "a\nb\nX\nd\ne\n"},
		"the other":                {base, base, "b\nc\nd\ne\nf\n", "b\nc\nd\ne\nf\n"},
		"both, apart":              {base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\ne\nf\n", "A\nb\nc\nd\ne\nf\n"},
		"both the same":            {base, "a\nb\nX\nd\ne\n", "a\nb\nX\nd\ne\n", "a\nb\nX\nd\ne\n"},
		"both, in one place":       {base, "a\nb\nX\nd\ne\n", "a\nb\nY\nd\ne\n", ""},
		"both add in one place":    {base, base + "X\n", base + "Y\n", ""},
		"both add the same":        {base, base + "X\n", base + "X\n", base + "X\n"},
		"beside each other":        {base, "a\nb\nX\nd\ne\n", "a\nb\nc\nY\nd\ne\n", "a\nb\nX\nY\nd\ne\n"},
		"edited and removed":       {base, "a\nb\nX\nd\ne\n", "a\nb\nd\ne\n", ""},
		"no last line end":         {"a\nb", "a\nb\nX", "A\nb", "A\nb\nX"},
		"a last line in the midst": {"a\nb\n", "a\nX", "a\nb\nc\n", ""},
		"from nothing":             {"", "a\n", "", "a\n"},
		"emptied":                  {base, "", base, "\x00"},
		"windows line ends":        {"a\r\nb\r\n", "A\r\nb\r\n", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n"},
		"byte order mark":          {"\ufeffa\nb\n", "\ufeffa\nb\nc\n", "\ufeffA\nb\n", "\ufeffA\nb\nc\n"},
		"an answer and a save":     {"x\n> @agent-A q\n", "x\n<!-- agent-response -->\ny\n<!-- /agent-response -->\n", "x\n> @agent-A q\nmore\n", "x\n<!-- agent-response -->\ny\n<!-- /agent-response -->\nmore\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Lines([]byte(c.base), []byte(c.a), []byte(c.b))
			if want := strings.Trim(c.want, "\x00"); ok != (c.want != "") || ok && string(got) != want {
				t.Errorf("%q, %v; want %q", got, ok, c.want)
			}
			turned, okTurned := Lines([]byte(c.base), []byte(c.b), []byte(c.a))
			if okTurned != ok || string(turned) != string(got) && ok {
				t.Errorf("the sides do not count the same: %q, %v", turned, okTurned)
			}
		})
	}
}

// A clean merge holds every line that one side has added, once, and none that one
// has removed; what both sides did the same it holds once.
func TestMergeLosesNothing(t *testing.T) {
	from := testseed.Take(t)
	clean, tries := 0, 5000
	for i := range tries {
		r := rand.New(rand.NewPCG(from, uint64(i)))
		var base []string
		for n := range r.IntN(30) {
			base = append(base, fmt.Sprintf("base %d\n", n))
		}
		ours, addedOurs, removedOurs := randomEdits(r, base, "ours")
		theirs, addedTheirs, removedTheirs := randomEdits(r, base, "theirs")
		if r.IntN(4) == 0 {
			theirs, addedTheirs, removedTheirs = ours, nil, nil
		}
		merged, ok := Lines([]byte(strings.Join(base, "")), []byte(strings.Join(ours, "")), []byte(strings.Join(theirs, "")))
		if !ok {
			continue
		}
		clean++
		got := slices.Collect(strings.Lines(string(merged)))
		for _, line := range slices.Concat(addedOurs, addedTheirs) {
			if n := strings.Count(string(merged), line); n != 1 {
				t.Errorf("case %d: %q is there %d times", i, line, n)
			}
		}
		for _, line := range slices.Concat(removedOurs, removedTheirs) {
			if slices.Contains(got, line) {
				t.Errorf("case %d: %q was removed and is there", i, line)
			}
		}
		want := len(base) + len(addedOurs) + len(addedTheirs)
		for _, line := range base {
			if slices.Contains(removedOurs, line) || slices.Contains(removedTheirs, line) {
				want--
			}
		}
		if len(got) != want {
			t.Errorf("case %d: %d lines, want %d", i, len(got), want)
		}
		if t.Failed() {
			t.Fatalf("base %q\nours %q\ntheirs %q\nmerged %q", base, ours, theirs, got)
		}
	}
	t.Logf("%d of %d were clean", clean, tries)
	if clean < tries/5 || clean == tries {
		t.Error("one kind of case was hardly seen")
	}
}

// randomEdits adds lines of its own to a text and removes some.
func randomEdits(r *rand.Rand, base []string, who string) (text, added, removed []string) {
	for n := 0; n <= len(base); n++ {
		if r.IntN(12) == 0 {
			line := fmt.Sprintf("%s %d\n", who, n)
			text, added = append(text, line), append(added, line)
		}
		if n == len(base) {
			break
		}
		if r.IntN(15) == 0 {
			removed = append(removed, base[n])
			continue
		}
		text = append(text, base[n])
	}
	return text, added, removed
}

// What is too much work is said to be none, and soon.
func TestMergeGivesUp(t *testing.T) {
	var a, b strings.Builder
	for i := range 3 * mostChanges {
		fmt.Fprintf(&a, "old %d\n", i)
		fmt.Fprintf(&b, "new %d\n", i)
	}
	if _, ok := Lines([]byte(a.String()), []byte(b.String()), []byte(a.String())); ok {
		t.Error("more changes were made than there may be")
	}
}
