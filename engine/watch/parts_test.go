package watch

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/watch/disk"
)

func TestRevisits(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	v := newRevisits()
	v.addPath("a", at(0))
	v.addPath("b", at(10))
	v.addPath("a", at(1500))
	if next, ok := v.nextDue(); !ok || !next.Equal(at(2000)) {
		t.Errorf("next at %v, %v", next, ok)
	}
	steps := []struct {
		ms   int
		want []string
	}{{1999, nil}, {2000, nil}, {2010, []string{"b"}}, {3499, nil}, {3500, []string{"a"}}, {9999, nil}}
	for _, s := range steps {
		if got := v.takeDue(at(s.ms)); !slices.Equal(got, s.want) {
			t.Errorf("at %d ms: %v, want %v", s.ms, got, s.want)
		}
	}
	if v.isWaiting("a") || v.isWaiting("b") || len(v.queue) != 0 {
		t.Errorf("left over: %+v", v)
	}
}

func TestRecent(t *testing.T) {
	start := time.Unix(1000, 0)
	r := newRecent()
	r.addReported("a", start)
	r.addReported("b", start.Add(keep-1))
	r.addReported("c", start.Add(keep+1))
	if !r.wasReported("a") || !r.wasReported("b") || !r.wasReported("c") {
		t.Errorf("forgotten within %v: %+v", keep, r)
	}
	r.addReported("d", start.Add(2*keep+2))
	if r.wasReported("a") || r.wasReported("b") || !r.wasReported("c") {
		t.Errorf("after twice the time: %+v", r)
	}
	r.forgetOld(start.Add(9 * keep))
	if r.wasReported("c") || r.wasReported("d") {
		t.Errorf("kept for ever: %+v", r)
	}
	first := start.Add(10 * keep)
	r.addAllReported(first)
	if r.forgetOld(first.Add(keep - 1)); !r.wasReported("any") {
		t.Errorf("a first pass is forgotten within %v: %+v", keep, r)
	}
	if r.forgetOld(first.Add(keep)); r.wasReported("any") {
		t.Errorf("a first pass is kept for ever: %+v", r)
	}
}

// A note that was read within two seconds of its stamp may have been written
// again with the same one, so a hint about it counts although nothing differs;
// a look without a reason does not.
func TestHintAboutFreshNote(t *testing.T) {
	v := newVault(t, t.TempDir())
	v.write("fresh.md", "x")
	v.write("old.md", "x")
	e, err := disk.Inspect(v.root)
	must(t, err)
	s := newSession(v.w, v.root, e.ID, v.sink)
	defer s.closeSession()
	f := s.snap.folders[""]
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"fresh.md", "old.md"} {
		e, err := disk.Inspect(v.path(name))
		must(t, err)
		when := time.Now()
		if name == "old.md" {
			when = long
		}
		e.Stamp.MTime, e.Stamp.CTime = when.UnixNano(), when.UnixNano()
		s.recordNote(f, name, e.Stamp, time.Now(), manner{via: ViaStart})
		for range 3 {
			s.recordNote(f, name, e.Stamp, time.Now(), manner{via: ViaNative, basis: basisHint})
		}
		s.recordNote(f, name, e.Stamp, time.Now(), manner{via: ViaRescan})
	}
	if fresh, _ := v.count("fresh.md"); fresh != 4 {
		t.Errorf("the fresh note was reported %d times, want 4", fresh)
	}
	if old, _ := v.count("old.md"); old != 1 {
		t.Errorf("the old note was reported %d times, want 1", old)
	}
}

// A note whose text is only in the cloud is known and not reported: whoever read it
// would fetch it. When it is here it is news, and when it goes it is removed.
func TestNotesInTheCloud(t *testing.T) {
	v, s := atRest(t, t.TempDir())
	f := s.snap.folders[""]
	here := disk.Stamp{MTime: 1, Size: 7}
	away := here
	away.Size = ^away.Size
	if here.IsAway() || !away.IsAway() || !(disk.Stamp{Size: ^0}).IsAway() {
		t.Fatal("what is away is not told from what is here")
	}
	s.recordNote(f, "n.md", away, time.Now(), manner{via: ViaStart, basis: basisRepeat})
	if all, _ := v.count(""); all != 0 || s.snap.notes != 1 {
		t.Errorf("%d events, %d notes known", all, s.snap.notes)
	}
	s.recordNote(f, "n.md", here, time.Now(), manner{via: ViaRescan})
	s.recordNote(f, "n.md", away, time.Now(), manner{via: ViaRescan})
	if all, removed := v.count("n.md"); all != 1 || removed != 0 {
		t.Errorf("%d events, %d removals: %+v", all, removed, v.events)
	}
	write(t, v.path("n.md"), "a download wrote it after it was missed")
	must(t, s.clearName(f, "n.md", disk.Other, manner{via: ViaRescan}))
	if _, removed := v.count("n.md"); removed != 0 || s.snap.notes != 1 {
		t.Errorf("%d removals of a note that is back", removed)
	}
	must(t, os.Remove(v.path("n.md")))
	must(t, s.clearName(f, "n.md", disk.Other, manner{via: ViaRescan}))
	if _, removed := v.count("n.md"); removed != 1 {
		t.Errorf("%d removals", removed)
	}
}

