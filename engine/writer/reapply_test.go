package writer

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// wrote is a done dispatch that answered these markers of a note.
func wrote(t *testing.T, id, src string, answer string, at ...int) (journal.Dispatch, string) {
	t.Helper()
	d := journal.Dispatch{ID: id, Status: journal.Done}
	markers := note.Parse([]byte(src)).Markers
	var edits []note.Edit
	for _, i := range at {
		m := markers[i]
		e := note.Respond([]byte(src), m, answer+"\n"+id)
		edits = append(edits, e)
		d.Markers = append(d.Markers, journal.Marker{
			Trace: m.Trace(), Written: true,
			Block: note.Block{Text: e.New, Upper: []byte(m.Upper), Lower: []byte(m.Lower)},
		})
	}
	next, err := note.Apply([]byte(src), edits)
	if err != nil {
		t.Fatal(err)
	}
	return d, string(next)
}

func TestOverwritten(t *testing.T) {
	const q = "> @agent-A q\n"
	const base = "one\n\n" + q + "\ntwo\n\n> @agent-A r\n\nthree\n"
	d, written := wrote(t, "d", base, "yes", 0, 1)
	block := "<!-- agent-response -->\nyes\nd\n<!-- /agent-response -->\n"
	for name, c := range map[string]struct {
		now  string
		lost []int
		rest int
	}{
		"nothing":                    {written, nil, 0},
		"the old text":               {base, []int{0, 1}, 0},
		"and more at the end":        {base + "\nfour\n", []int{0, 1}, 0},
		"with one neighbour edited":  {strings.Replace(base, "two", "two and a half", 1), []int{0, 1}, 0},
		"with windows line ends":     {strings.ReplaceAll(base, "\n", "\r\n"), []int{0, 1}, 0},
		"only one of two":            {strings.Replace(base, "> @agent-A r\n", block, 1), []int{0}, 0},
		"asked again below":          {written + "\n" + q, nil, 1},
		"beside the edited answer":   {strings.Replace(written, "yes\nd\n<!-- /agent-response -->\n", "yes, I say\n<!-- /agent-response -->\n"+q, 1), nil, 1},
		"above the edited answer":    {strings.Replace(strings.Replace(written, "yes\n", "no\n", 1), "one\n\n", "one\n\n"+q, 1), nil, 1},
		"elsewhere, the answer gone": {"other\n\n" + q + "\nplace\n", nil, 1},
		"another question":           {strings.Replace(base, "q\n", "quite another\n", 1), []int{1}, 1},
		"twice, one where it stood":  {base + "\n" + q, []int{0, 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			markers := note.Parse([]byte(c.now)).Markers
			lost, rest := findOverwritten(find.NewText([]byte(c.now)), markers, []journal.Dispatch{d})
			if !slices.Equal(lost["d"], c.lost) || len(rest) != c.rest {
				t.Errorf("lost %v and %d left, want %v and %d, in\n%s", lost, len(rest), c.lost, c.rest, c.now)
			}
			for _, m := range rest {
				if !slices.Contains(markers, m) {
					t.Errorf("%+v is none of the note's", m)
				}
			}
		})
	}
}

// Of two dispatches each gets its own line back.
func TestOverwrittenOfTwo(t *testing.T) {
	const base = "> @agent-A q\n\nmiddle\n\n> @agent-A q\n"
	first, _ := wrote(t, "first", base, "same", 0)
	second, _ := wrote(t, "second", base, "same", 1)
	lost, rest := findOverwritten(find.NewText([]byte(base)), note.Parse([]byte(base)).Markers, []journal.Dispatch{second, first})
	if len(rest) != 0 || !maps.EqualFunc(lost, map[string][]int{"first": {0}, "second": {0}}, slices.Equal) {
		t.Errorf("lost %v, %d left", lost, len(rest))
	}
}

func TestReapplyAt(t *testing.T) {
	now := time.Now()
	for n, want := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second} {
		if got := timeToReapply(now, n); got.Sub(now) != want {
			t.Errorf("after %d: in %v, want %v", n, got.Sub(now), want)
		}
	}
	if got := timeToReapply(now, 5); !got.IsZero() {
		t.Errorf("a sixth time: %v", got)
	}
}

