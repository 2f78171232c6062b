package follow

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/settle"
)

// world is a vault, its disk and its journal in memory.
type world struct {
	notes    map[string]string
	claims   map[string][]journal.Claim // by note
	watched  bool
	behind   bool
	settling *settle.Markers
	looks    int // at files
	*Follower
}

func newWorld() *world { return newWorldOf(0) }

// newWorldOf is a world whose questions settle for so long.
func newWorldOf(wait time.Duration) *world {
	w := &world{notes: make(map[string]string), claims: make(map[string][]journal.Claim), watched: true, settling: settle.New(0, wait, find.Keys)}
	w.Follower = New(Options{Journal: w, Root: "/vault", Disk: w, Settling: w.settling, Arrivals: burst.New(0), Copied: w,
		Parse: func(page *note.Page, _ []journal.Claim, _ map[string]map[string]bool) note.Doc { return page.Doc() },
		Log:   slog.New(slog.DiscardHandler)}, w)
	return w
}

func (w *world) Claims(_ context.Context, _, file string) ([]journal.Claim, error) {
	return w.claims[file], nil
}

func (w *world) Move(_ context.Context, dispatch, file string, _ map[string]int) (bool, error) {
	for rel, claims := range w.claims {
		w.claims[rel] = nil
		for _, c := range claims {
			to := rel
			if c.Dispatch == dispatch {
				to = file
			}
			c.File = to
			w.claims[to] = append(w.claims[to], c)
		}
	}
	return true, nil
}

func (w *world) MoveNote(context.Context, string, string, string, map[string]int) ([]journal.Dispatch, error) {
	return nil, nil
}
func (w *world) AnsweredIn(context.Context, string, time.Time) ([]string, error) { return nil, nil }
func (w *world) WrittenInto(context.Context, string, string) ([]journal.Dispatch, error) {
	return nil, nil
}

