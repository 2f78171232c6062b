package journal

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
)

// All that can still be done something with goes along with a renamed note, but claims for which
// there are no lines under the new name.
func TestMoveNote(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	var steps []string
	j.OnStep(func(step string, d Dispatch) {
		if step == "moved" {
			steps = append(steps, d.File)
		}
	})
	for _, id := range []string{"done", "parked"} {
		d, _ := group("a.md", 0)
		d.ID = id
		answerOne(t, j, d, "question", "answer", id == "parked")
	}
	ended := accept(t, j, "a.md", 1)
	must(t, j.Cancel(ctx, ended.ID, "changed"))
	claim := func(file, text string) string {
		t.Helper()
		d, _ := group(file, 0)
		d.Markers = []Marker{{Trace: note.Trace{Text: text}}}
		d, ok, err := j.Accept(ctx, d, map[string]int{text: 9})
		if must(t, err); !ok {
			t.Fatal("not accepted")
		}
		return d.ID
	}
	waiting, failed, lost := claim("a.md", "> @agent-Miner one"), claim("a.md", "> @agent-Miner two"), claim("a.md", "> @agent-Miner lost")
	_, err := j.Start(ctx, failed, "r", time.Now())
	must(t, err)
	must(t, j.Fail(ctx, failed, "why"))
	theirs := claim("b.md", "> @agent-Miner two")
	other := claim("c.md", "> @agent-Miner one")

	// The second line is another's already.
	gone, err := j.MoveNote(ctx, "/vault", "a.md", "b.md", map[string]int{"> @agent-Miner one": 1, "> @agent-Miner two": 1})
	must(t, err)
	var ids []string
	for _, d := range gone {
		ids = append(ids, d.ID)
	}
	if want := []string{"done", "parked", waiting}; !slices.Equal(ids, want) {
		t.Errorf("%q went along, want %q", ids, want)
	}
	if fmt.Sprint(steps) != "[b.md b.md b.md]" {
		t.Errorf("told of %q", steps)
	}
	for id, want := range map[string]string{"done": "b.md", "parked": "b.md", ended.ID: "a.md", waiting: "b.md", failed: "a.md", lost: "a.md", theirs: "b.md", other: "c.md"} {
		if d, err := j.Get(ctx, id); err != nil || d.File != want {
			t.Errorf("%s is of %s, want %s: %v", id, d.File, want, err)
		}
	}
	if written, err := j.WrittenInto(ctx, "/vault", "b.md"); err != nil || len(written) != 1 {
		t.Errorf("%d answers there, %v", len(written), err)
	}
	for since, want := range map[time.Duration]int{time.Hour: 1, -time.Hour: 0} {
		if files, err := j.AnsweredIn(ctx, "/vault", time.Now().Add(-since)); err != nil || len(files) != want || want > 0 && files[0] != "b.md" {
			t.Errorf("answered since %v: %q, %v", since, files, err)
		}
	}
}
