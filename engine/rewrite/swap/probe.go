package swap

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
)

// Capability says what a vault's file system can do. With Exchange a note is
// replaced in one step; without it notes are written in place.
type Capability struct {
	Exchange bool   // two names can be exchanged
	Lease    bool   // we learn when a program wants to write a note we hold
	Reason   string // why there is no exchange, or no lease; empty when there are both
	Err      error  // the cause behind Reason, if any
}

// Probe tries it out in the vault and leaves nothing behind but the vault's
// .vault-mind folder. A vault that cannot be written is no error: Reason says so.
func Probe(root string) Capability { return On(nil).Probe(root) }

// Probe is [Probe] on s's file operations.
func (s Swapper) Probe(root string) Capability {
	c, err := s.probeFolder(root)
	c.Exchange = c.Exchange && (c.Lease || !leases)
	switch {
	case err != nil:
		c.Reason, c.Err = err.Error(), err
	case !c.Lease && leases:
		c.Reason = "the file system cannot tell when another program writes a note"
	case !c.Exchange:
		c.Reason = "the file system cannot exchange two files"
	case !c.Lease:
		c.Reason = "the system cannot tell when another program writes a note"
	}
	return c
}

func (s Swapper) probeFolder(root string) (c Capability, err error) {
	top, err := s.files.Resolve(root)
	if err != nil {
		return c, fmt.Errorf("%w: %v", ErrVaultGone, err)
	}
	dir := filepath.Join(top, ".vault-mind")
	for _, d := range []string{dir, filepath.Join(dir, "probe")} {
		if err := s.files.Mkdir(d, 0o755); err != nil {
			return c, fmt.Errorf("the vault cannot be written: %w", err)
		}
		dir = d
	}
	var salt [8]byte
	rand.Read(salt[:])
	one := filepath.Join(dir, fmt.Sprintf("%x.new", salt))
	two := filepath.Join(dir, fmt.Sprintf("%x.md", salt))
	defer func() {
		err = errors.Join(err, s.dropTemp(one), s.dropTemp(two), s.dropTemp(siblingTemp(one, oldKind)))
		// Another probe of the same vault may be in the folder; it removes it.
		_ = s.files.Remove(dir)
	}()
	if err := s.probeFile(one, "one"); err != nil {
		return c, err
	}
	if err := s.probeFile(two, "two"); err != nil {
		return c, err
	}
	if c.Lease, err = s.tryLease(two); err != nil {
		return c, err
	}
	c.Exchange, err = s.tryExchange(one, two)
	return c, err
}

func (s Swapper) probeFile(name, text string) error {
	h, err := s.files.Create(name)
	if err != nil {
		return fmt.Errorf("the vault cannot be written: %w", err)
	}
	_, err = h.WriteAt([]byte(text), 0)
	if err = errors.Join(err, h.Close()); err != nil {
		return fmt.Errorf("the vault cannot be written: %w", err)
	}
	return nil
}

func (s Swapper) tryLease(name string) (bool, error) {
	h, err := s.files.Open(name, Quiet)
	if err != nil {
		return false, fmt.Errorf("hold a file: %w", err)
	}
	defer h.Close()
	return h.Leased(), nil
}

// tryExchange believes what the files hold afterwards and not what the system says.
func (s Swapper) tryExchange(one, two string) (bool, error) {
	err := s.files.Exchange(one, two)
	if errors.Is(err, errors.ErrUnsupported) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("exchange two files: %w", err)
	}
	a, err := s.readContents(one)
	if err != nil {
		return false, fmt.Errorf("read a file: %w", err)
	}
	b, err := s.readContents(two)
	if err != nil {
		return false, fmt.Errorf("read a file: %w", err)
	}
	return bytes.Equal(a, []byte("two")) && bytes.Equal(b, []byte("one")), nil
}
