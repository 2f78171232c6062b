package swap

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCleanTemps(t *testing.T) {
	root, path := vault(t, before)
	in := intention(t, root, path, before, after, newKind)
	dir := filepath.Dir(in.Temp)
	old := time.Now().Add(-2 * time.Hour)
	put := func(name, text string, age bool) string {
		write(t, filepath.Join(dir, name), text)
		if age {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
		return name
	}
	put(makeStem("", in)+newKind, after, true)
	put(makeStem("", in)+baseKind, before, true)
	put(makeStem("", in)+partKind, "only ha", true)
	young := put(makeStem("", in)+newKind, after, false)
	known := put(makeStem("", in)+newKind, after, true)
	words := put(makeStem("", in)+newKind, "the user's words\n", true)
	stranger := put("notes.txt", "a stranger's", true)

	kept, err := CleanTemps(root, "", []string{filepath.Join(dir, known)}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	left := temps(t, root)
	want := []string{young, known, words, stranger}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	want = []string{filepath.Join(dir, words), filepath.Join(dir, stranger)}
	slices.Sort(want)
	if !slices.Equal(kept, want) {
		t.Errorf("kept are %q, want %q", kept, want)
	}
	if kept, err := CleanTemps(t.TempDir(), "", nil, 0); err != nil || kept != nil {
		t.Errorf("a vault without temps: %q, %v", kept, err)
	}
}

// A kill leaves temps a moment old. At the next start those of the same engine go if nothing is
// lost with them; those of others, and of this very run, may be at work.
func TestOwnTempsAreSweptWhateverTheirAge(t *testing.T) {
	const engine, other = "00000000000000aa", "00000000000000bb"
	for name, c := range map[string]struct {
		engine, run, kind, text string
		gone, known             bool
	}{
		"new bytes":                            {engine, "", newKind, after, true, false},
		"half of the new bytes":                {engine, "", partKind, after[:3], true, false},
		"nothing yet":                          {engine, "", partKind, "", true, false},
		"an open intention's":                  {engine, "", newKind, after, false, true},
		"what an exchange has displaced":       {engine, "", newKind, before, false, false},
		"what is kept for the grace":           {engine, "", keptKind, before, false, false},
		"the old bytes of a write in place":    {engine, "", baseKind, before, false, false},
		"what Windows displaced":               {engine, "", oldKind, before, false, false},
		"a save that was put back":             {engine, "", ".back0", "words\n", false, false},
		"a person's words":                     {engine, "", newKind, "words\n", false, false},
		"a person's words behind the new":      {engine, "", newKind, after + "words\n", false, false},
		"another engine's":                     {other, "", newKind, after, false, false},
		"another engine's unfinished one":      {other, "", partKind, after[:3], false, false},
		"of an engine that named none":         {"", "", newKind, after, false, false},
		"of this run":                          {engine, thisRun, newKind, after, false, false},
		"of this run, unfinished":              {engine, thisRun, partKind, after[:3], false, false},
		"of a name that is no temp's":          {engine + "0", "", newKind, after, false, false},
		"of a name that is longer than a kind": {engine, "", newKind + "~", after, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			in := intention(t, root, path, before, after, newKind)
			run := c.run
			if run == "" {
				run = strings.Map(func(r rune) rune { return map[bool]rune{true: '1', false: '0'}[r == '0'] }, thisRun)
			}
			file := filepath.Join(filepath.Dir(in.Temp), strings.Replace(makeStem(c.engine, in), thisRun, run, 1)+c.kind)
			write(t, file, c.text)
			var known []string
			if c.known {
				known = []string{siblingTemp(file, keptKind)}
			}
			if kept, err := CleanTemps(root, engine, known, time.Hour); err != nil || len(kept) > 0 {
				t.Errorf("kept %q, %v", kept, err)
			}
			if _, err := os.Lstat(file); os.IsNotExist(err) != c.gone {
				t.Errorf("gone: %v, want %v; %v", !c.gone, c.gone, err)
			}
			if _, err := CleanTemps(root, "", nil, time.Hour); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(file); os.IsNotExist(err) != c.gone {
				t.Error("an engine without a name sweeps what is young")
			}
			wantNote(t, path, before)
		})
	}
}

// A temp's name has the engine, and no temp of the same bytes is ever called the same.
func TestTempsCarryTheirEngine(t *testing.T) {
	for _, engine := range []string{"00000000000000aa", ""} {
		root, path := vault(t, before)
		var log []Intention
		c := change(root, path, before, after, &log)
		c.Engine = engine
		if _, err := On(nil).File(context.Background(), c); err != nil || len(log) == 0 {
			t.Fatal(err)
		}
		m := tempName.FindStringSubmatch(filepath.Base(log[0].Temp))
		if m == nil || m[1] != engine || m[2] != thisRun {
			t.Errorf("engine %q: %q", engine, log[0].Temp)
		}
		settleAll(t, log)
		wantNoTemps(t, root)
		in := Intention{Base: log[0].Base, New: log[0].New}
		if a, b := makeStem(engine, in), makeStem(engine, in); a == b {
			t.Error("two temps have one name")
		}
	}
	if m := tempName.FindStringSubmatch("0123456789abcdef-0123456789abcdef-fedcba9876543210.new"); m == nil || m[1] != "" || m[3] != "0123456789abcdef" {
		t.Errorf("a temp of an earlier version: %q", m)
	}
}
