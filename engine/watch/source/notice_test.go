package source

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"vaultdispatcher/engine/testdata/testseed"
)

// record is one FILE_NOTIFY_INFORMATION, padded as the system pads it.
func record(action uint32, name string, last bool) []byte {
	units := utf16.Encode([]rune(name))
	return recordOf(action, units, last)
}

func recordOf(action uint32, units []uint16, last bool) []byte {
	size := 12 + 2*len(units)
	padded := (size + 3) &^ 3
	b := make([]byte, padded)
	if !last {
		binary.LittleEndian.PutUint32(b, uint32(padded))
	}
	binary.LittleEndian.PutUint32(b[4:], action)
	binary.LittleEndian.PutUint32(b[8:], uint32(2*len(units)))
	for i, u := range units {
		binary.LittleEndian.PutUint16(b[12+2*i:], u)
	}
	return b
}

func join(records ...[]byte) []byte {
	var b []byte
	for _, r := range records {
		b = append(b, r...)
	}
	return b
}

// said is everything a buffer makes of hints.
type said struct {
	paths     map[string]Hint
	all       bool
	overflows int
}

func say(buf []byte) said {
	h := NewHints()
	parseNotices(buf, h)
	lost := h.Overflows()
	paths, all := h.Take()
	return said{paths, all, lost}
}

func (s said) equal(o said) bool {
	return maps.Equal(s.paths, o.paths) && s.all == o.all && s.overflows == o.overflows
}

