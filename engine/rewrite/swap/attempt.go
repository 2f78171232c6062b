package swap

import (
	"bytes"
	"fmt"
)

// Quiet reports ErrBusy if somebody has the note open for writing, and
// ErrChanged if it no longer is what was read. Where the system cannot tell who
// writes, only the second is noticed.
func (s Swapper) Quiet(src Source) error {
	_, err := s.checkQuiet(src)
	return err
}

// checkQuiet is asked before a temp is made, so that a busy note costs nothing. blind
// is said of a note whose writers we could not learn of: what the exchange
// displaced might go on growing unseen, so it is better written in place.
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

// attempt is one try to exchange one note's contents. Its temp lies ready
// before anything is told to the log.
type attempt struct {
	Swapper
	Intention
	base, new []byte
	log       func(Intention) error
	engine    string
	foreign   bool // the temp could not be given the note's owner
}

// giveUp ends a failed attempt as the recovery of a crash would, so that there
// is one way to clean up and not two. cause is returned unless the new bytes
// turn out to stand in the note after all.
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
