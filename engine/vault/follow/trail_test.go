package follow

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/vault/testdata/growth"
)

const (
	ask   = "> @agent-Miner ask"
	yes   = "<!-- agent-response -->\nyes\n<!-- /agent-response -->"
	other = "<!-- agent-response -->\nno\n<!-- /agent-response -->"
)

// folder is a vault that is only in memory, and its journal.
type folder struct {
	*trail
	t     testing.TB
	j     *journal.Journal
	notes map[string]string
	woken []string

	copies map[string]string // and of which note
}

func newFolder(t testing.TB) *folder {
	t.Helper()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	f := &folder{t: t, j: j, notes: make(map[string]string), copies: make(map[string]string)}
	stat := func(rel string) (os.FileInfo, error) { return nil, fs.ErrNotExist }
	f.trail = newTrail(trail{memory: newMemory(time.Second, For), journal: j, root: "/vault", stat: stat,
		isGone: func(rel string) bool { _, there := f.notes[rel]; return !there },
		wake:   func(rel string) { f.woken = append(f.woken, rel) },
		isCopy: func(_ context.Context, rel, of string) (bool, error) { return f.copies[rel] == of, nil }, isBehind: func() bool { return false }})
	return f
}

// answer has a note whose question was answered: the answer, between these lines.
func (f *folder) answer(rel, before, block, after string) {
	f.t.Helper()
	ctx := f.t.Context()
	d := journal.Dispatch{Vault: "/vault", File: rel, Key: "agent-Miner", Role: "Miner", Trigger: "watch", Status: journal.Queued,
		Markers: []journal.Marker{{Trace: note.Trace{Text: ask, Upper: before, Lower: after}, Instruction: "ask"}}}
	d, ok, err := f.j.Accept(ctx, d, map[string]int{ask: 1})
	if err == nil && ok {
		_, err = f.j.Start(ctx, d.ID, "builtin", time.Now())
	}
	for _, step := range []func() error{
		func() error { return f.j.RecordAnswers(ctx, d.ID, []string{"an answer"}) },
		func() error {
			return f.j.RecordSwap(ctx, journal.Swap{Dispatch: d.ID, Path: "/vault/" + rel, Temp: d.ID,
				Blocks: []note.Block{{Text: []byte(block), Upper: []byte(before), Lower: []byte(after)}}})
		},
		func() error { return f.j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{}) },
		func() error { return f.j.CloseSwap(ctx, d.ID) },
	} {
		if err == nil {
			err = step()
		}
	}
	if err != nil || !ok {
		f.t.Fatal(ok, err)
	}
	f.notes[rel] = strings.Join([]string{before, block, after}, "\n\n") + "\n"
}

// move renames a note, and says so.
func (f *folder) move(from, to string) {
	f.notes[to] = f.notes[from]
	delete(f.notes, from)
	f.Went(from)
}

