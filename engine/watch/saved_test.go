package watch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// What comes out was saved here only if each of its changes was, whichever was the last; also one that is found when the note is
// looked at, or while it is.
func TestDebounceTellsWhatWasSaved(t *testing.T) {
	brought, gone := -time.Minute, time.Duration(1)
	for name, c := range map[string]struct {
		events []time.Duration // how long before its event a note was written; gone = it was removed
		found  time.Duration   // likewise when it was looked at; gone = as it was
		want   bool
	}{
		"a save":                         {[]time.Duration{0}, gone, true},
		"two":                            {[]time.Duration{0, 0}, gone, true},
		"removed, and written":           {[]time.Duration{gone, 0}, gone, true},
		"brought":                        {[]time.Duration{brought}, gone, false},
		"brought, and saved":             {[]time.Duration{brought, 0}, gone, false},
		"saved, and brought":             {[]time.Duration{0, brought}, gone, false},
		"removed, brought, and saved":    {[]time.Duration{gone, brought, 0}, gone, false},
		"saved, and saved untold":        {[]time.Duration{0}, 0, true},
		"saved, and brought untold":      {[]time.Duration{0}, brought, false},
		"brought, and saved untold":      {[]time.Duration{brought}, 0, false},
		"removed, and brought back":      {[]time.Duration{gone}, brought, false},
		"removed, and saved in its turn": {[]time.Duration{gone}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at := func(age time.Duration) disk.Stamp {
					nano := time.Now().Add(age).UnixNano()
					return disk.Stamp{MTime: nano, CTime: time.Now().UnixNano()}
				}
				d := NewDebounce(time.Second, 5*time.Second)
				var there disk.Stamp
				looks := 0
				d.stat = func(string) (disk.Entry, error) {
					if looks++; looks == 1 && c.found != gone {
						there = at(c.found)
					}
					return disk.Entry{Type: disk.File, Stamp: there}, nil
				}
				for _, age := range c.events {
					time.Sleep(100 * time.Millisecond)
					if age == gone {
						d.Add(Event{Path: "a", Kind: Removed, Saved: true})
						continue
					}
					there = at(age)
					d.Add(Event{Path: "a", Stamp: there, Saved: there.IsSave(time.Now(), 0)})
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				came := 0
				if err := d.Run(ctx, func(e Event) {
					if came++; e.Saved != c.want {
						t.Errorf("saved %v", e.Saved)
					}
				}); err != nil || came != 1 {
					t.Errorf("%d came out, %v", came, err)
				}
			})
		})
	}
}

// Where nothing tells of changes a save is as old as the time between two looks when one finds it, and the second look that
// follows finds it older. What a sync program brings is none, and neither is what no look can have been so late for.
func TestPollerTellsWhatWasSaved(t *testing.T) {
	for name, c := range map[string]struct {
		every, age, written time.Duration // between looks; before the look; before it was last changed
		want                bool
	}{
		"by itself":               {0, 14 * time.Second, 0, true},
		"each half minute":        {30 * time.Second, 29 * time.Second, 0, true},
		"and the second look":     {30 * time.Second, 32 * time.Second, 0, true},
		"brought, with its time":  {30 * time.Second, 29 * time.Second, 5 * time.Second, false},
		"each second, and before": {time.Second, 14 * time.Second, 0, false},
		"long before":             {30 * time.Second, time.Minute, 0, false},
	} {
		v, s := atRest(t, t.TempDir())
		s.poller = newPoller(c.every, true, time.Now().Add(-time.Hour))
		s.poller.hot.seedLatest(s.snap)
		changed := time.Now().Add(-c.age).UnixNano()
		st := disk.Stamp{MTime: changed - int64(c.written), CTime: changed, Size: 3}
		s.recordNote(s.snap.folders[""], "n.md", st, time.Now(), manner{via: ViaPoll})
		s.recordNote(s.snap.folders[""], "n.md", st, time.Now(), manner{via: ViaPoll, basis: basisRepeat})
		if s.publishStats(); s.Stats().Pause != s.poller.longestPause() || len(v.events) != 2 {
			t.Fatalf("%s: %+v, %+v", name, s.Stats(), v.events)
		}
		for i, e := range v.events {
			if e.Saved != c.want {
				t.Errorf("%s: look %d tells of a save: %v", name, i, e.Saved)
			}
		}
	}
}
