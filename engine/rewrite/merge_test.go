package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/rewrite/swap"
)

// copied is a scene whose note was saved into the version that its answer has
// displaced, so that there is a copy.
func copied(t *testing.T, displaced string) (scene, Copy) {
	t.Helper()
	const text = "# Note\n\n> @agent-Miner what\n> did we?\n\nend\n"
	s := newScene(t, t.TempDir(), text)
	var logged []swap.Intention
	if _, err := brisk.answerGroup(ctx, s.job(numbered), logTo(&logged)); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(s.root, ".vault-mind", "tmp", "*.kept"))
	if err != nil || len(kept) != 1 || os.WriteFile(kept[0], []byte(displaced), 0o644) != nil {
		t.Fatalf("what was displaced: %v, %v", kept, err)
	}
	out, err := swap.Settle(logged[0])
	if err != nil || out.Conflict == "" {
		t.Fatalf("no copy: %+v, %v", out, err)
	}
	return s, Copy{Root: s.root, Path: s.path, Copy: out.Conflict, Base: []byte(text)}
}

func TestMerge(t *testing.T) {
	const answer = "<!-- agent-response -->\nanswer number 0\n<!-- /agent-response -->\n"
	for name, c := range map[string]struct {
		displaced, more, want string // more is written at the note's end meanwhile
		err                   error
	}{
		"a line below":    {"# Note\n\n> @agent-Miner what\n> did we?\nbelow\n\nend\n", "", "# Note\n\n" + answer + "below\n\nend\n", nil},
		"at the end":      {"# Note\n\n> @agent-Miner what\n> did we?\n\nend\nmore\n", "", "# Note\n\n" + answer + "\nend\nmore\n", nil},
		"both":            {"# New\n\n> @agent-Miner what\n> did we?\n\nend\n", "later\n", "# New\n\n" + answer + "\nend\nlater\n", nil},
		"nothing":         {"# Note\n\n> @agent-Miner what\n> did we?\n\nend\n\n", "\n", "# Note\n\n" + answer + "\nend\n\n", nil},
		"the same line":   {"# Note\n\n> @agent-Miner what\n> did you?\n\nend\n", "", "", ErrApart},
		"both at the end": {"# Note\n\n> @agent-Miner what\n> did we?\n\nend\nmore\n", "later\n", "", ErrApart},
		"cut short":       {"# Note\n\n> @agent", "", "", ErrApart},
		"emptied":         {"", "", "", ErrApart},
	} {
		t.Run(name, func(t *testing.T) {
			s, copy := copied(t, c.displaced)
			before := s.read() + c.more
			if err := os.WriteFile(s.path, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
			var logged []swap.Intention
			open, err := brisk.merge(ctx, copy, logTo(&logged))
			if !errors.Is(err, c.err) {
				t.Fatalf("%v, want %v", err, c.err)
			}
			if c.err != nil {
				if got, err := os.ReadFile(copy.Copy); err != nil || string(got) != c.displaced || s.read() != before {
					t.Errorf("the copy is %q, %v, the note %q", got, err, s.read())
				}
				return
			}
			if got := s.read(); got != c.want {
				t.Errorf("the note is\n%q, want\n%q", got, c.want)
			}
			if _, err := os.Lstat(copy.Copy); err == nil {
				t.Error("the copy is still there")
			}
			if len(open) != len(logged) {
				t.Errorf("%d intentions stay open of %d", len(open), len(logged))
			}
			s.settle(logged)
			if all := s.everything(); all != c.want+"\n" {
				t.Errorf("in the end there is\n%q", all)
			}
			s.noStrayTemps()
		})
	}
}

// A program that goes on writing into the copy when it was merged loses nothing:
// its words are in a copy again.
func TestMergedCopyIsWrittenOn(t *testing.T) {
	s, copy := copied(t, "# Note\n\n> @agent-Miner what\n> did we?\n\nend\nmore\n")
	var logged []swap.Intention
	log := logTo(&logged)
	if _, err := brisk.merge(ctx, copy, log); err != nil {
		t.Fatal(err)
	}
	e := &editor{scene: s}
	if !e.late() {
		t.Fatal("nothing was displaced")
	}
	s.settle(logged)
	if all := s.everything(); !strings.Contains(all, e.lines[0]) {
		t.Errorf("%q is lost:\n%s", e.lines[0], all)
	}
	s.noStrayTemps()
}

// A merge dies at every step: the user's line is in the note or in a copy, and the
// answer stands once.
func TestMergeKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	count := 0
	for death := 0; ; death++ {
		s, copy := copied(t, "# Note\n\n> @agent-Miner what\n> did we?\n\nend\nmore\n")
		l := &life{death: death, edit: -1}
		copy.Files = newDisk(l.step)
		var logged []swap.Intention
		_, err := brisk.merge(ctx, copy, logAfter(l.step, &logged))
		if err != nil && !l.dead {
			t.Fatal(err)
		}
		for _, in := range logged {
			if _, err := swap.Recover(in); err != nil {
				t.Errorf("death %d: recovery: %v", death, err)
			}
		}
		all, got := s.everything(), s.read()
		if !strings.Contains(all, "more\n") || strings.Count(got, numbered(0)) != 1 || strings.Count(got, "more\n") > 1 {
			t.Errorf("death %d: there is\n%s", death, all)
		}
		s.noStrayTemps()
		count++
		if !l.dead {
			break
		}
	}
	t.Logf("%d deaths", count)
	if count < 20 {
		t.Error("hardly any step was met")
	}
}
