package journal

import (
	"context"
	"reflect"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
)

// What was put into a note is known from the intention on, and stays what it was
// until a later intention says otherwise.
func TestBlocks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start answered")
	first := note.Block{Text: []byte("<block 1>"), Upper: []byte("above"), Lower: []byte("text")}
	second := note.Block{Text: []byte("<block 2>"), Upper: []byte("\xff"), Lower: []byte("below")}
	must(t, j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: "/v/a.md", Temp: "/t/1", Text: []byte("the note"), Blocks: []note.Block{{Text: []byte("a try before")}, second}}))
	must(t, j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: "/v/a.md", Temp: "/t/2", Blocks: []note.Block{first, {}}}))
	got := get(t, j, d.ID)
	if !reflect.DeepEqual(got.Markers[0].Block, first) || !reflect.DeepEqual(got.Markers[1].Block, second) {
		t.Errorf("blocks %+v and %+v", got.Markers[0].Block, got.Markers[1].Block)
	}
	open, err := j.Swaps(ctx)
	must(t, err)
	if len(open) != 2 || string(open[0].Text) != "the note" || open[1].Text != nil {
		t.Errorf("open swaps %+v", open)
	}
	must(t, j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: "/v/a.md", Temp: "/t/3", Text: make([]byte, maxText+1)}))
	if open, err = j.Swaps(ctx); err != nil || open[2].Text != nil {
		t.Errorf("a note of %d bytes was kept, %v", len(open[2].Text), err)
	}
}

// A merge is recorded in whatever state its dispatch is, and like every swap until
// it is closed.
func TestMerging(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	for _, s := range situations {
		d := bring(t, j, s.path)
		must(t, j.RecordMergeSwap(ctx, Swap{Dispatch: d.ID, Path: "/v/a.md", Temp: d.ID, Text: []byte("base")}))
		if got := get(t, j, d.ID); situation(got) != s.name {
			t.Errorf("%s became %s", s.name, situation(got))
		}
	}
	open, err := j.Swaps(ctx)
	if err != nil || len(open) != len(situations) || string(open[0].Text) != "base" {
		t.Errorf("%d open, %v", len(open), err)
	}
	for _, s := range open {
		must(t, j.CloseSwap(ctx, s.Temp))
	}
	if err := j.RecordMergeSwap(ctx, Swap{Dispatch: "nobody", Temp: "x"}); err == nil {
		t.Error("a merge of no dispatch was recorded")
	}
}

// A dispatch whose answer was written over waits until its time, is written again,
// and counts how often, until a person retries it.
func TestOverwritten(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start answered written")
	unprompted := d
	unprompted.Task = ""
	for file, want := range map[string][]Dispatch{d.File: {unprompted}, "x" + d.File: {}} {
		if written, err := j.WrittenInto(ctx, d.Vault, file); err != nil || !reflect.DeepEqual(written, want) {
			t.Fatalf("written into %s: %+v, %v", file, written, err)
		}
	}
	got, err := j.RequeueOverwritten(ctx, d.ID, []int{1}, later, "an editor")
	must(t, err)
	if got.Reapplied != 1 || !got.NextAttempt.Equal(later) || got.Error != "an editor" || !got.Finished.IsZero() {
		t.Errorf("overwritten: %+v", got)
	}
	claims, err := j.Claims(ctx, d.Vault, d.File)
	if err != nil || len(claims) != 1 || !reflect.DeepEqual(claims[0].Marker.Text, d.Markers[1].Text) {
		t.Errorf("claims %+v, %v", claims, err)
	}
	must(t, act(t, j, d.ID, "start"))
	must(t, j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{3}))
	if got := get(t, j, d.ID); got.Status != Done || got.Reapplied != 1 {
		t.Errorf("written again: %+v", got)
	}
	if _, err := j.RequeueOverwritten(ctx, d.ID, []int{2}, later, ""); err == nil {
		t.Error("a position that is not there was taken")
	}
	must(t, act(t, j, d.ID, "overwrittenForGood"))
	must(t, act(t, j, d.ID, "retry"))
	if got := get(t, j, d.ID); got.Reapplied != 0 || got.Status != Queued || got.Markers[0].Answer != "one" {
		t.Errorf("retried: %+v", got)
	}
}

