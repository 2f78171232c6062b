package swap

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// exchangeNote is the way for a note with one name on a file system that can exchange names. Recovery
// runs while the note is still held: a program that waits to write the displaced file must find it
// under the note's name again. If that is impossible, other writers were refused and do not wait.
func (a *attempt) exchangeNote() (Outcome, error) {
	if err := a.log(a.Intention); err != nil {
		return a.giveUp(fmt.Errorf("record the intention: %w", err))
	}
	held, err := a.files.Open(a.Path, Quiet)
	if err != nil {
		return a.giveUp(fmt.Errorf("hold the note: %w", err))
	}
	defer held.Close()
	if leases && !held.Leased() {
		return Outcome{Note: IsBase}, errors.ErrUnsupported
	}
	data, err := readAll(held)
	if err == nil && !bytes.Equal(data, a.base) {
		err = ErrChanged
	}
	if err != nil {
		return a.giveUp(err)
	}
	_ = a.files.Touch(a.Temp) // a note that is older than its exchange looks as if sync had brought it
	err = a.files.Exchange(a.Temp, a.Path)
	if errors.Is(err, errors.ErrUnsupported) {
		return Outcome{Note: IsBase}, err
	}
	if err != nil {
		return a.giveUp(fmt.Errorf("exchange: %w", err))
	}
	if err := a.confirmDisplaced(held); err != nil {
		if heldStays {
			held.Close()
		}
		returned, back := a.putBack(a.Intention)
		out, err := a.giveUp(errors.Join(err, back))
		a.keepReturned(a.Intention, returned)
		return out, err
	}
	if err := a.files.Rename(a.Temp, siblingTemp(a.Temp, keptKind)); err != nil {
		// The note is right; only the temp is left, and Recover knows it.
		return a.giveUp(fmt.Errorf("keep the displaced note: %w", err))
	}
	return Outcome{Written: true, Note: IsNew, Displaced: a.Temp}, nil
}

// confirmDisplaced checks the displaced file, makes the exchange durable and checks again: in that
// time a program that had found the old file before the exchange comes to open it.
func (a *attempt) confirmDisplaced(held Handle) error {
	if err := a.checkDisplaced(held); err != nil {
		return err
	}
	if err := a.files.SyncDir(filepath.Dir(a.Path)); err != nil {
		return fmt.Errorf("make the exchange durable: %w", err)
	}
	return a.checkDisplaced(held)
}

// checkDisplaced reports ErrChanged unless the temp's name now holds the very file we held, with the
// bytes we read, and no program waits to write it.
func (a *attempt) checkDisplaced(held Handle) error {
	was, err := held.Stat()
	if err != nil {
		return fmt.Errorf("look at displaced note: %w", err)
	}
	is, err := a.files.Lstat(a.Temp)
	if err != nil {
		return fmt.Errorf("look at displaced note: %w", err)
	}
	data, err := readAll(held)
	if err != nil {
		return fmt.Errorf("read displaced note: %w", err)
	}
	if !os.SameFile(was, is) || !bytes.Equal(data, a.base) || !held.Undisturbed() {
		return ErrChanged
	}
	return nil
}

// putBack returns the file under the temp's name to the note. If another program has saved over our
// bytes meanwhile, the file that comes out is newer than the one that went in, so putBack exchanges
// again. The caller settles the last file under the temp's name. putBack returns the saves that went
// back.
func (s Swapper) putBack(in Intention) (returned [][]byte, err error) {
	placed := in.New
	for range mostReturned {
		data, err := s.readContents(in.Temp)
		if err != nil {
			return returned, fmt.Errorf("put the displaced note back: %w", err)
		}
		if err := s.files.Exchange(in.Temp, in.Path); err != nil {
			return returned, fmt.Errorf("put the displaced note back: %w", err)
		}
		going := sha256.Sum256(data)
		if going != in.Base && going != in.New {
			returned = append(returned, data)
		}
		came, err := s.hashFile(in.Temp)
		if err != nil {
			return returned, fmt.Errorf("put the displaced note back: %w", err)
		}
		// The file that came out is settled under the temp's name.
		returned = slices.DeleteFunc(returned, func(d []byte) bool { return sha256.Sum256(d) == came })
		if came == placed {
			break
		}
		placed = going
	}
	if err := s.files.SyncDir(filepath.Dir(in.Path)); err != nil {
		return returned, fmt.Errorf("make the return durable: %w", err)
	}
	return returned, nil
}

// hashFile hashes a file.
func (s Swapper) hashFile(name string) ([sha256.Size]byte, error) {
	h, err := s.files.Open(name, Free)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	defer h.Close()
	data, err := readAll(h)
	return sha256.Sum256(data), err
}
