package swap

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

// disk is a folder in memory whose verbs fail as the script says: one number for
// each call, 0 for success. It behaves as ReplaceFileW is documented to.
type disk struct {
	files  map[string]string
	script []syscall.Errno
	waited time.Duration
}

func (d *disk) next() syscall.Errno {
	if len(d.script) == 0 {
		return 0
	}
	code := d.script[0]
	d.script = d.script[1:]
	return code
}

func (d *disk) move(from, to string) error {
	text, ok := d.files[from]
	if !ok {
		return fs.ErrNotExist
	}
	delete(d.files, from)
	d.files[to] = text
	return nil
}

func (d *disk) replace(note, temp, old string) error {
	switch code := d.next(); code {
	case 0:
		return errors.Join(d.move(note, old), d.move(temp, note))
	case 1177:
		return errors.Join(d.move(note, old), code)
	default:
		return code
	}
}

func (d *disk) rename(from, to string) error {
	if code := d.next(); code != 0 {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: code}
	}
	return d.move(from, to)
}

func (d *disk) renameNew(from, to string) error {
	if _, taken := d.files[to]; taken {
		return fs.ErrExist
	}
	return d.rename(from, to)
}

func (d *disk) steps() steps {
	return steps{d.replace, d.rename, d.renameNew, func(w time.Duration) { d.waited += w }}
}

func repeat(code syscall.Errno, n int) []syscall.Errno {
	codes := make([]syscall.Errno, n)
	for i := range codes {
		codes[i] = code
	}
	return codes
}

func TestSteps(t *testing.T) {
	whole := map[string]string{"x.new": "new", "Note.md": "old"}
	exchanged := map[string]string{"x.new": "old", "Note.md": "new"}
	for name, c := range map[string]struct {
		script []syscall.Errno
		want   error
		files  map[string]string
	}{
		"at once":                       {nil, nil, exchanged},
		"scanner lets go":               {[]syscall.Errno{32, 5, 33, 1175, 1176}, nil, exchanged},
		"open without sharing":          {repeat(32, 99), ErrBusy, whole},
		"cannot be removed":             {repeat(1175, 99), ErrBusy, whole},
		"cannot be moved":               {repeat(1176, 99), ErrBusy, whole},
		"denied for good":               {repeat(5, 99), fs.ErrPermission, whole},
		"half-way and back":             {[]syscall.Errno{1177}, syscall.Errno(1177), whole},
		"half-way, scanner, back":       {[]syscall.Errno{1177, 32, 5, 32}, syscall.Errno(1177), whole},
		"half-way and stuck":            {append([]syscall.Errno{1177}, repeat(32, 99)...), syscall.Errno(1177), map[string]string{"x.new": "new", "x.old": "old"}},
		"third name stays a while":      {[]syscall.Errno{0, 32, 32, 32, 32, 32, 32, 32, 32, 32}, nil, exchanged},
		"third name stays":              {append([]syscall.Errno{0}, repeat(32, 99)...), syscall.Errno(32), map[string]string{"x.old": "old", "Note.md": "new"}},
		"no such function":              {[]syscall.Errno{1}, errors.ErrUnsupported, whole},
		"not supported":                 {[]syscall.Errno{50}, errors.ErrUnsupported, whole},
		"two devices":                   {[]syscall.Errno{17}, errors.ErrUnsupported, whole},
		"disk full is no passing error": {[]syscall.Errno{112}, syscall.Errno(112), whole},
	} {
		t.Run(name, func(t *testing.T) {
			d := &disk{files: maps.Clone(whole), script: c.script}
			err := d.steps().exchange("x.new", "Note.md")
			if !errors.Is(err, c.want) && !(c.want == fs.ErrPermission && judgeError(err) == denied) {
				t.Errorf("got error %v, want %v", err, c.want)
			}
			if !maps.Equal(d.files, c.files) {
				t.Errorf("left %v, want %v", d.files, c.files)
			}
			if limit := patience + longPatience; d.waited > limit {
				t.Errorf("waited %v, more than %v", d.waited, limit)
			}
		})
	}
}

// Whatever fails and however often, both texts are there, the note's name is
// absent only with an error, and an error that is not half-way has changed nothing
// or left the third name, which Recover knows.
func TestStepsLoseNothing(t *testing.T) {
	seed := testseed.Take(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	codes := []syscall.Errno{0, 0, 1, 2, 5, 17, 32, 33, 50, 112, 1175, 1176, 1177}
	for range 20_000 {
		var script []syscall.Errno
		for range rnd.IntN(30) {
			code := codes[rnd.IntN(len(codes))]
			for range 1 + rnd.IntN(15) {
				script = append(script, code)
			}
		}
		d := &disk{files: map[string]string{"x.new": "new", "Note.md": "old"}, script: script}
		err := d.steps().exchange("x.new", "Note.md")
		texts := make(map[string]bool)
		for _, text := range d.files {
			texts[text] = true
		}
		note, there := d.files["Note.md"]
		exchanged := d.files["x.new"] == "old" && note == "new"
		if !texts["old"] || !texts["new"] || (err == nil) != exchanged || !there && judgeError(err) != halfway {
			t.Fatalf("script %v: %v, left %v", script, err, d.files)
		}
	}
}

func TestJudge(t *testing.T) {
	for code, want := range map[syscall.Errno]verdict{
		1: lacking, 2: failed, 3: failed, 5: denied, 17: lacking, 32: passing, 33: passing,
		50: lacking, 80: failed, 112: failed, 183: failed, 1175: passing, 1176: passing, 1177: halfway,
	} {
		for _, err := range []error{code, &os.LinkError{Op: "rename", Err: code}, fmt.Errorf("wrapped: %w", code)} {
			if got := judgeError(err); got != want {
				t.Errorf("judge(%v) of error %d is %d, want %d", err, uintptr(code), got, want)
			}
		}
	}
	if judgeError(nil) != done || judgeError(errors.New("other")) != failed {
		t.Error("judge mistakes what is no number of the system")
	}
}