// What is parked of a note is told apart from what is parked of others, and from what is done.
func TestParkedInANote(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start answered park")
	bring(t, j, "start answered park")
	done := bring(t, j, "start answered written")
	for file, want := range map[string]string{d.File: d.ID, done.File: "", "": ""} {
		found, err := j.ParkedIn(ctx, d.Vault, file)
		must(t, err)
		got := ""
		for _, one := range found {
			got += one.ID
		}
		if got != want {
			t.Errorf("parked in %q is %q, want %q", file, got, want)
		}
	}
	if found, err := j.ParkedIn(ctx, "/elsewhere", d.File); err != nil || len(found) != 0 {
		t.Errorf("in another vault %d are parked, %v", len(found), err)
	}
}

// Twins are the written answers of others in the same vault with the very block, in any line ends.
func TestTwins(t *testing.T) {
	ctx := context.Background()
	j := openNew(t)
	var ids []string
	for i, c := range []struct {
		vault, block string
		undone       bool
	}{{"/v", "a\nb", false}, {"/v", "a\r\nb", false}, {"/v", "a\nb", true}, {"/v", "a\nc", false}, {"/w", "a\nb", false}} {
		file := string('0'+rune(i)) + ".md"
		d, _, err := j.Accept(ctx, Dispatch{Vault: c.vault, File: file, Key: "agent-Miner", Role: "Miner", Trigger: "watch", Status: Queued,
			Markers: []Marker{{Trace: note.Trace{Text: "> @agent-Miner q"}, Instruction: "q"}}}, map[string]int{"> @agent-Miner q": 1})
		must(t, err)
		_, err = j.Start(ctx, d.ID, "builtin", time.Now())
		must(t, err)
		must(t, j.RecordAnswers(ctx, d.ID, []string{"an answer"}))
		must(t, j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: c.vault + "/" + file, Temp: d.ID, Blocks: []note.Block{{Text: []byte(c.block), Upper: []byte("x")}}}))
		must(t, j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{1, byte(i)}))
		if c.undone {
			_, err = j.BeginUndo(ctx, d.ID)
			must(t, err)
			must(t, j.RecordUndone(ctx, d.ID, "", [32]byte{}))
		}
		ids = append(ids, d.ID)
	}
	for i, want := range [][]string{{"1.md"}, {"0.md"}, {"0.md", "1.md"}, nil, nil} {
		twins, err := j.Twins(ctx, get(t, j, ids[i]))
		must(t, err)
		var files []string
		for _, twin := range twins {
			files = append(files, twin.File)
			if string(twin.Block.Upper) != "x" || twin.Hash != [32]byte{1, twin.File[0] - '0'} {
				t.Errorf("%+v", twin)
			}
		}
		if !reflect.DeepEqual(files, want) {
			t.Errorf("%d: %v, want %v", i, files, want)
		}
	}
}

// What a person has taken out of a note is remembered with the answer.
func TestRecordRemoved(t *testing.T) {
	t.Parallel()
	ctx, j := context.Background(), openNew(t)
	d := accept(t, j, "n.md", 2)
	_, err := j.Start(ctx, d.ID, "builtin", time.Now())
	must(t, err)
	must(t, j.RecordAnswers(ctx, d.ID, []string{"one", "two"}))
	must(t, j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: "/vault/n.md", Temp: "/tmp/n", Blocks: []note.Block{{Text: []byte("one")}, {Text: []byte("two")}}}))
	must(t, j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{}))
	d = get(t, j, d.ID)
	for _, at := range []time.Time{time.UnixMilli(1700000000000).UTC(), {}} {
		d.Markers[1].Removed = at
		must(t, j.RecordRemoved(ctx, d))
		if m := get(t, j, d.ID).Markers; !m[0].Removed.IsZero() || !m[1].Removed.Equal(at) || string(m[1].Block.Text) != "two" {
			t.Errorf("want the second one removed since %v: %+v", at, m)
		}
	}
}
