package disk

import "time"

// Stamp is what tells one state of a note from the next without opening it.
// The change time is part of it because programs that copy a time stamp back
// (rsync -t, unzip) leave the rest equal; it is zero where the system has none.
type Stamp struct {
	MTime, CTime int64 // nanoseconds since 1970
	Size         int64
	Ino          uint64
}

// IsFresh reports whether the note was written so shortly before now that another
// write may still get the same stamp. Two seconds cover the coarsest clock in use, that
// of FAT:
// https://learn.microsoft.com/en-us/windows/win32/fileio/setting-and-getting-the-timestamp-of-a-file
func (s Stamp) IsFresh(now time.Time) bool {
	return isWithin(now, s.MTime) || isWithin(now, s.CTime)
}

// IsSave reports whether a program on this machine has just written the note, as far as its times tell: it was written when it was
// last changed in any way, and no longer than lateSave before or after the watcher was told of it, or than pause before that, for
// which a watcher may not have looked. What a sync program brings has the time at which it was saved elsewhere, and is often given
// that after it was written. Where the system tells no change time no note is saved in the future.
func (s Stamp) IsSave(told time.Time, pause time.Duration) bool {
	late, age := time.Duration(s.CTime-s.MTime), told.Sub(time.Unix(0, s.MTime))
	if s.CTime == 0 {
		late = min(age, 0)
	}
	return late > -longestSave && late < longestSave && age > -lateSave && age < lateSave+pause
}

// Two seconds cover the clock of FAT and the save of a slow disk, ten the clock of a drive whose other side is another machine.
const (
	longestSave = 2 * time.Second
	lateSave    = 10 * time.Second
)

// Mark is what is kept of a stamp: enough to see that another one differs, and when
// the note was written. A vault has a hundred thousand of them.
type Mark struct {
	MTime int64
	rest  uint64 // the other fields, mixed; its lowest bit says that the note is away
}

// Digest returns what is kept of the stamp of a folder, or of an indexed note: enough to
// see that another one differs.
func (s Stamp) Digest() uint64 { return s.Mark().rest }

// Mark returns what is kept of s. Two stamps of one note with equal mtime have the same
// mark by chance with probability 2^-63.
func (s Stamp) Mark() Mark {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(s.CTime)
	for _, field := range [...]uint64{uint64(s.Size), s.Ino, uint64(s.MTime)} {
		h = (h^h>>31)*odd + field
	}
	h = (h ^ h>>32) * odd
	m := Mark{MTime: s.MTime, rest: (h ^ h>>29) &^ 1}
	if s.IsAway() {
		m.rest |= 1
	}
	return m
}

// IsAway is [Stamp.IsAway] of the stamp that was marked.
func (m Mark) IsAway() bool { return m.rest&1 == 1 }

// IsAway reports whether only the name of the note is on this disk, and its text in
// the cloud. The size is then kept as its complement.
func (s Stamp) IsAway() bool { return s.Size < 0 }

// Freshness is for how long after a write another one may leave the same stamp.
const Freshness = 2 * time.Second

// A change time with less than tick in it was not told by a clock of seconds. That of a Unix system moves on at each tick
// of its kernel, ten milliseconds at most, and ticks are twenty: https://man7.org/linux/man-pages/man7/time.7.html
const (
	tick  = 10 * time.Millisecond
	ticks = 20 * tick
)

// IsOldAt reports whether the stamp of a note was so old when the note was read that no later write can leave the same one.
// A stamp of the future is not old: the clock was put back, and may reach it again.
func (s Stamp) IsOldAt(read time.Time) bool {
	age := Freshness
	if s.CTime%int64(tick) != 0 {
		age = ticks
	}
	return max(s.MTime, s.CTime) < read.Add(-age).UnixNano()
}

func isWithin(now time.Time, nano int64) bool {
	d := now.UnixNano() - nano
	return d < int64(Freshness) && d > -int64(Freshness)
}

// Ident is the identity of a folder, whatever it is called. It is the zero
// value where the system does not tell.
type Ident struct{ Dev, Ino uint64 }
