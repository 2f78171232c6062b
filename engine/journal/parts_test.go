package journal

import "testing"

// What an agent says with a NUL in it is kept whole, and no NUL reaches the journal.
func TestPartsHoldNoNUL(t *testing.T) {
	j := openNew(t)
	d := accept(t, j, "a.md", 1)
	for said, want := range map[string]string{"a\x00b": "a\ufffdb", "\x00": "\ufffd", "plain": "plain", "": ""} {
		if err := j.KeepPart(t.Context(), d.ID, "x", said); err != nil {
			t.Fatal(err)
		}
		if got, err := j.Part(t.Context(), d.ID, "x"); err != nil || got != want {
			t.Errorf("%q is kept as %q, %v", said, got, err)
		}
	}
}
