package burst

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

// TestBurst holds the counting against its definition: a marker is of a burst when, up to
// the last one that came, some minute with more than most of them has it.
func TestBurst(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		most := r.IntN(6)
		w := New(most)
		now := time.Unix(1e9, 0)
		var all []*Arrival
		var fresh, gone []bool
		var at []time.Time
		for range 80 {
			now = now.Add(time.Duration(r.IntN(1+r.IntN(40))) * time.Second)
			isFresh := r.IntN(3) > 0
			all, fresh, gone, at = append(all, w.Add(now, isFresh)), append(fresh, isFresh), append(gone, false), append(at, now)
			if i := r.IntN(len(all)); r.IntN(10) == 0 && now.Sub(at[i]) < Within && i == len(all)-1 && !all[i].IsBurst(true) {
				w.Withdraw(all[i])
				gone[i] = true
			}
		}
		for i, a := range all {
			for _, wide := range []bool{false, true} {
				if want := isIn(i, most, wide, at, fresh, gone); a.IsBurst(wide) != want {
					t.Fatalf("seed %d, round %d: marker %d of %v with at most %d is of a burst (all %v): %v", seed, round, i, at, most, wide, !want)
				}
			}
		}
		if len(w.fresh.list) > len(all) || len(w.total.list) > len(all) {
			t.Fatal("more is remembered than came")
		}
	}
}

// isIn is the definition, by counting each minute that ends with a marker.
func isIn(i, most int, wide bool, at []time.Time, fresh, gone []bool) bool {
	counts := func(k int) bool { return !gone[k] && (wide || fresh[k]) }
	if most == 0 || !counts(i) {
		return false
	}
	for end := i; end < len(at) && at[end].Sub(at[i]) < Within; end++ {
		n := 0
		for k := 0; k <= end; k++ {
			if counts(k) && at[end].Sub(at[k]) < Within {
				n++
			}
		}
		if counts(end) && n > most {
			return true
		}
	}
	return wide && isIn(i, most, false, at, fresh, gone)
}

// What has become a dispatch before the burst was one is told of once.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(2)
		w.Add(time.Now(), true).Start("a")
		<-time.After(20 * time.Second)
		w.Add(time.Now(), true).Start("b")
		w.Add(time.Now(), false).Start("known")
		if late := w.TakeLate(); late != nil {
			t.Fatalf("%v is late", late)
		}
		<-time.After(20 * time.Second)
		w.Add(time.Now(), true)
		if late := w.TakeLate(); !slices.Equal(late, []string{"a", "b"}) {
			t.Errorf("%v is late", late)
		}
		if late := w.TakeLate(); late != nil {
			t.Errorf("%v is late again", late)
		}
		var none *Arrival
		none.Start("x")
		w.Withdraw(none)
		if none.IsBurst(true) {
			t.Error("what never came is of a burst")
		}
	})
}

func TestYoungNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(2)
		w.NoteCame("a.md", time.Now(), time.Now())
		<-time.After(9 * time.Second)
		if !w.IsYoung("a.md", time.Now(), 10*time.Second) || w.IsYoung("b.md", time.Now(), 10*time.Second) {
			t.Error("after nine seconds")
		}
		<-time.After(time.Second)
		if w.IsYoung("a.md", time.Now(), 10*time.Second) {
			t.Error("it stays young")
		}
		<-time.After(Within)
		w.NoteCame("b.md", time.Now(), time.Now())
		if len(w.notes) != 1 {
			t.Errorf("%d notes are remembered", len(w.notes))
		}
	})
}

// The first word of a new note counts for its birth: a scan may tell of it before the watcher, and a look comes later.
func TestBirth(t *testing.T) {
	w, start := New(2), time.Unix(1e9, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	w.NoteBirth("a.md", at(0))
	if w.IsYoung("a.md", at(0), Within) {
		t.Error("a scan makes a note new")
	}
	w.NoteCame("a.md", at(2), at(3))
	if !w.Birth("a.md").Equal(at(0)) || !w.IsYoung("a.md", at(12), 10*time.Second) {
		t.Errorf("born at %v", w.Birth("a.md"))
	}
	w.NoteCame("a.md", at(61), at(62))
	if !w.Birth("a.md").Equal(at(61)) {
		t.Errorf("born at %v, a minute later", w.Birth("a.md"))
	}
	if w.NoteGone("a.md"); !w.Birth("a.md").IsZero() {
		t.Error("one that is gone stays born")
	}
	w.NoteBirth("b.md", at(122))
	if w.NoteBirth("c.md", at(184)); len(w.notes) != 1 {
		t.Errorf("%d notes are remembered", len(w.notes))
	}
}

// A note that came without words is new when it gets some, once.
func TestBlankNotes(t *testing.T) {
	w, start := New(2), time.Unix(1e9, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	w.NoteCame("a.md", at(0), at(0))
	w.NoteRead("a.md", false, at(0))
	w.NoteCame("gone.md", at(0), at(0))
	w.NoteRead("gone.md", false, at(0))
	w.NoteGone("gone.md")
	w.NoteCame("words.md", at(0), at(0))
	w.NoteRead("words.md", true, at(0))
	w.NoteRead("known.md", false, at(0)) // emptied
	for _, note := range []string{"a.md", "gone.md", "words.md", "known.md"} {
		w.NoteRead(note, true, at(3600))
		if got := w.IsYoung(note, at(3601), 10*time.Second); got != (note == "a.md") {
			t.Errorf("%s is new: %t", note, got)
		}
	}
	w.NoteRead("a.md", true, at(3700))
	if w.IsYoung("a.md", at(3701), 10*time.Second) || w.notes["a.md"].isBlank {
		t.Error("it is new once more")
	}
}

// Notes that went back are of a burst together when more than most of them did within a
// minute, also those of which that was not known when they did.
func TestGoBack(t *testing.T) {
	for name, c := range map[string]struct {
		most  int
		back  string // the notes, one a second; '-' is none
		burst string // those of a burst at the end
		late  string // those whose dispatch came before it was one
	}{
		"few":            {3, "abc", "", ""},
		"many":           {3, "abcde", "abcde", "abc"},
		"one many times": {3, "aaaaaaaab", "", ""},
		"in a minute":    {2, "a" + strings.Repeat("-", 57) + "bc", "abc", "ab"},
		"in more":        {2, "a" + strings.Repeat("-", 58) + "bc", "", ""},
		"never":          {0, "abcdefgh", "", ""},
		"once more":      {1, "a" + strings.Repeat("-", 60) + "ab", "ab", "a"},
		"long ago":       {1, "ab" + strings.Repeat("-", 60), "", "a"},
	} {
		w, now, late := New(c.most), time.Unix(1e9, 0), ""
		for i, n := range c.back {
			now = time.Unix(1e9+int64(i), 0)
			if n != '-' {
				w.GoBack(string(n), now)
				if !w.IsBack(string(n), now) {
					w.Back(string(n), now).Start(string(n))
				}
				late += strings.Join(w.TakeLate(), "")
			}
		}
		is := ""
		for _, n := range "abcdefgh" {
			if w.IsBack(string(n), now) {
				is += string(n)
			}
		}
		if is != c.burst || late != c.late {
			t.Errorf("%s: %q went back together and %q is late, want %q and %q", name, is, late, c.burst, c.late)
		}
	}
}
