// Package swap exchanges the contents of one note for new ones, if and only if
// they are still exactly what the caller read, while editors, sync programs and
// crashes do what they like.
//
// Two calls of [On] are enough for most: [Swapper.Read] returns a note's bytes and refuses a file that
// must not be written, [Swapper.File] puts new bytes in their place. After a crash [Recover] ends an
// exchange that an [Intention] has begun; at start [Probe] returns the abilities of a vault's file
// system and [CleanTemps] removes old temps.
//
// # How it is done
//
// Comparing a file and then renaming over it loses the save that falls between the two. So the new
// bytes are written to a temp first and made durable, the intention is told to the caller's log, a
// read lease is taken (Linux: a program that wants to write now waits for us, and we learn of it), and
// the two names are exchanged in one step. Then the displaced file is checked. If it is not as we read
// it, it is put back at once. If it is, it is kept for [Grace] all the same, since not every system
// tells us of a program that still has it open; then [Settle] checks again.
//
// A note is written in place, with its old bytes made durable beside it beforehand, if it has more
// than one hard link, if it is a mount point itself, if its file system knows no exchange, if it
// belongs to a user whose files we cannot make, or if the system could tell us who writes it but does
// not. That is not atomic: a power cut may leave a mixture. Recover undoes it or, if another program
// has saved on top of it, keeps the old bytes in a copy. A program that adds to the note's end
// meanwhile loses nothing, noticed or not.
//
// # Promises
//
// The note's name is never absent. Bytes that are neither the old nor the new ones are never deleted:
// if both versions must live, the other one becomes a file "<note>.conflict-<time>.md" beside the
// note. An error from File means the note does not hold the new bytes, except when it is [ErrUnended];
// then the intention must be kept for Recover. The note keeps its mode, owner, extended attributes and
// access lists, on macOS and Windows its creation date too; on Linux that becomes the time of the
// exchange. A link is followed, never replaced; a read-only note is left alone.
package swap

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Limit is the size above which a note is not touched.
const Limit = 10 << 20

// The reasons why a note was left alone. Changed and Busy pass by themselves: read the note again and
// try again.
var (
	ErrChanged   = errors.New("the note is no longer what was read")
	ErrBusy      = errors.New("another program is writing the note")
	ErrReadOnly  = errors.New("the note is read-only")
	ErrTooLarge  = errors.New("the note is larger than 10 MiB")
	ErrOutside   = errors.New("the note lies outside its vault")
	ErrNotAFile  = errors.New("the note is not a regular file")
	ErrInPlace   = errors.New("the note can only be written in place")
	ErrVaultGone = errors.New("the vault's folder cannot be reached")
)

// ErrUnended is in the error of an exchange that failed and could not be undone
// either. Its intention must stay open for [Recover]; after every other error it
// may be closed.
var ErrUnended = errors.New("the exchange could not be ended")

// Grace is how long a displaced version is kept before [Settle] may look at it
// for the last time: a program that had the old file open may still write to it.
const Grace = 10 * time.Second

// Intention says which bytes an exchange that was begun may have left where.
// Both paths are absolute, both hashes SHA-256. It is all that Recover needs.
type Intention struct {
	Path, Temp string
	Base, New  [32]byte
}

// Change is one wanted exchange.
type Change struct {
	Root string // the vault
	Path string // the note, absolute; a link inside the vault is followed
	Base []byte // the bytes that the caller read
	New  []byte // the bytes to replace them

	// Engine, 16 hexadecimal digits, is the owner of the temps, for [CleanTemps]; "" = no owner.
	Engine string
	// Atomic forgoes a change that could only be made in place.
	Atomic bool

	// Log records the intention durably before anything changes; if it fails,
	// nothing does. It may be called a second time with another temp for the
	// same note, then only the later intention counts.
	Log func(Intention) error
}

// State says what a note holds, seen from an intention.
type State string

// The contents of a note after an exchange or its recovery.
const (
	IsBase State = "base"  // the old bytes
	IsNew  State = "new"   // the new bytes
	Other  State = "other" // a later save of another program
	Gone   State = "gone"  // there is no note
)

// Outcome says what became of an exchange.
type Outcome struct {
	Written  bool   // the new bytes are in the note, or were until another program saved on top
	Note     State  // contents of the note at the last look
	InPlace  bool   // written in place, so not atomic
	Conflict string // path of a copy that holds the other version; "" = no copy

	// Displaced is the Temp of the intention whose displaced version is kept for
	// its [Grace]; empty when none is. Saves that were put back are kept as well.
	Displaced string
}

// Source is a note that may be written, as it was read.
type Source struct {
	Path    string // the real one, links followed
	Data    []byte
	ModTime time.Time // no older than any of Data
	links   int
}

// Swapper works with a given set of file operations. The package's functions
// use the operating system's; tests give one that fails.
type Swapper struct{ files Files }

