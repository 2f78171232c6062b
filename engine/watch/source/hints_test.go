package source

import (
	"fmt"
	"maps"
	"testing"
)

func gone(yes bool) Hint {
	if yes {
		return Subtree
	}
	return Here
}

func TestHintsCollapse(t *testing.T) {
	h := NewHints()
	for i := range MaxHints {
		h.Add(fmt.Sprintf("d%d/n%d.md", i%3, i), gone(i == 7))
	}
	if paths, all := h.Take(); len(paths) != MaxHints || all || paths["d1/n7.md"] != Subtree || paths["d0/n0.md"] != Here {
		t.Fatalf("%d paths, all %v", len(paths), all)
	}
	for i := range MaxHints + 1 {
		h.Add(fmt.Sprintf("d%d/n%d.md", i%3, i), gone(i == 7))
	}
	want := map[string]Hint{"d0": Here, "d1": Subtree, "d2": Here}
	if paths, all := h.Take(); !maps.Equal(paths, want) || all {
		t.Errorf("notes of three folders collapsed to %v, all %v", paths, all)
	}
	for i := range MaxHints + 1 {
		h.Add(fmt.Sprintf("d%d/n.md", i), Here)
	}
	if paths, all := h.Take(); len(paths) != 0 || !all {
		t.Errorf("as many folders collapsed to %d paths, all %v", len(paths), all)
	}
	for i := range MaxHints + 1 {
		h.Add(fmt.Sprintf("n%d.md", i), Here)
	}
	if paths, all := h.Take(); len(paths) != 0 || !all {
		t.Errorf("notes of the root collapsed to %d paths, all %v", len(paths), all)
	}
}

// That the root went is no detail of "everything".
func TestHintsKeepTheRoot(t *testing.T) {
	h := NewHints()
	h.Add("", Subtree)
	h.AddOverflow()
	h.Add("n.md", Here)
	h.Add("", Here)
	if paths, all := h.Take(); !all || len(paths) != 1 || paths[""] != Subtree {
		t.Errorf("got %v, all %v", paths, all)
	}
	if paths, all := h.Take(); all || len(paths) != 0 {
		t.Errorf("taken twice: %v, all %v", paths, all)
	}
	h.AddAll()
	h.Add("", Subtree)
	if paths, all := h.Take(); !all || paths[""] != Subtree {
		t.Errorf("got %v, all %v", paths, all)
	}
	if h.Overflows() != 1 {
		t.Errorf("%d overflows, want 1", h.Overflows())
	}
}
