package rewrite

import (
	"bytes"
	"context"
	"errors"

	"vaultdispatcher/engine/note/merge"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite/swap"
)

// ErrApart says that two versions of a note changed the same lines in different
// ways, so that both have to live.
var ErrApart = errors.New("both versions have changed the same lines")

// Copy is a version of a note that had to be kept beside it.
type Copy struct {
	Root string // the vault
	Path string // the note, absolute
	Copy string // the other version, absolute
	Base []byte // the common origin of both

	Engine string // whose temporary files these are, see [swap.Change]

	// Files are the file operations; nil means the operating system's.
	Files swap.Files
}

// Merge brings the changes of a copy into its note, line by line, by a write as safe as an answer's,
// and then removes the copy. The caller has the note's turn ([Lock]). If Merge returns an error, it
// has not removed the copy.
//
// log is as for [Answer]; open are the Temps of the logged intentions that
// replaced or retired a file.
func Merge(ctx context.Context, c Copy, log func(swap.Intention) error) (open []string, err error) {
	return usual.merge(ctx, c, log)
}

func (p waitPolicy) merge(ctx context.Context, c Copy, log func(swap.Intention) error) (open []string, err error) {
	swapper := swap.On(c.Files)
	job := Job{Root: c.Root, Path: c.Path, Files: c.Files}
	var theirs swap.Source
	res, err := p.tryUntilQuiet(ctx, job, func() (res Result, err error) {
		theirs, res, err = p.mergeOnce(ctx, swapper, job, c, log)
		return res, err
	})
	if res.Displaced != "" {
		open = append(open, res.Displaced)
	}
	if err != nil {
		return open, err
	}
	in, err := swapper.Retire(c.Root, c.Path, c.Engine, theirs, log)
	if err != nil {
		return open, err
	}
	return append(open, in.Temp), nil
}

// mergeOnce is one try to bring the copy's changes into the note.
func (p waitPolicy) mergeOnce(ctx context.Context, swapper swap.Swapper, job Job, c Copy, log func(swap.Intention) error) (theirs swap.Source, res Result, err error) {
	if theirs, err = swapper.Read(c.Root, c.Copy); err != nil {
		return theirs, res, err
	}
	if err := swapper.Quiet(theirs); err != nil {
		return theirs, res, err
	}
	src, _, err := p.readAtRest(ctx, swapper, job)
	if err != nil {
		return theirs, res, err
	}
	next, ok := merge.Lines(c.Base, src.Data, theirs.Data)
	if !ok { // progress comments are worth nothing, and no reason to keep two versions
		next, ok = merge.Lines(progress.Bare(c.Base).Text, progress.Bare(src.Data).Text, progress.Bare(theirs.Data).Text)
	}
	if !ok || cutShort(theirs.Data, c.Base) {
		return theirs, res, ErrApart
	}
	if bytes.Equal(next, src.Data) {
		return theirs, res, nil
	}
	out, err := swapper.File(ctx, swap.Change{Root: c.Root, Path: c.Path, Base: src.Data, New: next, Engine: c.Engine, Log: log})
	return theirs, Result{Displaced: out.Displaced, Conflict: out.Conflict, InPlace: out.InPlace}, err
}

// cutShort reports whether a version is only the beginning of the base: that is a save that was cut
// short, not an edit.
func cutShort(version, base []byte) bool {
	return len(version) < len(base) && bytes.HasPrefix(base, version)
}