// Of many notes that went back no answer is written in again, however old it is: those that
// already waited for that are held when it is known, the others at once. Of a few, old
// questions are asked again. What is held ends when its answer is back.
func TestReapplyManyNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const question = "> @agent-Miner one\n"
		why := ""
		k := newDesk(t, func(context.Context, journal.Dispatch, int) error { return nil })
		defer k.close()
		k.opts.Engine = quietEngine{whyBack: func() string { return why }}
		write := func(file string) (d journal.Dispatch, block string) {
			d = k.answered(file, "one")
			block = string(note.Respond([]byte(question), note.Parse([]byte(question)).Markers[0], "an answer").New)
			if err := k.opts.Journal.RecordSwap(t.Context(), journal.Swap{Dispatch: d.ID, Path: "/v/" + file, Temp: "/v/.vault-mind/tmp/" + file, Blocks: []note.Block{{Text: []byte(block)}}}); err != nil {
				t.Fatal(err)
			}
			if err := k.opts.Journal.RecordWritten(t.Context(), d.ID, []int{0}, [32]byte{}); err != nil {
				t.Fatal(err)
			}
			return k.get(d.ID), block
		}
		back := func(file string) (rest int, some bool) {
			free, some, err := k.Reapply(t.Context(), "/v", file, []byte(question), note.Parse([]byte(question)).Markers, func() string { return why })
			if err != nil {
				t.Fatal(err)
			}
			return len(free), some
		}
		old, block := write("old.md")
		other, _ := write("other.md")
		wait(time.Hour)
		waits, _ := write("new.md")
		if rest, some := back("new.md"); rest != 0 || !some {
			t.Errorf("what was just written over: %d left, %v", rest, some)
		}
		if rest, some := back("old.md"); rest != 1 || some {
			t.Errorf("one old question: %d left, %v", rest, some)
		}
		why = "many notes went back"
		if rest, some := back("old.md"); rest != 0 || !some {
			t.Errorf("one of many: %d left, %v", rest, some)
		}
		wait(time.Minute)
		k.want(waits.ID, journal.Held, why)
		k.want(old.ID, journal.Held, why)
		k.want(other.ID, journal.Done, "")
		claims, err := k.opts.Journal.Claims(t.Context(), "/v", "old.md")
		if err != nil || len(claims) != 1 {
			t.Fatal(claims, err)
		}
		for _, c := range []struct {
			now  string
			left int
		}{{"other words\n", 1}, {block, 0}} {
			if left, err := k.Restore(t.Context(), []byte(c.now), claims); err != nil || len(left) != c.left {
				t.Errorf("with %q: %d claims, %v", c.now, len(left), err)
			}
		}
		k.want(old.ID, journal.Done, "")
		if len(k.tried) > 0 {
			t.Errorf("tried %q", k.tried)
		}
	})
}

// A person who has taken an answer out and types its question again asks anew, also where another engine has seen only one of both.
func TestRemovedBeforeARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newDesk(t, func(context.Context, journal.Dispatch, int) error { return nil })
		defer k.close()
		const question = "> @agent-Miner one\n"
		d := k.answered("n.md", "one")
		block := note.Respond([]byte(question), note.Parse([]byte(question)).Markers[0], "an answer").New
		swap := journal.Swap{Dispatch: d.ID, Path: "/v/n.md", Temp: "/v/.vault-mind/tmp/n", Blocks: []note.Block{{Text: block}}}
		if err := k.opts.Journal.RecordSwap(t.Context(), swap); err != nil {
			t.Fatal(err)
		}
		if err := k.opts.Journal.RecordWritten(t.Context(), d.ID, []int{0}, [32]byte{}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			src  string
			left int // questions that are asked
		}{{string(block) + "\n", 0}, {"other words\n", 0}, {question, 1}} {
			wait(time.Second)
			w := New(k.opts) // of an engine that has just begun
			if err := w.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			free, _, err := w.Reapply(t.Context(), "/v", "n.md", []byte(c.src), note.Parse([]byte(c.src)).Markers, func() string { return "" })
			if err != nil || len(free) != c.left {
				t.Errorf("of %q %d are asked, want %d; %v", c.src, len(free), c.left, err)
			}
		}
	})
}
