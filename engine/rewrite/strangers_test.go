package rewrite

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/note"
)

// An equal answer of another question is not taken for the own one; and the own one is found whatever was written around it.
func TestUndoLeavesStrangers(t *testing.T) {
	const block = "<!-- agent-response -->\nthe same\n<!-- /agent-response -->"
	const q, mine, theirs = "> @agent-Miner q?\n", "x\n\n" + block + "\n\ny\n", "p\n\n" + block + "\n\nq\n"
	for name, c := range map[string]struct {
		own, other     string // what stands in either note now; "" = it is gone
		before, after  string // the other answer's neighbours
		inOwn, foreign bool   // the other was in the own note
	}{
		"nobody touched it":                       {mine, theirs, "p", "q", false, false},
		"names swapped":                           {theirs, mine, "p", "q", false, true},
		"names swapped, edited above":             {"new\n\n" + block + "\n\nq\n", mine, "p", "q", false, true},
		"names swapped, edited elsewhere":         {theirs + "more\n", mine + "more\n", "p", "q", false, true},
		"names swapped, with other line ends":     {"p\r\n\r\n<!-- agent-response -->\r\nthe same\r\n<!-- /agent-response -->\r\n\r\nq\r\n", mine, "p", "q", false, true},
		"names swapped, one line is the same":     {"x\n\n" + block + "\n\nq\n", mine, "x", "q", false, true},
		"names swapped, both lines are":           {"#\n" + mine, "other\n" + mine, "x", "y", false, true},
		"the other name taken, and its note gone": {theirs, "", "p", "q", false, true},
		"the own answer gone from the own note":   {"p\n\n" + block + "\n\nq\n", "", "p", "q", true, true},
		"edited above":                            {"new\n\n" + block + "\n\ny\n", theirs, "p", "q", false, false},
		"edited above and below":                  {"new\n\n" + block + "\n\nnewer\n", theirs, "p", "q", false, false},
		"all else deleted":                        {block + "\n", theirs, "p", "q", false, false},
		"all else deleted, the other stood alone": {block + "\n", block + "\n", "", "", false, false},
		"edited to what is beside the other":      {theirs, theirs, "p", "q", false, false},
		"moved to the other in the same note":     {"p\n\n" + block + "\n\nq\n\nx\n\n" + block + "\n\ny\n", "", "p", "q", true, false},
		"both of a template":                      {mine + "more\n", mine, "x", "y", false, false},
		"both edited away":                        {"a\n\n" + block + "\n\nb\n", "c\n\n" + block + "\n\nd\n", "p", "q", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), "x\n\n"+q+"\ny\n")
			job := answered(t, s, func(int) string { return "the same" })
			written := s.read()
			if written != mine {
				t.Fatalf("it is\n%s", written)
			}
			stranger := Stranger{Path: filepath.Join(filepath.Dir(s.path), "other.md"), Hash: [32]byte{1},
				Block: note.Block{Text: []byte(block), Upper: []byte(c.before), Lower: []byte(c.after)}}
			if c.inOwn {
				stranger.Path = s.path
			}
			if name == "names swapped, both lines are" { // then only the bytes tell
				stranger.Hash = sha256.Sum256([]byte(c.own))
			}
			job.Hash, job.Strangers = sha256.Sum256([]byte(written)), []Stranger{stranger}
			for path, text := range map[string]string{s.path: c.own, filepath.Join(filepath.Dir(s.path), "other.md"): c.other} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if !c.foreign {
				if _, err := brisk.undo(ctx, job, unlogged); err != nil || len(note.Parse([]byte(s.read())).Markers) != 1 {
					t.Errorf("%v, and the note is\n%s", err, s.read())
				}
				return
			}
			_, undo := brisk.undo(ctx, job, unlogged)
			job.Places[0].Answer = "another"
			_, replace := brisk.replace(ctx, job, unlogged)
			if !errors.Is(undo, ErrForeign) || !errors.Is(replace, ErrForeign) || s.read() != c.own {
				t.Errorf("%v and %v, and the note is\n%s", undo, replace, s.read())
			}
		})
	}
}
