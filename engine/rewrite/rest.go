package rewrite

import (
	"context"
	"crypto/sha256"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/rewrite/swap"
)

// readAtRest returns the note once no program has changed it for a while, and whether that was so:
// patience has an end, and a note that is always being saved is answered too if its marker can be
// found.
func (p waitPolicy) readAtRest(ctx context.Context, s swap.Swapper, job Job) (src swap.Source, rested bool, err error) {
	end := time.Now().Add(p.patience)
	var seen time.Time // when these very bytes were read first
	var sum [32]byte
	for {
		src, err = s.Read(job.Root, job.Path)
		if err != nil {
			return src, false, err
		}
		now := time.Now()
		if h := sha256.Sum256(src.Data); seen.IsZero() || h != sum {
			seen, sum = now, h
		}
		// A clock that runs ahead of ours gives times in the future; then what
		// counts is how long we have seen no change.
		age := now.Sub(src.ModTime)
		if age >= p.rest || now.Sub(seen) >= p.rest {
			return src, true, nil
		}
		if now.After(end) {
			return src, false, nil
		}
		left := p.rest - now.Sub(seen)
		if age >= 0 {
			left = min(left, p.rest-age)
		}
		src = swap.Source{} // it is read again; many notes may wait
		if err := job.pause(ctx, left); err != nil {
			return src, false, err
		}
	}
}

// Wait does a wait for others.
func (job Job) Wait(wait func() error) error {
	if job.Idle == nil {
		return wait()
	}
	return job.Idle(wait)
}

// pause lets a time pass.
func (job Job) pause(ctx context.Context, d time.Duration) error {
	return job.Wait(func() error { return due.Sleep(ctx, d) })
}
