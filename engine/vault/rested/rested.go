// Package rested remembers which notes of a vault were looked at and held nothing, so that the next
// engine need not open them:
//
//	pass := rested.Open(file, key).Begin(root, notes)
//	for i := range notes {
//		if begun := time.Now(); !pass.Holds(i) {
//			... // look at the note
//			pass.Keep(i, begun) // if it held nothing
//		}
//	}
//	err := pass.End(standing)
//
// # Promises
//
// A note is known by its path, its size, its times, its inode and the journal's memory of it, all as
// they were when it was looked at; so a note that was changed, replaced, put back, copied or brought
// by a backup is not held, whatever its size and mtime say. (A program that has a note mapped into its
// memory may write for half a minute without a change time; the system reports no such writes, and no
// editor is known to write so.) A stamp that does not tell one state of a note from the next is never
// kept: one without a change time or an inode, one as young as the clock of the file system is coarse,
// and one of the future. A file that is damaged, of another version or of another vault holds no note.
// It is a cache: without it every note is looked at.
package rested

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/watch/disk"
)

// rules is the number of the rules by which a note holds nothing: that it addresses no agent (unseen.MayAddress), and
// whatever else a look at such a note does. It is raised when a note that held nothing may hold something; the fuzz test
// in engine/untaken finds that out.
const rules = 1

// header begins a file of this layout.
var header = fmt.Sprintf("vault-dispatcher rested 1.%d\n", rules)

// Note is one note as it was seen.
type Note struct {
	Rel      string     // path in the vault, with slashes
	Stamp    disk.Stamp // of its file
	Standing uint64     // sum of what the journal remembers of its lines; 0 = nothing
}

// sum is the hash of a note as it was seen. Two states of a note never share one by chance.
type sum [16]byte

// Set is the notes of one vault that held nothing. One goroutine at a time uses it.
type Set struct {
	file, key string
	inherited []sum // of the earlier engine, sorted
	sums      []sum // inherited ones and this engine's
}

// Open reads the set in a file. The key says for which vault and program it is. An unusable file
// counts as missing.
func Open(file, key string) *Set {
	s := &Set{file: file, key: key}
	raw, err := os.ReadFile(file)
	sums, ours := bytes.CutPrefix(raw, []byte(header))
	if err != nil || !ours || len(sums)%len(sum{}) != 0 {
		return s
	}
	for one := range slices.Chunk(sums, len(sum{})) {
		s.inherited = append(s.inherited, sum(one))
	}
	if !slices.IsSortedFunc(s.inherited, compareSums) {
		s.inherited = nil
	}
	return s
}

// KeyOf is the key of a vault for a program of a version, and of the commit that the Go command
// stamped into it: programs that were built between two releases are of one version, and what holds
// nothing for one may hold something for the next.
func KeyOf(version, root string) string {
	info, _ := debug.ReadBuildInfo()
	return keyOf(version, root, info)
}

func keyOf(version, root string, info *debug.BuildInfo) string {
	key := version
	if info != nil {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "vcs.") {
				key += " " + s.Value
			}
		}
	}
	return key + "\n" + root
}

// Holds reports whether a note held nothing when it was last read, and has not changed. It then is
// kept.
func (s *Set) Holds(n Note) bool {
	if len(s.inherited) == 0 || !tells(n.Stamp) {
		return false
	}
	one := s.sumOf(n)
	if _, found := slices.BinarySearchFunc(s.inherited, one, compareSums); !found {
		return false
	}
	s.sums = append(s.sums, one)
	return true
}

// Keep remembers a note that held nothing when it was read after begun, and whose stamp was the
// same before and after that.
func (s *Set) Keep(n Note, begun time.Time) {
	if tells(n.Stamp) && n.Stamp.IsOldAt(begun) {
		s.sums = append(s.sums, s.sumOf(n))
	}
}

// tells reports whether a stamp tells one state of a note from the next.
func tells(s disk.Stamp) bool { return s.CTime > 0 && s.Ino != 0 && !s.IsAway() }

// Save writes the notes that are held now, if they are others than were read.
func (s *Set) Save() error {
	slices.SortFunc(s.sums, compareSums)
	s.sums = slices.Compact(s.sums)
	if slices.Equal(s.sums, s.inherited) {
		return nil
	}
	if len(s.sums) == 0 {
		if err := files.Remove(s.file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	raw := append(make([]byte, 0, len(header)+len(s.sums)*len(sum{})), header...)
	for _, one := range s.sums {
		raw = append(raw, one[:]...)
	}
	return files.Write(s.file, raw, 0o600)
}

func (s *Set) sumOf(n Note) (short sum) {
	b := make([]byte, 0, 256)
	for _, number := range []uint64{uint64(n.Stamp.MTime), uint64(n.Stamp.CTime), uint64(n.Stamp.Size), n.Stamp.Ino, n.Standing} {
		b = binary.LittleEndian.AppendUint64(b, number)
	}
	for _, text := range []string{s.key, n.Rel} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	long := sha256.Sum256(b)
	return sum(long[:len(short)])
}

func compareSums(a, b sum) int { return bytes.Compare(a[:], b[:]) }
