package presence

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const one, two = "00000000000000aa", "00000000000000bb"

func TestOthers(t *testing.T) {
	vault, now := t.TempDir(), time.Now()
	if others, err := Others(vault, one, now); err != nil || others != nil {
		t.Fatalf("in an empty vault: %v, %v", others, err)
	}
	must(t, Announce(vault, Engine{ID: one, Machine: "desk", Day: now}))
	must(t, Announce(vault, Engine{ID: two, Machine: "laptop", Day: now.Add(-12 * time.Hour)}))
	must(t, Announce(vault, Engine{ID: "00000000000000cc", Machine: "old", Day: now.Add(-Valid)}))
	must(t, Announce(vault, Engine{ID: "00000000000000dd", Machine: "future", Day: now.Add(Valid + Every)}))
	must(t, os.WriteFile(filepath.Join(vault, engines, "00000000000000ee.json"), []byte(`{"id":`), 0o600))
	must(t, os.WriteFile(filepath.Join(vault, engines, "00000000000000ff.json"), []byte(`{"id":"00000000000000aa","machine":"copied"}`), 0o600))
	must(t, os.Mkdir(filepath.Join(vault, engines, "folder.json"), 0o700))
	_ = os.Symlink(filepath.Join(vault, "elsewhere.json"), filepath.Join(vault, engines, "link.json")) // not every system lets us
	others, err := Others(vault, one, now)
	if err != nil || len(others) != 1 || others[0].Machine != "laptop" {
		t.Errorf("%+v, %v", others, err)
	}
	must(t, Withdraw(vault, two))
	must(t, Withdraw(vault, two)) // again is no error
	if others, err := Others(vault, one, now); err != nil || len(others) != 0 {
		t.Errorf("after its end: %+v, %v", others, err)
	}
}

