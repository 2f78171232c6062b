package swap

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// steps exchanges two files where the system has no single call for it, as on
// Windows: the note is replaced and its old file gets a third name, then that
// becomes the temp's. Always with such a third name: without one the system may
// delete the old file before it fails. It is a type of its own, built on every
// system, so that each of its turns can be tried everywhere.
type steps struct {
	replace   func(note, temp, old string) error // note, temp -> old, note
	rename    func(from, to string) error        // may replace
	renameNew func(from, to string) error        // may not
	pause     func(time.Duration)
}

// How long a step that fails for a passing reason is repeated. While the note is
// held others wait or are refused, and the whole exchange will be tried again, so
// the first step gives up soon. The other two have a name to bring back.
const (
	patience     = 250 * time.Millisecond
	longPatience = 5 * time.Second
)

func (s steps) exchange(temp, note string) error {
	old := siblingTemp(temp, oldKind)
	err := s.repeatWhileBusy(patience, func() error { return s.replace(note, temp, old) })
	switch judgeError(err) {
	case done:
		err = s.repeatWhileBusy(longPatience, func() error { return s.rename(old, temp) })
	case halfway:
		err = errors.Join(err, s.repeatWhileBusy(longPatience, func() error { return s.renameNew(old, note) }))
	case passing:
		err = fmt.Errorf("%w (%w)", ErrBusy, err)
	case lacking:
		err = fmt.Errorf("%w (%w)", errors.ErrUnsupported, err)
	}
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: temp, New: note, Err: err}
	}
	return nil
}

// repeatWhileBusy repeats what virus scanners and indexers make fail for a moment.
func (s steps) repeatWhileBusy(limit time.Duration, do func() error) error {
	var waited time.Duration
	for wait := time.Millisecond; ; wait *= 2 {
		err := do()
		if v := judgeError(err); v != passing && v != denied || waited+wait > limit {
			return err
		}
		s.pause(wait)
		waited += wait
	}
}

// verdict is what an error of Windows means for a step.
type verdict int

const (
	done    verdict = iota
	passing         // another program has one of the files open; all names are as they were
	denied          // the same, or the user may not; all names are as they were
	halfway         // the note has its third name and its own name is free
	lacking         // the file system knows no such thing
	failed          // all else; all names are as they were
)

// judgeError decides by the numbers of winerror.h. ReplaceFileW with a third name keeps all names for
// every error but 1177, which leaves the note under its third name:
// https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-replacefilea
// (ReplaceFileW has the same "Return value").
func judgeError(err error) verdict {
	var code syscall.Errno
	switch {
	case err == nil:
		return done
	case !errors.As(err, &code):
		return failed
	}
	switch code {
	case 5: // ERROR_ACCESS_DENIED
		return denied
	case 32, // ERROR_SHARING_VIOLATION
		33,   // ERROR_LOCK_VIOLATION
		1175, // ERROR_UNABLE_TO_REMOVE_REPLACED
		1176: // ERROR_UNABLE_TO_MOVE_REPLACEMENT
		return passing
	case 1177: // ERROR_UNABLE_TO_MOVE_REPLACEMENT_2
		return halfway
	case 1, // ERROR_INVALID_FUNCTION
		17, // ERROR_NOT_SAME_DEVICE
		50: // ERROR_NOT_SUPPORTED
		return lacking
	}
	return failed
}