func (w *world) Read(rel string) ([]byte, error) {
	if text, there := w.notes[rel]; there {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (w *world) Stat(rel string) (os.FileInfo, error) {
	w.looks++
	if _, there := w.notes[rel]; there {
		return nil, nil
	}
	return nil, fs.ErrNotExist
}

func (w *world) IsOf(context.Context, string, string) (bool, error)                { return false, nil }
func (w *world) FindVersion(string, time.Duration) (string, string, time.Duration) { return "", "", 0 }
func (w *world) IsWatched() bool                                                   { return w.watched }
func (w *world) IsBehind() bool                                                    { return w.behind }
func (w *world) LookAt(string, time.Time)                                          {}
func (w *world) QuestionMoved(string, string)                                      {}
func (w *world) NoteRenamed(context.Context, string) error                         { return nil }

// ask gives a note, which is there, claims on all its markers, each of another dispatch.
func (w *world) ask(rel, text string) {
	w.notes[rel] = text
	for _, m := range note.Parse([]byte(text)).Markers {
		w.claims[rel] = append(w.claims[rel], journal.Claim{Dispatch: fmt.Sprint(rel, " ", len(w.claims[rel])), File: rel, Status: journal.Held, Marker: journal.Marker{Trace: m.Trace()}})
	}
	w.Track(rel)
}

// put gives a note, which has just been found, its text.
func (w *world) put(rel, text string) {
	w.notes[rel] = text
	now := time.Now()
	w.settling.SettleMarkers(rel, w.free(rel), now, now)
}

func (w *world) free(rel string) []note.Marker {
	return PairClaims(note.Parse([]byte(w.notes[rel])).Markers, w.claims[rel]).Free
}

// look follows the questions of a note until there is nothing to follow, and returns the dispatches that are there.
func (w *world) look(t *testing.T, rel string) []string {
	t.Helper()
	for again := true; again; {
		var err error
		looked := Looked{Rel: rel, Page: note.NewPage([]byte(w.notes[rel]))}
		looked.Doc = looked.Page.Doc()
		if _, again, err = w.TakeMoved(t.Context(), looked, w.free(rel)); err != nil {
			t.Fatal(err)
		}
	}
	return w.there(rel)
}

func (w *world) there(rel string) (there []string) {
	for _, c := range w.claims[rel] {
		there = append(there, c.Dispatch)
	}
	slices.Sort(there)
	return there
}

// match is look where each note that is gone and each that came are held against each other.
func (w *world) match(t *testing.T, rel string) []string {
	t.Helper()
	for again := true; again; {
		again = false
		var strays []Stray
		var finds []Find
		for _, other := range slices.Sorted(maps.Keys(w.claims)) {
			if _, there := w.notes[other]; !there {
				strays = append(strays, Stray{File: other, Claims: w.claims[other]})
			}
		}
		for _, other := range slices.Sorted(maps.Keys(w.notes)) {
			finds = append(finds, Find{File: other, Free: w.free(other)})
		}
		for _, m := range MatchMoves(strays, finds) {
			if finds[m.Target].File == rel {
				again, _ = w.Move(t.Context(), m.Dispatch, rel, nil)
			}
		}
	}
	return w.there(rel)
}

// The questions of notes that were renamed go along as they would if all that is gone were held against all that came.
func TestFollowsAsIfAllWereCompared(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	moved, rounds := 0, 1500
	if testing.Short() {
		rounds = 150
	}
	for round := range rounds {
		w, all := newWorld(), newWorld()
		w.watched = r.IntN(2) == 0
		name := func() string { return pick("", "x/", "y/", "x/z/") + pick("a", "b", "c") + ".md" }
		text := func() string {
			var b strings.Builder
			for range 1 + r.IntN(2) {
				fmt.Fprintf(&b, "%s\n\n> @agent-Miner %s\n\n", pick("", "one", "two", "three", "four"), pick("what?", "why?", "where?"))
			}
			return b.String()
		}
		for range 1 + r.IntN(5) {
			if rel, src := "old/"+name(), text(); w.notes[rel] == "" {
				w.ask(rel, src)
				all.ask(rel, src)
			}
		}
		var came []string
		for _, rel := range slices.Sorted(maps.Keys(w.notes)) {
			if r.IntN(4) == 0 {
				continue
			}
			src := w.notes[rel]
			delete(w.notes, rel)
			delete(all.notes, rel)
			if w.watched {
				w.Went(rel)
			}
			to := "new/" + strings.TrimPrefix(rel, "old/")
			if r.IntN(2) == 0 {
				to = "new/" + name()
			}
			if r.IntN(5) == 0 {
				src = text()
			}
			if w.notes[to] == "" {
				w.put(to, src)
				all.put(to, src)
				came = append(came, to)
			}
		}
		for _, rel := range came {
			got, want := w.look(t, rel), all.match(t, rel)
			if moved += len(want); !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d: in %s are %q, want %q\n%v\n%v", seed, round, rel, got, want, w.notes, w.claims)
			}
		}
	}
	if moved < rounds/3 {
		t.Errorf("only %d questions were followed", moved)
	}
}

// Where very many notes with the same question are renamed at once, those are the same whose paths have most in common.
func TestFollowsManyAlikeByTheirNames(t *testing.T) {
	w := newWorld()
	const ask, n = "as ever\n\n> @agent-Miner what?\n", 3 * mostAlike
	for i := range n {
		w.ask(fmt.Sprintf("old/%d/index.md", i), ask)
	}
	for i := range n {
		delete(w.notes, fmt.Sprintf("old/%d/index.md", i))
		w.put(fmt.Sprintf("new/%d/index.md", i), ask)
	}
	for i := range n {
		rel := fmt.Sprintf("new/%d/index.md", i)
		if got, want := w.look(t, rel), []string{fmt.Sprintf("old/%d/index.md 0", i)}; !slices.Equal(got, want) {
			t.Fatalf("in %s are %q, want %q", rel, got, want)
		}
	}
}

// A claim that a note got since its claims were read last is known when it goes.
func TestFollowsWhatWasAskedLately(t *testing.T) {
	w := newWorld()
	w.ask("old.md", "> @agent-Miner first?\n")
	w.put("other.md", "> @agent-Miner first?\n")
	w.look(t, "other.md")
	w.ask("old.md", "> @agent-Miner second?\n")
	delete(w.notes, "old.md")
	w.Went("old.md")
	w.put("new.md", "> @agent-Miner second?\n")
	if got := w.look(t, "new.md"); len(got) != 1 {
		t.Errorf("in the note are %q", got)
	}
}

// Of a question that is in very many notes which are there a look asks the disk seldom, and all the same finds what went without
// news of it.
func TestSweepsSeldomWhereMuchIsAlike(t *testing.T) {
	for _, watched := range []bool{false, true} {
		w := newWorld()
		w.watched = watched
		const ask = "> @agent-Miner what?\n"
		for i := range 500 {
			w.ask(fmt.Sprintf("%d.md", i), ask)
		}
		for i := range 100 {
			rel := fmt.Sprintf("came%d.md", i)
			w.put(rel, ask)
			w.look(t, rel)
		}
		if w.looks > 20*500 {
			t.Errorf("watched: %v: 100 looks have asked the disk %d times", watched, w.looks)
		}
		delete(w.notes, "7.md")
		clear(w.memory.sweeps) // when it is time again
		w.put("new.md", ask)
		for i := range 100 {
			w.settling.ForgetNote(fmt.Sprintf("came%d.md", i))
		}
		if got := w.look(t, "new.md"); len(got) != 1 {
			t.Errorf("watched: %v: in the note are %q", watched, got)
		}
	}
}

// The questions of a note that is gone are given up after a minute, but later where other notes wait to be looked at: they may
// be in one of these.
func TestGoneWhileTheVaultIsBehind(t *testing.T) {
	for _, c := range []struct {
		gone   time.Duration
		behind bool
		given  bool
	}{
		{For / 2, false, false},
		{For + time.Second, false, true},
		{For + time.Second, true, false},
		{AtMost - time.Second, true, false},
		{AtMost + time.Second, true, true},
	} {
		w := newWorld()
		w.behind = c.behind
		w.ask("n.md", "> @agent-Miner what?\n")
		delete(w.notes, "n.md")
		w.memory.Edit("n.md", func(s *noteState) { s.isMissing, s.missingSince = true, time.Now().Add(-c.gone) })
		if left, err := w.Gone(t.Context(), "n.md", 1); left <= 0 != c.given || err != nil {
			t.Errorf("gone for %v, behind: %v: looked for %v more; %v", c.gone, c.behind, left, err)
		}
		if got := w.IsSought("n.md"); got == c.given {
			t.Errorf("gone for %v, behind: %v: sought: %v", c.gone, c.behind, got)
		}
	}
}