func TestWithdrawLeavesNothing(t *testing.T) {
	vault := t.TempDir()
	must(t, Announce(vault, Engine{ID: one, Machine: "desk", Day: time.Now()}))
	must(t, Withdraw(vault, one))
	if left, err := os.ReadDir(filepath.Join(vault, folder)); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// mark is that of a journal.
var mark = time.UnixMilli(1700000000123).UTC()

func beaconOf(machine, id string) *Beacon {
	return NewBeacon(Engine{ID: id, Machine: machine, State: "state"}, func(time.Time) (time.Time, error) { return mark, nil })
}

// Two engines learn of each other, and that one has ended.
func TestBeacon(t *testing.T) {
	vault, now := t.TempDir(), time.Now()
	desk, laptop := beaconOf("desk", IDOf("desk", "/state")), beaconOf("laptop", IDOf("laptop", "/state"))
	renew := func(b *Beacon, at time.Time, changes bool) {
		t.Helper()
		if changed, err := b.Renew(vault, at); changed != changes || err != nil {
			t.Errorf("changed %v, %v", changed, err)
		}
	}
	renew(desk, now, false)
	renew(laptop, now, true)
	must(t, os.Chtimes(filepath.Join(vault, engines), now, now.Add(time.Second))) // clocks of disks are coarse
	renew(desk, now.Add(10*time.Second), true)
	renew(desk, now.Add(time.Minute), false)
	if o, here := desk.Others(); len(o) != 1 || o[0] != "laptop" || here {
		t.Errorf("others %v", o)
	}
	again := beaconOf("desk", IDOf("desk", "/state")) // after a crash
	renew(again, now.Add(2*lookEvery), true)
	if o, here := again.Others(); len(o) != 1 || o[0] != "laptop" || here {
		t.Errorf("after a crash: %v", o)
	}
	must(t, laptop.End(vault))
	renew(desk, now.Add(2*lookEvery), true)
	if o, here := desk.Others(); len(o) != 0 || here {
		t.Errorf("others %v", o)
	}
	renew(laptop, now.Add(3*lookEvery), false)
	for at := 3 * lookEvery; at <= 40*time.Hour; at += time.Hour { // the laptop went to sleep
		if _, err := desk.Renew(vault, now.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	if o, here := desk.Others(); len(o) != 0 || here {
		t.Errorf("one that sleeps since yesterday: %v", o)
	}
	twin := beaconOf("DESK.lan", IDOf("DESK.lan", "/other"))
	renew(twin, now.Add(40*time.Hour), true)
	if o, here := twin.Others(); len(o) != 0 || !here {
		t.Errorf("one of the same machine: %v, %v", o, here)
	}
}

// An announcement has the same text all day, whatever becomes of the engine, and is not written again: a vault may be in git.
func TestOneTextADay(t *testing.T) {
	vault, day := t.TempDir(), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	file := filepath.Join(vault, engines, one+".json")
	texts := make(map[string]bool)
	var first os.FileInfo
	for at := time.Duration(0); at < 24*time.Hour; at += 47 * time.Minute {
		b := beaconOf("desk", one) // a new start each time
		if _, err := b.Renew(vault, day.Add(at)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		must(t, err)
		texts[string(text)] = true
		info, err := os.Stat(file)
		must(t, err)
		if first == nil {
			first = info
		} else if !os.SameFile(first, info) {
			t.Fatalf("it was written again after %s", at)
		}
	}
	b := beaconOf("desk", one)
	must(t, b.End(vault))
	if _, err := b.Renew(vault, day.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	must(t, err)
	if texts[string(text)] = true; len(texts) != 1 {
		t.Errorf("%d texts in a day", len(texts))
	}
	if _, err := b.Renew(vault, day.Add(24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if next, err := os.ReadFile(file); err != nil || string(next) == string(text) {
		t.Errorf("the next day: %s, %v", next, err)
	}
}

// The last day of an engine and the mark of its journal stay in the vault when it has ended, for the engine of that state folder alone.
func TestReadSaid(t *testing.T) {
	vault, day := t.TempDir(), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	state, other := StateOf("token"), StateOf("another token")
	if got := ReadSaid(vault, one, state); got != (Said{}) {
		t.Errorf("in an empty vault %v", got)
	}
	full := errors.New("the journal cannot be written")
	var kept []time.Time
	b := NewBeacon(Engine{ID: one, Machine: "desk", State: state}, func(day time.Time) (time.Time, error) {
		kept = append(kept, day)
		return mark, full
	})
	if _, err := b.Renew(vault, day.Add(time.Hour)); !errors.Is(err, full) || ReadSaid(vault, one, state) != (Said{}) {
		t.Errorf("said without the journal: %v", err)
	}
	full = nil
	for _, at := range []time.Duration{2 * time.Hour, 3 * time.Hour, 25 * time.Hour} {
		if _, err := b.Renew(vault, day.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept) != 3 || !kept[1].Equal(day) || !kept[2].Equal(day.Add(Every)) {
		t.Errorf("the journal was told of %v", kept)
	}
	file := filepath.Join(vault, folder, "engines", one+".json")
	said, _ := os.ReadFile(file)
	must(t, b.End(vault))
	if alone, err := os.ReadFile(file); err != nil || !bytes.Equal(alone, said) {
		t.Errorf("alone in its vault it has changed its file: %q, %v", alone, err)
	}
	must(t, Announce(vault, Engine{ID: two, Machine: "lap", Day: day.Add(25 * time.Hour)}))
	must(t, b.End(vault))
	must(t, b.End(vault))
	if got := ReadSaid(vault, one, state); got != (Said{day.Add(Every), mark}) {
		t.Errorf("after its end %v", got)
	}
	if others, err := Others(vault, two, day.Add(26*time.Hour)); err != nil || len(others) != 0 {
		t.Errorf("one that has ended is there: %v, %v", others, err)
	}
	if none := (Said{}); ReadSaid(vault, one, other) != none || ReadSaid(vault, two, state) != none || ReadSaid(vault, one, "") != none {
		t.Error("it is the day of another engine too")
	}
}

func TestSweep(t *testing.T) {
	vault, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{
		"probe-" + salt: 2 * time.Second, ".server-" + salt: 2 * time.Second, ".owner-" + salt: 2 * time.Second, ".-" + salt: 2 * time.Hour,
		"probe/0123456789abcdef.new": 2 * time.Second, "probe/0123456789abcdef.md": 2 * time.Hour,
		"engines/." + one + "-" + salt: 2 * time.Second, "engines/" + one + ".json": 8 * 24 * time.Hour,

		"probe-" + salt[1:] + "2":  -time.Second, // of this engine
		"engines/" + two + ".json": 24 * time.Hour,
		"server.json":              1000 * time.Hour, "owner.json": 1000 * time.Hour, "tmp/0123456789abcdef.md": 1000 * time.Hour, "notes.md": 1000 * time.Hour,
	} {
		file := filepath.Join(vault, folder, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must(t, os.WriteFile(file, []byte("x"), 0o600))
		must(t, os.Chtimes(file, now.Add(-age), now.Add(-age)))
	}
	if removed, err := Sweep(vault, now); removed != 8 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
	if removed, err := Sweep(vault, now); removed != 0 || err != nil {
		t.Errorf("removed %d more, %v", removed, err)
	}
	for _, name := range []string{"server.json", "owner.json", "tmp/0123456789abcdef.md", "notes.md", "engines/" + two + ".json"} {
		if _, err := os.Stat(filepath.Join(vault, folder, name)); err != nil {
			t.Error(err)
		}
	}
}
