package library

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/patience"
)

// lookTime is how long one look at the disk of a vault may take in a process beside no engine. It is a variable for tests.
var lookTime = 5 * time.Second

// errSilent says that a look at the disk of a vault was given up.
var errSilent = errors.New("the disk of the vault does not respond")

// bound is the guard of a shelf that has none: it gives up a look at a disk that does not respond.
func bound(ctx context.Context, do func() error) error {
	within, end := context.WithTimeout(ctx, patience.Of(lookTime))
	defer end()
	err, responds := patience.AwaitUntil(within, do)
	if !responds {
		return errSilent
	}
	return err
}

// onDisk makes a look at the disk of a shelf by its guard, which may leave it behind. So the look returns what it finds and
// writes nothing else, and once one was left behind none is begun any more.
func onDisk[T any](ctx context.Context, s *shelf, look func() (T, error)) (T, error) {
	var none T
	if s.silent {
		return none, errSilent
	}
	var decided atomic.Bool // that the look is made, or that it never will be
	back := make(chan T, 1)
	err := s.Guard(ctx, func() error {
		if !decided.CompareAndSwap(false, true) {
			return errSilent
		}
		found, err := look()
		back <- found
		return err
	})
	select {
	case found := <-back:
		return found, err
	default:
	}
	if !decided.CompareAndSwap(false, true) || errors.Is(err, errSilent) {
		s.silent = true
	}
	return none, cmp.Or(err, errSilent)
}

// eachOf does something with each of some shelves side by side: several disks that do not respond cost the time of one.
func eachOf(shelves []*shelf, do func(n int, s *shelf)) {
	var all sync.WaitGroup
	for n, s := range shelves {
		all.Go(func() { do(n, s) })
	}
	all.Wait()
}

// tryDisks finds out which disks of several respond, before their notes are asked for one after another.
func tryDisks(ctx context.Context, shelves []*shelf) {
	if len(shelves) < 2 {
		return
	}
	eachOf(shelves, func(_ int, s *shelf) {
		_, _ = onDisk(ctx, s, func() (os.FileInfo, error) { return os.Lstat(s.Root) }) // it remembers what it finds
	})
}

// tellShut says which vaults cannot be read now, or nothing.
func (c *call) tellShut() string {
	var all []string
	for _, s := range c.shut {
		all = append(all, "The vault "+s.Name+" "+s.Shut+"; what is there is left out.")
	}
	return strings.Join(all, " ")
}

// silence says which vaults are left out, because their disks do not respond or they cannot be read now, or nothing.
func (c *call) silence() string {
	var all []string
	for _, s := range c.shelves {
		if s.silent {
			all = append(all, "The disk of the vault "+s.Name+" does not respond; what is there is left out.")
		}
	}
	return strings.TrimSpace(strings.Join(all, " ") + " " + c.tellShut())
}
