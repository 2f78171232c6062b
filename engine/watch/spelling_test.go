package watch

import (
	"path/filepath"
	"testing"
)

// A hint in another spelling is about the note that is known, also when the folder
// is spelled otherwise; a note that was renamed to another case is followed.
func TestHintsInAnotherSpelling(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "Areas/Caf\u00e9.md"), "before")
	v, s := atRest(t, root)
	s.folding = true
	v.write("Areas/Caf\u00e9.md", "after, and longer")
	must(t, s.lookAtPath(t.Context(), "areas/CAFE\u0301.md", manner{via: ViaNative, basis: basisHint}))
	v.settled()
	if all, _ := v.count("areas/CAFE\u0301.md"); all != 0 || s.snap.notes != 1 {
		t.Errorf("%d notes known, reported as %+v", s.snap.notes, v.events)
	}
	must(t, s.lookAtPath(t.Context(), "areas/new.md", manner{via: ViaNative, basis: basisHint}))
	v.write("Areas/new.md", "new")
	must(t, s.lookAtPath(t.Context(), "areas/new.md", manner{via: ViaNative, basis: basisHint}))
	v.settled()
	if len(s.snap.folders) != 2 {
		t.Errorf("%d folders known", len(s.snap.folders))
	}
}