// On returns a Swapper on files; nil means the operating system's.
func On(files Files) Swapper {
	if files == nil {
		files = osFiles{}
	}
	return Swapper{files}
}

// Recover ends an exchange that was cut short: it is undone or completed,
// whichever is nearer, and its temps are gone. It may be called any number of
// times, also for an exchange that ended well; it ends a grace at once.
func Recover(in Intention) (Outcome, error) { return On(nil).Recover(in) }

// Settle ends the grace of a displaced version: it removes the file if it is unchanged. Otherwise
// another program has written to it, and it becomes a conflict copy beside the note. When Settle
// returns no error the intention may be closed. Recover does the same for such an intention.
func Settle(in Intention) (Outcome, error) { return On(nil).Settle(in) }

// Reachable reports whether the folder of a vault is there, and not the empty mount point of a drive
// that is away. It does not tell an empty new folder from that. For most folders it reads only the
// first entries.
func Reachable(root string) bool {
	folder, err := os.Open(root)
	if err != nil {
		return false
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(2)
	isOther := func(name string) bool { return name != vaultDir }
	return slices.ContainsFunc(names, isOther) || On(nil).checkVault(root) == nil
}

// Read returns a note's bytes, or the reason why it must not be written.
func (s Swapper) Read(root, path string) (Source, error) {
	real, err := s.locateNote(root, path)
	if err != nil {
		return Source{}, err
	}
	fi, err := s.files.Lstat(real)
	if err != nil {
		return Source{}, fmt.Errorf("look at note: %w", err)
	}
	switch {
	case !fi.Mode().IsRegular():
		return Source{}, ErrNotAFile
	case fi.Size() > Limit:
		return Source{}, ErrTooLarge
	case fi.Mode().Perm()&0o222 == 0 || !IsWritable(real):
		return Source{}, ErrReadOnly
	}
	h, err := s.files.Open(real, Free)
	if err != nil {
		return Source{}, fmt.Errorf("open note: %w", err)
	}
	defer h.Close()
	links, err := h.Links()
	if err != nil {
		return Source{}, fmt.Errorf("look at note: %w", err)
	}
	data, err := readAll(h)
	if err != nil {
		return Source{}, fmt.Errorf("read note: %w", err)
	}
	if len(data) > Limit {
		return Source{}, ErrTooLarge
	}
	// Asked after the reading, so that no change we have read is younger.
	if fi, err = h.Stat(); err != nil {
		return Source{}, fmt.Errorf("look at note: %w", err)
	}
	return Source{Path: real, Data: data, ModTime: fi.ModTime(), links: links}, nil
}

// locateNote follows links and makes sure that the note is inside its vault. A
// vault that cannot be reached is told apart from a note that is gone: the
// first comes back, the second does not.
func (s Swapper) locateNote(root, path string) (string, error) {
	top, err := s.files.Resolve(root)
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrVaultGone, err)
	}
	real, err := s.files.Resolve(path)
	if err != nil {
		return "", fmt.Errorf("find note: %w", err)
	}
	rel, err := filepath.Rel(top, real)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", ErrOutside
	}
	return real, nil
}

// File puts c.New in the place of c.Base. When it fails with [ErrChanged] or [ErrBusy] nothing was
// changed and nothing lost; Outcome may then still name a conflict copy. The logged intentions are
// open for [Grace]; then the caller ends them with [Settle], or after [ErrUnended] with [Recover].
func (s Swapper) File(ctx context.Context, c Change) (Outcome, error) {
	if len(c.New) > Limit {
		return Outcome{}, ErrTooLarge
	}
	src, err := s.Read(c.Root, c.Path)
	if err != nil {
		return Outcome{}, err
	}
	if !bytes.Equal(src.Data, c.Base) {
		return Outcome{Note: Other}, ErrChanged
	}
	if bytes.Equal(c.Base, c.New) {
		return Outcome{Written: true, Note: IsNew}, nil
	}
	if err := ctx.Err(); err != nil {
		return Outcome{Note: IsBase}, err
	}
	blind, err := s.checkQuiet(src)
	if err != nil {
		return Outcome{Note: IsBase}, err
	}
	a := attempt{
		Swapper: s, base: c.Base, new: c.New, log: c.Log, engine: c.Engine,
		Intention: Intention{Path: src.Path, Base: sha256.Sum256(c.Base), New: sha256.Sum256(c.New)},
	}
	if err := a.prepareTemp(c.Root); err != nil {
		return Outcome{Note: IsBase}, err
	}
	inPlace := a.inPlace
	if c.Atomic {
		inPlace = func() (Outcome, error) { return a.giveUp(ErrInPlace) }
	}
	if blind || src.links > 1 || a.foreign {
		return inPlace()
	}
	out, err := a.exchangeNote()
	if errors.Is(err, errors.ErrUnsupported) {
		return inPlace()
	}
	return out, err
}

// isGone reports whether err says that there is no such file.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
