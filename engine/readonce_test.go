package engine

import (
	"bytes"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/note"
)

// A note with a question is read once by each that takes its bytes from the disk: by the look, from its first step to the record
// that the journal accepts; by the writer, who reads the new version once as well, before any other program sees it; and by the
// index, later. No other room reads what these have read.
func TestNoteIsReadOnce(t *testing.T) {
	const own = "> my own words, read once\n"
	var mu sync.Mutex // guards all below
	reads, rooms := make(map[*byte]int), make(map[string]bool)
	count := func(src []byte) {
		if bytes.Contains(src, []byte(own)) {
			mu.Lock()
			defer mu.Unlock()
			room := readingRoom()
			if rooms[room] = true; reads[&src[0]] > 0 {
				t.Errorf("%s reads a note that was read:\n%s", room, src)
			}
			reads[&src[0]]++
		}
	}
	note.OnRead = count
	defer func() { note.OnRead = func([]byte) {} }()
	r := startMet(t, t.TempDir(), &echoes{})
	scan := func() {
		if _, err := r.Scan(t.Context(), r.Roots()[0], "n.md", true); err != nil {
			t.Fatal(err)
		}
	}
	r.save("n.md", own)
	scan()
	r.save("n.md", "---\ntags: [a]\n---\n# Head\n\n> @agent-Miner what about\n"+own+"\nand\n\n> @agent-Miner:b what else?\n")
	scan()
	r.until("n.md", "answer to what else")
	if after := r.until("n.md", "answer to what about"); !strings.Contains(after, "\n"+own) {
		t.Errorf("the words of a person are gone:\n%s", after)
	}
	r.stop()
	delete(rooms, "recall")
	if who := slices.Sorted(maps.Keys(rooms)); !slices.Equal(who, []string{"past", "rewrite"}) {
		t.Errorf("the note was read by %q", who)
	}
}

// readingRoom is the room that has had a note read, for itself or by engine/recall/page.
func readingRoom() string {
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for {
		f, more := frames.Next()
		if _, in, ok := strings.Cut(f.Function, "vaultdispatcher/engine/"); ok && !strings.HasPrefix(in, "note.") && !strings.HasPrefix(in, "recall/page.") {
			room, _, _ := strings.Cut(in, ".")
			return room
		}
		if !more {
			return ""
		}
	}
}
