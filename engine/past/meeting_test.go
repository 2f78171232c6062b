package past

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Notes without a marker, of which a vault has thousands, leave no row; and the few that start early are counted all the same.
func TestEarlyNotesLeaveNoRows(t *testing.T) {
	m := New(Options{})
	for i := range 100 {
		if !m.StartsEarly(fmt.Sprint(i, ".md"), 0) {
			t.Fatal("a note without a marker waits")
		}
	}
	if m.notes.Len() != 0 {
		t.Errorf("%d rows are kept", m.notes.Len())
	}
	started := 0
	for m.StartsEarly(fmt.Sprint("q", started, ".md"), 1) {
		started++
	}
	if started != Few || m.notes.Len() != started || !m.StartsEarly("0.md", 0) {
		t.Errorf("%d notes start early, %d rows", started, m.notes.Len())
	}
	if !m.StartsEarly("q0.md", 1) || m.StartsEarly("q0.md", 2) {
		t.Error("a note that has started is not counted as it is now")
	}
}

// errKilled is what a journal says of a meeting that it has not recorded.
var errKilled = errors.New("killed")

// unrecorded is a journal that keeps no meeting while it fails.
type unrecorded struct {
	*journal.Journal
	fails bool
}

func (u *unrecorded) RecordMet(ctx context.Context, vault string, now time.Time, pasts []journal.NotePast) error {
	if u.fails {
		return errKilled
	}
	return u.Journal.RecordMet(ctx, vault, now, pasts)
}

// What the notes of others hold when a vault is met stays theirs: also where an earlier look or meeting has kept the lines of the
// note, where it is met as an old note of one's own later, and where the first meeting was cut short.
func TestMeetKeepsWhatIsTheirs(t *testing.T) {
	const theirs, mine, later = "> @agent-Miner theirs\n", "> @agent-Miner mine\n", "> @agent-Miner later\n"
	_, disk := newOnDisk(t)
	j := &unrecorded{Journal: disk.Journal, fails: true}
	restart := func() *Memory { // as the next engine begins
		return New(Options{Journal: j, Root: "/vault", Untrusted: []string{"clips/**"}, IsGone: func(string) bool { return true }, Return: time.Minute})
	}
	waiting := func(m *Memory, rel, src string) (got []bool) {
		t.Helper()
		l, err := m.Read(t.Context(), rel, note.NewPage([]byte(src)), nil)
		if err != nil {
			t.Fatal(err)
		}
		came, err := l.Arrive(t.Context(), Seen{Time: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range l.Doc.Markers {
			got = append(got, came.Holds(q.Text))
		}
		return got
	}
	meet := func(m *Memory, do func(found *Meeting)) (int, error) {
		var found Meeting
		do(&found)
		return m.Meet(t.Context(), time.Now(), found)
	}
	theirNote := func(found *Meeting) { found.AddTheirs("clips/a.md", []byte(theirs), note.Parse([]byte(theirs))) }

	m := restart()
	l, err := m.Read(t.Context(), "clips/a.md", note.NewPage([]byte(theirs)), nil) // a save while the vault is met
	if err == nil {
		err = l.Keep(t.Context())
	}
	if _, failed := meet(m, theirNote); err != nil || !errors.Is(failed, errKilled) {
		t.Fatal(err, failed)
	}
	j.fails = false
	m = restart()
	if n, err := meet(m, theirNote); n != 0 || err != nil {
		t.Fatalf("%d old markers wait, %v", n, err)
	}
	if got := fmt.Sprint(waiting(m, "clips/a.md", theirs+"\n"+mine)); got != "[true false]" {
		t.Errorf("theirs and mine wait: %s", got)
	}

	m = restart() // with a journal of an earlier day the vault is met once more
	old := []byte(theirs + "\n" + mine)
	n, err := meet(m, func(found *Meeting) {
		found.Whole = true
		found.AddOld("clips/a.md", old, note.Parse(old), note.Parse(old).Markers)
	})
	if n != 2 || err != nil {
		t.Fatalf("%d old markers wait, %v", n, err)
	}
	if got := fmt.Sprint(waiting(m, "clips/a.md", string(old)+"\n"+later)); got != "[true false false]" {
		t.Errorf("theirs, mine and a later one wait: %s", got)
	}
}