// Where there are no change times a note that was told of counts as changed, although
// all else is as it was; in a comparison it does not.
func TestToldOfWithoutChangeTimes(t *testing.T) {
	for ctime, want := range map[int64]int{0: 2, 7: 1} {
		v, s := atRest(t, t.TempDir())
		f := s.snap.folders[""]
		st := disk.Stamp{MTime: 5, CTime: ctime, Size: 3}
		s.recordNote(f, "n.md", st, time.Now(), manner{via: ViaNative, basis: basisHint})
		s.recordNote(f, "n.md", st, time.Now(), manner{via: ViaNative, basis: basisNamed})
		s.recordNote(f, "n.md", st, time.Now(), manner{via: ViaRescan, basis: basisHint})
		if all, _ := v.count("n.md"); all != want {
			t.Errorf("change time %d: %d events, want %d", ctime, all, want)
		}
	}
}

// The snapshot against a plain map, with random operations.
func TestSnapshotIsAMap(t *testing.T) {
	seed := testseed.Take(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	s, plain := newSnapshot(), make(map[string]disk.Stamp)
	for range 20_000 {
		f := s.folders[""]
		for range rnd.IntN(3) {
			f = s.addFolder(f, fmt.Sprint(rnd.IntN(5)))
		}
		name := fmt.Sprint("n", rnd.IntN(20))
		rel := f.join(name)
		before, known := plain[rel]
		switch op := rnd.IntN(100); {
		case op < 60:
			st := disk.Stamp{Size: int64(rnd.IntN(3))}
			if differs := s.putNote(f, name, st); differs != (!known || before != st) {
				t.Fatalf("put %s: %v", rel, differs)
			}
			plain[rel] = st
		case op < 95:
			if s.dropNote(f, name) != known {
				t.Fatalf("drop %s: known %v", rel, known)
			}
			delete(plain, rel)
		case f.path != "":
			s.removeFolder(f, func(gone *folder) {
				for _, n := range gone.notes {
					delete(plain, gone.join(n.name))
				}
			})
		}
	}
	got, want := make(map[string]disk.Mark), make(map[string]disk.Mark)
	for rel, st := range plain {
		want[rel] = st.Mark()
	}
	for path, f := range s.folders {
		if f.path != path || !slices.IsSortedFunc(f.subs, func(a, b *folder) int { return cmp.Compare(a.path, b.path) }) {
			t.Errorf("folder %q: %+v", path, f)
		}
		for _, n := range f.notes {
			got[f.join(n.name)] = n.mark
		}
	}
	if !maps.Equal(got, want) || s.notes != len(plain) {
		t.Errorf("snapshot has %d notes and counts %d, the map has %d", len(got), s.notes, len(plain))
	}
}

func TestIgnored(t *testing.T) {
	tests := []struct {
		rel  string
		dir  bool
		want bool
	}{
		{"n.md", false, false}, {"a/N.MD", false, false}, {"a.b", true, false}, {"n.md", true, false},
		{".n.md", false, true}, {"a/.obsidian", true, true}, {"n.txt", false, true}, {"md", false, true}, {"n.md~", false, true},
	}
	for _, tt := range tests {
		if got := isIgnored(tt.rel, tt.dir); got != tt.want {
			t.Errorf("ignored(%q, %v) = %v", tt.rel, tt.dir, got)
		}
	}
}

func TestRespelled(t *testing.T) {
	entries := []disk.Entry{{Name: "Note.md"}, {Name: "Cafe\u0301.md"}}
	for name, want := range map[string]bool{"note.md": true, "Caf\u00e9.md": true, "CAF\u00c9.MD": true, "other.md": false} {
		if got := listsRespelled(entries, name); got != want {
			t.Errorf("respelled(%q) = %v", name, got)
		}
	}
}

func TestSplitAndJoin(t *testing.T) {
	for _, rel := range []string{"n.md", "a/n.md", "a/b c/ü.md"} {
		dir, name := splitPath(rel)
		if got := (&folder{path: dir}).join(name); got != rel {
			t.Errorf("%q came back as %q", rel, got)
		}
	}
}