// look returns which note one was; what is known of that goes along.
func (f *folder) look(rel string) string {
	f.t.Helper()
	from, err := f.Find(f.t.Context(), rel, []byte(f.notes[rel]), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if from != "" {
		if _, err := f.j.MoveNote(f.t.Context(), "/vault", from, rel, nil); err != nil {
			f.t.Fatal(err)
		}
		f.Followed(from, rel)
	}
	return from
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(f *folder)
		want string // which note b.md was
	}{
		{"renamed", func(f *folder) { f.answer("a.md", "x", yes, "y"); f.move("a.md", "b.md") }, "a.md"},
		{"edited beside it", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.notes["b.md"] = "new\n" + strings.Replace(f.notes["b.md"], "\ny\n", "\nz\n", 1)
		}, "a.md"},
		{"with other line ends", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.notes["b.md"] = strings.ReplaceAll(f.notes["b.md"], "\n", "\r\n")
		}, "a.md"},
		{"written on", func(f *folder) {
			f.answer("a.md", "", yes, "")
			f.move("a.md", "b.md")
			f.notes["b.md"] += "more\n"
		}, "a.md"},
		{"the answer was edited", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.notes["b.md"] = strings.Replace(f.notes["b.md"], "yes", "yes, I say", 1)
		}, ""},
		{"elsewhere", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.notes["b.md"] = "p\n\n" + yes + "\n\nq\n"
		}, ""},
		{"old text over it, or a note of the same template", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.notes["b.md"] = "x\n\n" + ask + "\n\ny\n"
		}, ""},
		{"old text elsewhere", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.notes["b.md"] = "p\n\n" + ask + "\n\nq\n"
		}, ""},
		{"a copy", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.notes["b.md"] = f.notes["a.md"]
			f.Went("a.md")
		}, ""},
		{"known as a copy", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.copies["b.md"] = "a.md"
			f.move("a.md", "b.md")
		}, ""},
		{"its own answer", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.answer("b.md", "x", yes, "y")
			delete(f.notes, "a.md")
			f.Went("a.md")
		}, ""},
		{"over another note", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.answer("b.md", "p", yes, "q")
			f.move("a.md", "b.md")
		}, "a.md"},
		{"two that fit", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.answer("c.md", "x", yes, "y")
			f.Went("c.md")
			delete(f.notes, "c.md")
			f.move("a.md", "b.md")
		}, ""},
		{"two, and the names decide", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.answer("c/b.md", "x", yes, "y")
			f.Went("a.md")
			delete(f.notes, "a.md")
			f.move("c/b.md", "b.md")
		}, "c/b.md"},
		{"two, and the contents decide", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.answer("c.md", "x", yes, "y")
			f.answer("c.md", "p", other, "q")
			delete(f.notes, "a.md")
			f.Went("a.md")
			f.notes["c.md"] = "x\n\n" + yes + "\n\ny\n\np\n\n" + other + "\n\nq\n"
			f.move("c.md", "b.md")
		}, "c.md"},
		{"twice", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "c.md")
			f.look("c.md")
			f.move("c.md", "b.md")
		}, "c.md"},
		{"too long ago", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.move("a.md", "b.md")
			f.look("c.md")
			time.Sleep(2 * For)
		}, ""},
		{"too long ago for old text", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			time.Sleep(2 * journal.OverwriteFor)
			f.move("a.md", "b.md")
			f.notes["b.md"] = "x\n\n" + ask + "\n\ny\n"
		}, ""},
		{"nobody told", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.Unclaimed("a.md")
			f.move("a.md", "b.md")
			f.pending = nil
			f.Sweep()
		}, "a.md"},
		{"while every note is read", func(f *folder) {
			f.answer("a.md", "x", yes, "y")
			f.notes["b.md"] = f.notes["a.md"]
			delete(f.notes, "a.md")
			if err := f.Begin(f.t.Context(), []string{"b.md", "c.md"}); err != nil {
				f.t.Fatal(err)
			}
			f.look("c.md")
			time.Sleep(2 * For)
			f.look("c.md")
		}, "a.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFolder(t)
				c.do(f)
				if from := f.look("b.md"); from != c.want {
					t.Errorf("it was %q, want %q", from, c.want)
				}
				if c.want != "" && f.Became(c.want) != "b.md" {
					t.Errorf("%s became %q", c.want, f.Became(c.want))
				}
			})
		})
	}
}

// The news that a note went may come after the look at the one it has become, which then is looked at again.
func TestWentAfterwards(t *testing.T) {
	f := newFolder(t)
	f.answer("a.md", "x", yes, "y")
	f.answer("c/a.md", "x", yes, "y")
	f.notes["b.md"] = f.notes["a.md"]
	for rel := range f.notes { // the one that goes has the longest end in common with itself, then with c/a.md
		if from := f.look(rel); from != "" {
			t.Fatalf("%s was %s", rel, from)
		}
	}
	delete(f.notes, "a.md")
	if err := f.Gone(t.Context(), "a.md"); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(f.woken, "b.md") || slices.Contains(f.woken, "a.md") {
		t.Fatalf("looked at again: %q", f.woken)
	}
	if from := f.look("b.md"); from != "a.md" {
		t.Errorf("it was %q", from)
	}
}

// Notes with the same answer that are all gone wake each other no more than once.
func TestGoneNotesRest(t *testing.T) {
	f := newFolder(t)
	names := []string{"a.md", "b.md", "c.md"}
	for _, rel := range names {
		f.answer(rel, "x", yes, "y")
		f.look(rel)
	}
	clear(f.notes)
	f.woken = slices.Clone(names) // the watcher has told of them
	for looks := 0; len(f.woken) > 0; looks++ {
		if looks == 20 {
			t.Fatalf("after %d looks at %d notes, %q are to be looked at again", looks, len(names), f.woken)
		}
		rel := f.woken[0]
		f.woken = f.woken[1:]
		if err := f.Gone(t.Context(), rel); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder is renamed in which all notes have the same answer between the same lines, and as many
// notes get names of their own.
func TestGrowthOfARename(t *testing.T) {
	testmain.Long(t, "it measures what many notes cost")
	growth.Gently(t, 15, func(n int) func() {
		f := newFolder(t)
		for i := range n {
			f.answer(fmt.Sprintf("old/%d/index.md", i), "x", yes, "y")
			f.answer(fmt.Sprintf("%d.md", i), "x", yes, "y")
		}
		return func() {
			for i := range n {
				f.move(fmt.Sprintf("old/%d/index.md", i), fmt.Sprintf("new/%d/index.md", i))
				f.move(fmt.Sprintf("%d.md", i), fmt.Sprintf("as %d.md", i))
			}
			for i := range n {
				f.look(fmt.Sprintf("as %d.md", i))
				if from := f.look(fmt.Sprintf("new/%d/index.md", i)); from != fmt.Sprintf("old/%d/index.md", i) {
					t.Errorf("%d was %q", i, from)
				}
			}
		}
	})
}