func TestNotices(t *testing.T) {
	const added, removed, modified, renamedOld, renamedNew = 1, 2, 3, 4, 5
	lost := said{all: true, overflows: 1}
	everything := said{all: true}
	only := func(paths map[string]Hint) said { return said{paths: paths} }
	cut := record(modified, "Note.md", true)
	binary.LittleEndian.PutUint32(cut[8:], 4096)
	odd := record(modified, "Note.md", true)
	binary.LittleEndian.PutUint32(odd[8:], 13)
	huge := record(modified, "Note.md", true)
	binary.LittleEndian.PutUint32(huge[8:], 0xFFFFFFFE)
	self := record(modified, "Note.md", true)
	binary.LittleEndian.PutUint32(self, 4)
	beyond := record(modified, "Note.md", true)
	binary.LittleEndian.PutUint32(beyond, 0xFFFFFFF0)

	for name, c := range map[string]struct {
		buf  []byte
		want said
	}{
		"saved":            {record(modified, `Work\Note.md`, true), only(map[string]Hint{"Work/Note.md": Here})},
		"new":              {record(added, `Note.md`, true), only(map[string]Hint{"Note.md": Here})},
		"deleted":          {record(removed, `a\b\c.md`, true), only(map[string]Hint{"a/b/c.md": Subtree})},
		"newer action":     {record(11, `a.md`, true), only(map[string]Hint{"a.md": Here})},
		"spaces and signs": {record(modified, `Ä ö\日本 𝄞.md`, true), only(map[string]Hint{"Ä ö/日本 𝄞.md": Here})},
		"renamed": {
			join(record(renamedOld, `old`, false), record(renamedNew, `new`, true)),
			only(map[string]Hint{"old": Subtree, "new": Here}),
		},
		"deleted and made again": {
			join(record(removed, `d`, false), record(added, `d`, false), record(modified, `d\n.md`, true)),
			only(map[string]Hint{"d": Subtree, "d/n.md": Here}),
		},
		"short name":              {record(modified, `Work\MYNOTE~1.MD`, true), only(map[string]Hint{"Work/MYNOTE~1.MD": Here, "Work": Subtree})},
		"short folder":            {record(modified, `A\MYFOLD~2\deep\n.md`, true), only(map[string]Hint{"A/MYFOLD~2/deep/n.md": Here, "A": Subtree})},
		"short name at the top":   {record(removed, `MYNOTE~1.MD`, true), everything},
		"backup, no short name":   {record(modified, `d\n.md~`, true), only(map[string]Hint{"d/n.md~": Here})},
		"half a surrogate":        {recordOf(modified, []uint16{'d', '\\', 0xD800, '.', 'm', 'd'}, true), only(map[string]Hint{"d/\uFFFD.md": Here, "d": Subtree})},
		"overflow":                {nil, lost},
		"torn header":             {record(modified, "Note.md", true)[:11], lost},
		"torn name":               {record(modified, "Note.md", true)[:20], lost},
		"chain without an end":    {record(modified, "Note.md", false), said{paths: map[string]Hint{}, all: true, overflows: 1}},
		"length beyond the end":   {cut, lost},
		"odd length":              {odd, lost},
		"length near the maximum": {huge, lost},
		"chain into itself":       {self, said{all: true, overflows: 1}},
		"chain beyond the end":    {beyond, said{all: true, overflows: 1}},
		"no name":                 {record(modified, "", true), everything},
		"dots":                    {record(modified, `..\out.md`, true), everything},
		"dot inside":              {record(modified, `a\.\b.md`, true), everything},
		"a drive":                 {record(modified, `C:\x.md`, true), everything},
		"a stream":                {record(modified, `x.md:zone`, true), everything},
		"absolute":                {record(modified, `\x.md`, true), everything},
		"zero byte":               {record(modified, "a\x00b.md", true), everything},
		"two separators":          {record(modified, `a\\b.md`, true), everything},
	} {
		t.Run(name, func(t *testing.T) {
			if got := say(c.buf); !got.equal(c.want) {
				t.Errorf("said %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestIsShort(t *testing.T) {
	for name, want := range map[string]bool{
		"MYNOTE~1.MD": true, "A~12": true, "abcdef~1.md": true, "PROGRA~1": true,
		"note.md": false, "~1.md": false, "~$note.md": false, "note.md~": false, "longername~1.md": false,
		"n~1.markdown": false, "n~x.md": false, "n~.md": false, "n~1.m.d": false, "": false,
	} {
		if got := isShortName(name); got != want {
			t.Errorf("isShort(%q) is %v", name, got)
		}
	}
}

// Whatever a buffer holds, something is said, and only what lies in the vault.
func FuzzNotices(f *testing.F) {
	f.Add(join(record(4, `old\a.md`, false), record(5, `new\b.md`, true)))
	f.Add(record(3, `..\x~1.md`, false))
	f.Fuzz(func(t *testing.T, buf []byte) { checkNotices(t, buf) })
}

func checkNotices(t *testing.T, buf []byte) {
	s := say(buf)
	if !s.all && len(s.paths) == 0 {
		t.Errorf("nothing is said of %x", buf)
	}
	for rel, what := range s.paths {
		for part := range strings.SplitSeq(rel, "/") {
			if part == "" && !(rel == "" && what == Here) || part == "." || part == ".." || strings.ContainsAny(part, "\\:\x00") {
				t.Errorf("%x leads to %q", buf, rel)
			}
		}
	}
}

// Names go through unchanged, in whatever number, however the buffer is damaged.
func TestNoticesAtRandom(t *testing.T) {
	seed := testseed.Take(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	letters := []rune("abÄ日𝄞 ()-_.,~$")
	for range 5000 {
		var buf []byte
		want := make(map[string]bool)
		n := 1 + rnd.IntN(20)
		for i := range n {
			var name strings.Builder
			for range 1 + rnd.IntN(12) {
				name.WriteRune(letters[rnd.IntN(len(letters))])
			}
			rel := "d/x" + name.String() + "x.md"
			want[rel] = true
			buf = append(buf, record(uint32(1+rnd.IntN(5)), strings.ReplaceAll(rel, "/", `\`), i == n-1)...)
		}
		s := say(buf)
		for rel := range want {
			if _, ok := s.paths[rel]; !ok || s.all {
				t.Fatalf("%q is not in %v", rel, s)
			}
		}
		for range 3 {
			buf[rnd.IntN(len(buf))] = byte(rnd.UintN(256))
		}
		checkNotices(t, buf[:rnd.IntN(len(buf)+1)])
	}
}
