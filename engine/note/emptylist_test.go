package note_test

import (
	"testing"

	"vaultdispatcher/engine/note"
)

// TestQuestionAboveEmptyList: whoever has just begun the list of a question, and saves,
// has asked that question. An empty list has no line of text.
func TestQuestionAboveEmptyList(t *testing.T) {
	for _, list := range []string{"-", "- ", "+\n", "1.\n", "\n* ", "\n- \n- \n", "> - ", "- >"} {
		src := "> @agent-Miner compare these:\n" + list
		markers := note.Parse([]byte(src)).Markers
		if len(markers) != 1 || markers[0].Line != 1 {
			t.Errorf("%q: %d markers", src, len(markers))
			continue
		}
		if m := markers[0]; m.Instruction != "compare these:" || m.Ends != 1 {
			t.Errorf("%q: asked is %q, replaced to line %d", src, m.Instruction, m.Ends)
		}
	}
}

// TestFaultOfReading: a note that makes the reading fail is left alone, and told about.
func TestFaultOfReading(t *testing.T) {
	doc := note.NewPage([]byte("text\n\n> @agent-Miner what?\n")).Cut(func(note.Marker) int { panic("a fault") })
	if len(doc.Markers) != 0 || doc.Fault != "a fault" {
		t.Errorf("%+v", doc)
	}
	if len(doc.Misses) != 1 || doc.Misses[0].Line != 3 || doc.Misses[0].Reason != note.Unreadable {
		t.Errorf("told is %+v", doc.Misses)
	}
}
