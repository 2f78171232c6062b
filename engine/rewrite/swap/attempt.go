package swap

import (
	"bytes"
	"fmt"
)

// Quiet reports ErrBusy if a program has the note open for writing, and ErrChanged if it no longer is
// as it was read. If the system cannot tell who writes, Quiet notices only the change.
func (s Swapper) Quiet(src Source) error {
	_, err := s.checkQuiet(src)
	return err
}

// checkQuiet is called before a temp is made, so that a busy note costs nothing. blind means that the
// system could not tell the note's writers: the displaced file might grow unseen, so the note is
// better written in place.
func (s Swapper) checkQuiet(src Source) (blind bool, err error) {
	h, err := s.files.Open(src.Path, Quiet)
	if err != nil {
		return false, fmt.Errorf("hold the note: %w", err)
	}
	defer h.Close()
	data, err := readAll(h)
	if err != nil {
		return false, fmt.Errorf("read note: %w", err)
	}
	if !bytes.Equal(data, src.Data) {
		return false, ErrChanged
	}
	return leases && !h.Leased(), nil
}

// attempt is one try to exchange one note's contents. Its temp is complete before anything is told to
// the log.
type attempt struct {
	Swapper
	Intention
	base, new []byte
	log       func(Intention) error
	engine    string
	foreign   bool // the temp could not be given the note's owner
}

// giveUp ends a failed attempt as the recovery of a crash would, so that there is one way to clean up
// and not two. It returns cause unless the new bytes turn out to be in the note after all.
func (a *attempt) giveUp(cause error) (Outcome, error) {
	out, err := a.recoverIntention(a.Intention)
	switch {
	case err != nil:
		return out, fmt.Errorf("%w; %w: %w", cause, ErrUnended, err)
	case out.Written:
		return out, nil
	}
	return out, cause
}
