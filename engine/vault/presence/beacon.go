package presence

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"time"
)

// lookEvery is how often the other engines' files are read where the folder does not say that one has come or gone.
const lookEvery = 10 * time.Minute

// Beacon says in a vault that this engine is there, and knows which others say so. Renew and
// End touch the disk; Others reads memory.
type Beacon struct {
	self Engine // the unchanging part of it
	keep func(day time.Time) (mark time.Time, err error)

	renewing      sync.Mutex // guards the fields below; held while the disk is touched
	written, read time.Time  // when the file was last made sure of, and the others' were read
	folder        time.Time  // when the folder had changed, as it was then

	mu       sync.Mutex // guards the field below
	machines []string   // machines
}

// IDOf returns the id of an engine, 16 hexadecimal digits. place is what no other engine of the
// machine has, such as its folder: after a crash the same engine has the same id.
func IDOf(machine, place string) string {
	sum := sha256.Sum256([]byte(machine + "\x00" + place))
	return hex.EncodeToString(sum[:8])
}

// NewBeacon returns the beacon of an engine, which after a crash takes its file up again. keep is told of a day before
// the vault is, and returns the mark of the journal; nothing is said where that fails.
func NewBeacon(self Engine, keep func(day time.Time) (mark time.Time, err error)) *Beacon {
	return &Beacon{self: self, keep: keep}
}

// Renew writes and reads what is due, and says whether the others are different ones now. In a
// vault that cannot be written the others are still read.
func (b *Beacon) Renew(vault string, now time.Time) (changed bool, err error) {
	b.renewing.Lock()
	defer b.renewing.Unlock()
	if day := now.UTC().Truncate(Every); !day.Equal(b.written) {
		b.written = day
		self := b.self
		self.Day = now
		if self.Journal, err = b.keep(day); err != nil {
			b.written = time.Time{}
		} else {
			err = Announce(vault, self)
		}
	}
	folder := changedAt(vault)
	if now.Sub(b.read).Abs() < lookEvery && folder.Equal(b.folder) {
		return false, err
	}
	b.read, b.folder = now, folder
	found, failed := Others(vault, b.self.ID, now)
	if failed != nil {
		return false, failed
	}
	machines := make([]string, len(found))
	for i, e := range found {
		machines[i] = e.Machine
	}
	slices.Sort(machines)
	b.mu.Lock()
	defer b.mu.Unlock()
	changed = !slices.Equal(b.machines, machines)
	b.machines = machines
	return changed, err
}

// Forget has the file written at the next Renew, for it is gone.
func (b *Beacon) Forget() {
	b.renewing.Lock()
	defer b.renewing.Unlock()
	b.written = time.Time{}
}

// Others returns the machines whose engines say that they work on the vault too, and whether one of
// them has the name of this machine: with another state folder, or beside Windows in WSL
// (https://learn.microsoft.com/windows/wsl/wsl-config), and no owner tells the two apart.
func (b *Beacon) Others() (elsewhere []string, here bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	elsewhere = slices.DeleteFunc(slices.Clone(b.machines), func(machine string) bool { return sameMachine(machine, b.self.Machine) })
	return elsewhere, len(elsewhere) < len(b.machines)
}

// End says that the engine has ended.
func (b *Beacon) End(vault string) error { return Retire(vault, b.self) }
