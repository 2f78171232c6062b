package columns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is stored is read back: a time to the millisecond, and nothing as nothing.
func TestColumnsAreReadAsTheyWereStored(t *testing.T) {
	for _, at := range []time.Time{{}, time.Date(2026, 5, 1, 12, 0, 0, 123456789, time.FixedZone("", 7200))} {
		var got Millis
		if err := got.Scan(ToMillis(at)); err != nil || time.Time(got) != InMillis(at) || !InMillis(at).Equal(at.Truncate(time.Millisecond)) {
			t.Errorf("%v: %v, %v", at, time.Time(got), err)
		}
	}
	for _, h := range [][32]byte{{}, {1, 2}} {
		var got Digest
		if err := got.Scan(HashBytes(h)); err != nil || got != h {
			t.Errorf("%v: %v, %v", h, got, err)
		}
	}
	var got Lines
	if err := got.Scan(JoinLines([]string{"b", "", "a", "b", "c\nd"})); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q, %v", got, err)
	}
	if err := got.Scan(""); err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// A long text is read back whole, whatever is in it, and in many goroutines at once; nothing leaves
// a text as it was, and so does what damage has made of one.
func TestPackedTextsAreReadAsTheyWereStored(t *testing.T) {
	t.Parallel()
	for i, text := range []string{"a", "ä\x00\xff\n", strings.Repeat("what do we know of backups? ", 5000)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for range 20 {
				got, stored := Packed("before"), Pack(text)
				if err := got.Scan(stored); err != nil || string(got) != text {
					t.Fatalf("%d bytes are read of %d, %v", len(got), len(text), err)
				}
			}
		})
	}
	stored := Pack(strings.Repeat("backups ", 100))
	if len(stored) > 100 {
		t.Errorf("800 bytes take %d", len(stored))
	}
	stored[len(stored)-1]++
	for _, v := range []any{nil, []byte{}, Pack(""), stored, stored[:8]} {
		got := Packed("before")
		if err := got.Scan(v); err != nil || got != "before" {
			t.Errorf("%x is read as %q, %v", v, got, err)
		}
	}
	if new(Packed).Scan(1.5) == nil || new(Packed).Scan("text") == nil {
		t.Error("another form is read")
	}
}

// A damaged file may hold anything.
func TestColumnsRefuseOtherForms(t *testing.T) {
	for _, column := range []interface{ Scan(any) error }{new(Millis), new(Digest), new(Lines)} {
		for _, v := range []any{nil, 1.5, []byte("short")} {
			if column.Scan(v) == nil {
				t.Errorf("%T reads %v", column, v)
			}
		}
	}
}

// Most columns hold no long text: what has nothing to unpack takes no memory from the reading of those that do.
func TestNothingStoredCostsNothing(t *testing.T) {
	stored := Pack("what do we know of backups?")
	read := func(all ...any) func() {
		return func() {
			for _, v := range all {
				var got Packed
				_ = got.Scan(v)
			}
		}
	}
	alone := testing.AllocsPerRun(200, read(stored))
	if beside := testing.AllocsPerRun(200, read(nil, []byte{}, []byte{1, 2, 3}, stored)); beside > alone+4 {
		t.Errorf("%v allocations beside texts that are none, %v alone", beside, alone)
	}
}
