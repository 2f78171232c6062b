package follow

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/noteindex"
)

const few = 8 // notes with the same answer that are compared

// trail remembers which notes went lately, and the answers of the notes that were looked at. With
// both it finds the former note of a note.
//
// A note that is still there was not renamed, so a copy is no rename, nor is a note that was
// known as a copy before the other went. A note that is gone is the former one if an answer of it
// that the journal knows is in the other note, with its neighbours, and is no answer of that
// note's own. A question alone is no sign: the note may be made from the same template. If
// several notes fit, the names decide, the longest common end first, then how much fits; if two
// still fit, neither is taken. The cost of a look does not grow with the number of notes that
// went.
type trail struct {
	*memory
	journal  Journal
	root     string
	isGone   func(rel string) bool // reports whether there is no note at a path any more
	stat     func(rel string) (os.FileInfo, error)
	wake     func(rel string)                                        // has a note looked at again
	isCopy   func(ctx context.Context, rel, of string) (bool, error) // reports whether a note was known as a copy of another
	isBehind func() bool                                             // reports whether notes that have changed are not looked at in time

	pending    []string         // notes that the journal was not asked about yet
	departures *noteindex.Index // those with answers
	arrivals   *noteindex.Index // notes that were looked at
	follows    *noteindex.Index // renamed notes
	answered   *noteindex.Index // notes that had claims, when they were found to have none
	sweepTime  time.Time        // when these were looked for last
	reading    bool             // every note is being read: nothing is forgotten meanwhile
}

func newTrail(t trail) *trail {
	t.departures, t.arrivals, t.follows, t.answered = noteindex.New(), noteindex.New(), noteindex.New(), noteindex.New()
	return &t
}

// Begin is called before every note is read once, with all there are: the others went, as
// far as one of their answers can be undone.
func (t *trail) Begin(ctx context.Context, notes []string) error {
	there := noteindex.SetOf(notes)
	answered, err := t.journal.AnsweredIn(ctx, t.root, time.Now().Add(-journal.UndoFor))
	for _, rel := range answered {
		if !there[rel] {
			t.Went(rel)
		}
	}
	t.reading = true
	return err
}

// End is called when every note was read once.
func (t *trail) End() { t.reading = false }

// Went says that a note seems to be gone.
func (t *trail) Went(rel string) { t.pending = append(t.pending, rel) }

// Gone is Went for a note that was found to be gone. It is no note that came any more: two with
// the same answer that are both gone would have each other looked at for ever.
func (t *trail) Gone(ctx context.Context, rel string) error {
	t.arrivals.Drop(rel)
	t.Went(rel)
	return t.readWent(ctx, rel, time.Now())
}

// Unclaimed says that a note has no claims any more.
func (t *trail) Unclaimed(rel string) { t.answered.PutAt(rel, anyNote, time.Now()) }

// anyNote are the keys of a note whose text does not matter.
var anyNote = []string{""}

// Sweep looks for notes that went without any news, among those that were answered lately. A
// sweep through many notes starts again no sooner than it may have taken.
func (t *trail) Sweep() {
	n, now := t.answered.Len(), time.Now()
	if n > few && now.Sub(t.sweepTime) < time.Duration(n)*sweepTime {
		return
	}
	t.sweepTime = now
	t.answered.DropOlder(now.Add(-journal.OverwriteFor))
	for rel := range t.answered.With(anyNote[0], "") {
		if t.isGone(rel) {
			t.Went(rel)
		}
	}
}

// Find returns which note that is gone this one was, or nothing. claims are those on the note;
// while answers of its own are being written it has been none.
func (t *trail) Find(ctx context.Context, rel string, src []byte, claims []journal.Claim) (string, error) {
	now := time.Now()
	if !t.reading {
		keep := t.lookFor
		if t.isBehind() {
			keep = max(keep, AtMost)
		}
		t.arrivals.DropOlder(now.Add(-keep))
		for _, gone := range t.departures.DropOlder(now.Add(-keep)) {
			t.setPlaces(gone, nil)
		}
	}
	stand := findBlocks(src)
	if !t.reading {
		t.arrivals.PutAt(rel, keysOf(stand), now)
	}
	if err := t.readWent(ctx, rel, now); err != nil || t.departures.Len() == 0 {
		return "", err
	}
	for _, c := range claims {
		if c.Answered {
			return "", nil
		}
	}
	var own []place
	read := false
	var failed error
	from := t.departures.FindBest(rel, keysOf(stand), few, func(gone string) int {
		if gone == rel || failed != nil || !t.hasBecome(gone, rel) {
			return 0
		}
		if !read {
			read = true
			own, failed = t.readPlaces(ctx, rel)
		}
		if isCopy, err := t.isCopy(ctx, rel, gone); isCopy || err != nil {
			failed = errors.Join(failed, err)
			return 0
		}
		return countAlike(t.Of(gone).places, stand, own)
	})
	return from, failed
}

// hasBecome reports whether a note is gone, or there only as the other one: where case does not
// count, it still answers to its old name.
func (t *trail) hasBecome(rel, now string) bool {
	if strings.EqualFold(rel, now) {
		a, err := t.stat(rel)
		b, there := t.stat(now)
		if err == nil && there == nil {
			return os.SameFile(a, b)
		}
	}
	return t.isGone(rel)
}

// readWent reads the answers of the notes that went, and schedules another look at notes that may
// have them now.
func (t *trail) readWent(ctx context.Context, looked string, now time.Time) error {
	for ; len(t.pending) > 0; t.pending = t.pending[1:] {
		rel := t.pending[0]
		places, err := t.readPlaces(ctx, rel)
		if err != nil {
			return err
		}
		if t.answered.Drop(rel); len(places) == 0 {
			continue
		}
		t.setPlaces(rel, places)
		t.departures.PutAt(rel, keysOf(places), now)
		t.arrivals.FindBest(rel, keysOf(places), few, func(came string) int {
			if came != rel && came != looked {
				t.wake(came)
			}
			return 0 // each of them: the one that went may be known, and others of its name
		})
	}
	return nil
}

// readPlaces returns where answers were written into a note.
func (t *trail) readPlaces(ctx context.Context, rel string) (all []place, err error) {
	written, err := t.journal.WrittenInto(ctx, t.root, rel)
	for _, d := range written {
		for _, m := range d.Markers {
			all = append(all, placesOf(m)...)
		}
	}
	return all, err
}

// Followed says that what is known of a note is another's now.
func (t *trail) Followed(rel, now string) {
	t.departures.Drop(rel)
	t.setNewName(now, "")
	t.Edit(rel, func(s *noteState) { s.places, s.newName = nil, now })
	t.follows.PutAt(rel, anyNote, time.Now())
}

func (t *trail) setPlaces(rel string, places []place) {
	t.Edit(rel, func(s *noteState) { s.places = places })
}

func (t *trail) setNewName(rel, name string) {
	t.Edit(rel, func(s *noteState) { s.newName = name })
}

// Became returns the new name of a note that was renamed within ten minutes, or "".
func (t *trail) Became(rel string) string {
	for _, old := range t.follows.DropOlder(time.Now().Add(-journal.OverwriteFor)) {
		t.setNewName(old, "")
	}
	return t.Of(rel).newName
}
