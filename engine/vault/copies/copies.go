// Package copies finds the note that another one may be a copy of: by the name that file managers
// and sync programs give to copies, and by being the same file under two names.
//
//	var links copies.Links
//	if first, ok := links.First("b.md", info, isStill); ok { ... } // b.md is a.md
//	other := copies.FindNames(root, isPrivate).Of(info)           // a private name of the file
//
// [Memory] remembers which notes are copies, [Doubles] which of them say nothing that their
// original does not say, and [Secrets] which notes are secret because of another name that they
// have. The names are those of engine/note/filename.
//
// # Promises
//
// A name that people give too is only a guess: then the bytes of the note have to say whether it
// is a copy. A name that only a program gives is enough while the original is there. Windows
// reports no second names.
package copies

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/vault/noteindex"
)

// Links knows the notes that have several names. Its zero value knows none; one goroutine at
// a time uses it.
type Links struct {
	names map[fileID]string // the name under which a file was seen first
}

// fileID is what a file is to the system, whatever it is called.
type fileID struct{ device, number uint64 }

// First returns the name under which a file with several was seen first, if that is another one
// and find, which returns what is there now, still finds the same file there.
func (l *Links) First(rel string, info os.FileInfo, find func(rel string) (os.FileInfo, error)) (string, bool) {
	id, names := identify(info)
	if names < 2 {
		delete(l.names, id)
		return "", false
	}
	if l.names == nil {
		l.names = make(map[fileID]string)
	}
	first, ok := l.names[id]
	if ok && first == rel {
		return "", false
	}
	if ok {
		if now, err := find(first); err == nil && os.SameFile(now, info) {
			return first, true
		}
	}
	l.names[id] = rel // none was known, or that name is gone
	return "", false
}

// hasLinks reports whether a file has several names.
func hasLinks(info os.FileInfo) bool {
	_, names := identify(info)
	return names > 1
}

// Secrets are the notes that are secret because of another name they have. They are kept apart
// from the disk, because a caller of Has may hold a lock and cannot wait. The zero value has no
// notes; it is safe for concurrent use.
type Secrets struct{ notes sync.Map }

// Update brings up to date which of some notes are secret: those that have another name which is.
// It touches the disk.
func (s *Secrets) Update(private *Names, isSecret func(rel string) bool, notes []string) {
	for _, rel := range notes {
		if name := private.NameOf(rel); name != rel && isSecret(name) {
			s.notes.Store(rel, true)
		} else {
			s.notes.Delete(rel)
		}
	}
}

// Has reports whether a note was secret at the last update.
func (s *Secrets) Has(rel string) bool {
	_, is := s.notes.Load(rel)
	return is
}

// A question of a copy is asked in the original note. The copy remains a copy when the original
// changes, for example by its answer: the verdict holds until the copy itself changes. A note
// that comes when its original has been answered is a copy if it was one before: it equals the
// original without these answers, and was last written before them. The same is true of old text
// that an editor saves under the former name of a note.

