package swap

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const absent = "\x00absent"

// Every state a crash can leave, and some that need a user as well.
func TestRecover(t *testing.T) {
	const user = "the user's words\n"
	for name, c := range map[string]struct {
		kind                 string
		note, new, base, old string
		wantNote, wantCopy   string
		state                State
		written              bool
	}{
		"not exchanged":              {kind: newKind, note: before, new: after, wantNote: before, state: IsBase},
		"not exchanged, user saved":  {kind: newKind, note: user, new: after, wantNote: user, state: Other},
		"not exchanged, note gone":   {kind: newKind, note: absent, new: after, wantNote: absent, state: Gone},
		"exchanged":                  {kind: newKind, note: after, new: before, wantNote: after, state: IsNew, written: true},
		"exchanged, user saved":      {kind: newKind, note: user, new: before, wantNote: user, state: Other, written: true},
		"exchanged, note gone":       {kind: newKind, note: absent, new: before, wantNote: absent, state: Gone, written: true},
		"ended":                      {kind: newKind, note: after, new: absent, wantNote: after, state: IsNew, written: true},
		"never begun":                {kind: newKind, note: before, new: absent, wantNote: before, state: IsBase},
		"a save was displaced":       {kind: newKind, note: after, new: user, wantNote: user, state: Other},
		"displaced, saved again":     {kind: newKind, note: "later\n", new: user, wantNote: "later\n", wantCopy: user, state: Other},
		"displaced, note gone":       {kind: newKind, note: absent, new: user, wantNote: absent, wantCopy: user, state: Gone},
		"displaced, base came back":  {kind: newKind, note: before, new: user, wantNote: before, wantCopy: user, state: IsBase},
		"third name, replaced":       {kind: newKind, note: after, new: absent, old: before, wantNote: after, state: IsNew, written: true},
		"third name, save replaced":  {kind: newKind, note: after, new: absent, old: user, wantNote: user, state: Other},
		"third name, note absent":    {kind: newKind, note: absent, new: after, old: before, wantNote: before, state: IsBase},
		"third name, save absent":    {kind: newKind, note: absent, new: after, old: user, wantNote: user, state: Other},
		"third name, all there":      {kind: newKind, note: "later\n", new: after, old: user, wantNote: "later\n", wantCopy: user, state: Other},
		"in place, not begun":        {kind: baseKind, note: before, new: after, base: before, wantNote: before, state: IsBase},
		"in place, done":             {kind: baseKind, note: after, new: after, base: before, wantNote: after, state: IsNew, written: true},
		"in place, done and swept":   {kind: baseKind, note: after, wantNote: after, state: IsNew, written: true},
		"in place, half swept":       {kind: baseKind, note: after, base: before, wantNote: after, state: IsNew, written: true},
		"in place, torn":             {kind: baseKind, note: after[:7] + before[7:], new: after, base: before, wantNote: before, state: IsBase},
		"in place, torn then edited": {kind: baseKind, note: after[:7] + before[7:] + user, new: after, base: before, wantNote: after[:7] + before[7:] + user, wantCopy: before, state: Other},
		"in place, torn, no new":     {kind: baseKind, note: after[:7] + before[7:], base: before, wantNote: after[:7] + before[7:], wantCopy: before, state: Other},
		"in place, note gone":        {kind: baseKind, note: absent, new: after, base: before, wantNote: absent, state: Gone},
	} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, c.note)
			if c.note == absent {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			in := intention(t, root, path, before, after, c.kind)
			for kind, text := range map[string]string{newKind: c.new, baseKind: c.base, oldKind: c.old} {
				if text != "" && text != absent {
					write(t, siblingTemp(in.Temp, kind), text)
				}
			}
			// Twice: a recovery that is repeated must find the same and do nothing.
			for round := range 2 {
				out, err := Recover(in)
				if err != nil {
					t.Fatal(err)
				}
				if out.Note != c.state || round == 0 && out.Written != c.written {
					t.Errorf("round %d: got %+v, want note %q, written %v", round, out, c.state, c.written)
				}
				if (out.Conflict != "") != (c.wantCopy != "" && round == 0) {
					t.Errorf("round %d: conflict copy %q", round, out.Conflict)
				}
				if c.wantNote == absent {
					if _, err := os.Lstat(path); !os.IsNotExist(err) {
						t.Errorf("the note is back: %v", err)
					}
				} else {
					wantNote(t, path, c.wantNote)
				}
				if got := strings.Join(conflicts(t, root), "|"); got != c.wantCopy {
					t.Errorf("conflict copies hold %q, want %q", got, c.wantCopy)
				}
				wantNoTemps(t, root)
			}
		})
	}
}

