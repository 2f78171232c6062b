package rewrite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// manner is what a user does to the note between two steps of ours.
type manner int

const (
	overwrites manner = iota // reads, and writes the old text and a new line into the same file
	replaces                 // the same as a new file under the old name
	appends                  // adds a line to the end
	deletes                  // removes the note
	manners
)

// editor saves unique lines as note apps do.
type editor struct {
	scene
	lines   []string
	manner  manner
	deleted bool
	waiting chan error // a save that waits for a lease to end
}

func (e *editor) save() {
	if e.manner == deletes {
		err := os.Remove(e.path)
		e.deleted = err == nil || errors.Is(err, fs.ErrNotExist)
		if !e.deleted && !refused(err) { // a held note stays, and its user is told so
			e.t.Error(err)
		}
		return
	}
	line := fmt.Sprintf("line %d of the user\n", len(e.lines))
	e.lines = append(e.lines, line)
	text, err := "", error(nil)
	if e.manner != appends {
		text, err = e.open(os.O_RDONLY, "")
	}
	if err == nil {
		err = e.put(text + line)
	}
	// The note is held: a program that asks without patience is told so, all
	// others wait, and so does the rest of this save.
	if errors.Is(err, syscall.EAGAIN) || refused(err) {
		e.waiting = make(chan error, 1)
		go func() { e.waiting <- allowed(func() error { return e.patiently(text, line) }) }()
		return
	}
	if err != nil {
		e.t.Error(err)
	}
}

// refused reports whether err is what Windows says to a program that wants to write
// a note which is held, or which ReplaceFileW is exchanging: it renames twice, and
// between the two nothing has the name. There a program does not wait, but has to
// try again.
func refused(err error) bool {
	const sharingViolation = syscall.Errno(32)
	return runtime.GOOS == "windows" &&
		(errors.Is(err, fs.ErrPermission) || errors.Is(err, sharingViolation) || errors.Is(err, fs.ErrNotExist))
}

// allowed tries a save again for as long as it is refused.
func allowed(save func() error) error {
	for end := time.Now().Add(time.Minute); ; {
		err := save()
		if !refused(err) || time.Now().After(end) {
			return err
		}
		<-time.After(time.Millisecond)
	}
}

// put saves without waiting.
func (e *editor) put(text string) error {
	flag := os.O_WRONLY | os.O_TRUNC
	switch e.manner {
	case replaces:
		tmp := e.path + ".editor"
		return errors.Join(os.WriteFile(tmp, []byte(text), 0o644), os.Rename(tmp, e.path))
	case appends:
		flag = os.O_WRONLY | os.O_APPEND
	}
	_, err := e.open(flag, text)
	return err
}

// patiently goes on with a save that met a lease.
func (e *editor) patiently(text, line string) error {
	if e.manner == appends {
		f, err := os.OpenFile(e.path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString(line)
		return errors.Join(err, f.Close())
	}
	if text == "" {
		b, err := os.ReadFile(e.path)
		if err != nil {
			return err
		}
		text = string(b)
	}
	return os.WriteFile(e.path, []byte(text+line), 0o644)
}

// open opens the note without waiting, reads it or writes text.
func (e *editor) open(flag int, text string) (string, error) {
	f, err := os.OpenFile(e.path, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if flag == os.O_RDONLY {
		b, err := io.ReadAll(f)
		return string(b), err
	}
	_, err = f.WriteString(text)
	return "", err
}

// settle waits for a save that waits.
func (e *editor) settle() {
	if e.waiting != nil {
		if err := <-e.waiting; err != nil {
			e.t.Error(err)
		}
		e.waiting = nil
	}
}

// late adds a line to what was displaced and is kept for its grace, as a program
// does that had the note open, and reports whether anything was.
func (e *editor) late() bool {
	kept, err := filepath.Glob(filepath.Join(e.root, ".vault-mind", "tmp", "*.kept"))
	if err != nil || len(kept) == 0 {
		return false
	}
	f, err := os.OpenFile(kept[0], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		e.t.Error(err)
		return false
	}
	line := fmt.Sprintf("late line %d of the user\n", len(e.lines))
	e.lines = append(e.lines, line)
	if _, err := f.WriteString(line); errors.Join(err, f.Close()) != nil {
		e.t.Error(err)
	}
	return true
}