// Journal is what a memory asks of the journal ([journal.Journal]).
type Journal interface {
	Copy(ctx context.Context, vault, file string) (journal.Copy, error)
	SetCopy(ctx context.Context, vault string, c journal.Copy) error
	ForgetCopies(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error
	Claims(ctx context.Context, vault, file string) ([]journal.Claim, error)
	WrittenInto(ctx context.Context, vault, file string) ([]journal.Dispatch, error)
}

// Memory remembers which notes are copies. One goroutine at a time uses it, except ForgetGone.
type Memory struct {
	Journal Journal
	Root    string
	Read    func(rel string) ([]byte, error)
	Stat    func(rel string) (os.FileInfo, error)
	Became  func(rel string) string    // the name that the note of a path has now; "" = it has no other
	Birth   func(rel string) time.Time // when a note was first seen that was not there before; zero = not lately
	links   Links
	notes   noteindex.States[string, noteState]
}

// noteState is what a memory has of a note until the note is gone, beside the journal. A zero
// time means that the state does not hold.
type noteState struct {
	lostSince    time.Time // the original of this copy is missing
	hadOriginal  bool      // the original was there at the last look, or has been missed since
	missingSince time.Time // that original is missing
}

// Copy is the note that another one is a copy of, and what is known of that.
type Copy struct {
	Original string // "" = no original
	Equals   bool   // both say the same now
	Missing  bool   // it is gone, and may have another name
	Linked   bool   // it is the same file
}

// Find returns the note that another one is a copy of: it says what that one does or did, as its
// name says, or is the same file under a second name. Its questions are asked there. It touches
// the disk.
func (m *Memory) Find(ctx context.Context, rel string, src []byte) (Copy, error) {
	known, err := m.Journal.Copy(ctx, m.Root, rel)
	if err != nil {
		return Copy{}, err
	}
	var originals []string
	for _, o := range filename.Originals(rel) {
		originals = append(originals, o.Rel)
	}
	became := m.Became(rel)
	if became == "" {
		became = known.Original
	}
	for _, original := range append(originals, became) {
		if original == "" {
			continue
		}
		other, err := m.Read(original)
		if now := m.Became(original); err != nil && now != "" && now != rel {
			original = now
			other, err = m.Read(original)
		}
		if err != nil && (!isUnchanged(known, src) || original != known.Original || !m.mayReturn(rel)) {
			continue
		} else if err != nil {
			return Copy{Original: original, Missing: true}, nil
		}
		equal, err := m.equalsOriginal(ctx, rel, original, src, other, original == became)
		if err == nil {
			equal, err = m.recallCopy(ctx, known, journal.Copy{File: rel, Time: time.Now(), Original: original}, src, equal)
		}
		if equal {
			m.notes.Edit(rel, func(s *noteState) { s.lostSince = time.Time{} })
		}
		switch {
		case err != nil:
			return Copy{}, err
		case equal:
			return Copy{Original: original, Equals: bytes.Equal(other, src)}, nil
		}
	}
	if info, err := m.Stat(rel); err == nil {
		if first, linked := m.links.First(rel, info, m.Stat); linked {
			return Copy{Original: first, Linked: true}, nil
		}
	}
	return Copy{}, nil
}

// IsOf reports whether a note was found to be a copy of another one, and has not become more
// since.
func (m *Memory) IsOf(ctx context.Context, rel, original string) (bool, error) {
	known, err := m.Journal.Copy(ctx, m.Root, rel)
	return err == nil && known.Original == original, err
}

// recallCopy reports whether a note equals its original, or what that was when it did; it
// remembers the note that does.
func (m *Memory) recallCopy(ctx context.Context, known, now journal.Copy, src []byte, equals bool) (bool, error) {
	same := isUnchanged(known, src)
	if !equals || same && known.Original == now.Original {
		return equals || same, nil
	}
	if now.Hash = sha256.Sum256(src); same || known.Original == now.Original {
		now.Markers = known.Markers
	}
	return true, m.Journal.SetCopy(ctx, m.Root, now)
}

// isUnchanged reports whether a note is known for a copy and says what it did then.
func isUnchanged(known journal.Copy, src []byte) bool { return known.Hash == sha256.Sum256(src) }

// ForgetGone forgets what is remembered of copies that have been gone for as long as keep. The
// caller has seen that the folder answers; isGone may touch the disk.
func (m *Memory) ForgetGone(ctx context.Context, now time.Time, keep time.Duration, isGone func(rel string) bool) error {
	return m.Journal.ForgetCopies(ctx, m.Root, now, keep, isGone)
}

// equalsOriginal reports whether a note equals its original, or what that was without the answers
// that were written since the note was; without any of them if the note was the original itself.
func (m *Memory) equalsOriginal(ctx context.Context, rel, original string, src, other []byte, isFormer bool) (bool, error) {
	if bytes.Equal(other, src) {
		return true, nil
	}
	info, err := m.Stat(rel)
	if err != nil {
		return false, nil // it is going
	}
	written, err := m.Journal.WrittenInto(ctx, m.Root, original)
	if err != nil {
		return false, err
	}
	var since []journal.Dispatch
	for _, d := range written {
		if isFormer || d.Finished.After(info.ModTime()) {
			since = append(since, d)
		}
	}
	return len(since) > 0 && note.UnifyLineEnds(string(takeBack(other, since))) == note.UnifyLineEnds(string(src)), nil
}

// takeBack replaces answers in the note by their questions, as far as the note has them.
func takeBack(src []byte, written []journal.Dispatch) []byte {
	var answered []journal.Marker
	for _, d := range written {
		answered = append(answered, d.Markers...)
	}
	slices.SortStableFunc(answered, func(a, b journal.Marker) int { return a.Line - b.Line })
	for _, m := range answered {
		if at := find.FindLines(src, m.Block.Text); len(at) > 0 {
			src = slices.Concat(src[:at[0].Start], []byte(m.Text), src[at[0].End:])
		}
	}
	return src
}