// A write in place may be cut short after every byte, in both directions.
func TestRecoverRestoresEveryTear(t *testing.T) {
	long, short := before+strings.Repeat("more\n", 4), after
	for _, c := range [][2]string{{long, short}, {short, long}} {
		base, next := c[0], c[1]
		for k := range len(next) + 1 {
			note := next[:k]
			if k < len(base) {
				note += base[k:]
			}
			root, path := vault(t, note)
			in := intention(t, root, path, base, next, baseKind)
			write(t, in.Temp, base)
			write(t, siblingTemp(in.Temp, newKind), next)
			written, err := os.Lstat(path) // by an engine that was killed, and maybe not on the disk
			if err != nil {
				t.Fatal(err)
			}
			disk := &powered{Files: osFiles{}, unsynced: []fs.FileInfo{written}}
			out, err := On(disk).Recover(in)
			if err != nil || out.Conflict != "" {
				t.Fatalf("torn after %d bytes: %+v, %v", k, out, err)
			}
			if note != base {
				disk.wantSynced(t, path)
			}
			if want := map[bool]string{true: next, false: base}[out.Written]; read(t, path) != want || out.Written != (note == next) {
				t.Fatalf("torn after %d bytes: %+v and the note holds %q", k, out, read(t, path))
			}
			wantNoTemps(t, root)
		}
	}
}

// mkdirs makes a folder below root; none for the empty name.
func mkdirs(root, name string) error {
	if name == "" {
		return nil
	}
	return os.MkdirAll(filepath.Join(root, name), 0o755)
}

func TestRecoverWaitsForAnUnmountedVault(t *testing.T) {
	root, path := vault(t, after)
	in := intention(t, root, path, before, after, newKind)
	write(t, in.Temp, "the user's words\n")
	away := root + "-away"
	if err := os.Rename(root, away); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(away) })
	for _, there := range []string{"", ".", ".vault-mind"} { // the last is what a probe leaves
		if err := mkdirs(root, there); err != nil {
			t.Fatal(err)
		}
		if _, err := Recover(in); !errors.Is(err, ErrVaultGone) {
			t.Errorf("with %q there: got %v, want ErrVaultGone", there, err)
		}
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, root); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(in); err != nil {
		t.Fatal(err)
	}
	wantNote(t, path, "the user's words\n")
}

func TestDeletedFolderComesBackForAConflictCopy(t *testing.T) {
	root, _ := vault(t, before)
	path := filepath.Join(root, "a", "b", "Deep.md")
	in := intention(t, root, path, before, after, newKind)
	write(t, in.Temp, "the user's words\n")
	out, err := Recover(in)
	if err != nil || out.Conflict == "" {
		t.Fatalf("got %+v, %v", out, err)
	}
	wantNote(t, out.Conflict, "the user's words\n")
}

func TestProbeWithoutExchange(t *testing.T) {
	root, _ := vault(t, before)
	if c := On(noExchange()).Probe(root); c.Exchange || c.Reason == "" {
		t.Errorf("got %+v", c)
	}
	readOnly := hooked{Files: osFiles{}, mkdir: func(dir string) error {
		return &os.PathError{Op: "mkdir", Path: dir, Err: errors.New("read-only file system")}
	}}
	if c := On(readOnly).Probe(root); c.Exchange || c.Lease || !strings.Contains(c.Reason, "cannot be written") {
		t.Errorf("got %+v", c)
	}
	lying := hooked{Files: osFiles{}, exchange: func(string, string) error { return nil }}
	if c := On(lying).Probe(root); c.Exchange {
		t.Errorf("believed a system that does nothing: %+v", c)
	}
	entries, err := os.ReadDir(filepath.Join(root, ".vault-mind"))
	if err != nil || len(entries) > 0 {
		t.Errorf("the probe left %v, %v", entries, err)
	}
}
