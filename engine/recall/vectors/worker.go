package vectors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/syserr"
)

// Back-off after a failure: doubled each time, and constant where a person has to
// mend something first.
const (
	firstPause = time.Second
	longPause  = 5 * time.Minute
	mendPause  = time.Minute
)

// Run gives every text its vector and follows what changes, until ctx ends. One
// request is under way at a time. An embedder that fails is asked again after a
// while; see [Store.State].
func (v *Store) Run(ctx context.Context) {
	if v.Broken != nil {
		return
	}
	defer v.Close()
	pause, last := firstPause, ""
	for {
		err := v.CatchUp(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			pause, last = firstPause, ""
			select {
			case <-v.wake:
			case <-ctx.Done():
			}
			continue
		}
		if err.Error() != last {
			last = err.Error()
			v.log.Warn("embed notes", "error", err)
		}
		wait := pause
		if f, ok := errors.AsType[*embed.Failure](err); ok {
			if wait = max(pause, f.Pause); f.Lasting {
				wait = mendPause
			}
		}
		pause = min(2*pause, longPause)
		select {
		case <-time.After(wait):
		case <-v.recovered:
		case <-ctx.Done():
		}
	}
}

// CatchUp does everything there is to do now. If it finds the file damaged, it
// makes the file again from the vectors in memory.
func (v *Store) CatchUp(ctx context.Context) error {
	err := v.embedAll(ctx)
	if v.file != nil && cachefile.IsDamaged(err) {
		v.log.Warn("file of vectors is damaged and is made again", "file", v.path, "error", err)
		if err = v.rewriteFile(ctx); err == nil {
			err = v.embedAll(ctx)
		}
	}
	if ctx.Err() != nil {
		return err
	}
	v.keepTrouble(err)
	v.changed()
	return err
}

// keepTrouble sets the error that the status reports; nil clears it.
func (v *Store) keepTrouble(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lastError = syserr.Plain(err)
}

func (v *Store) embedAll(ctx context.Context) error {
	if v.file == nil {
		if err := v.loadFile(ctx); err != nil {
			return fmt.Errorf("open the vectors of the index: %w", err)
		}
	}
	for {
		if err := v.answerPending(ctx); err != nil {
			return err
		}
		more, err := v.embedNotes(ctx)
		v.changed()
		if err != nil {
			v.requeueNotes()
			return err
		}
		if !more {
			return v.markUnused(ctx)
		}
	}
}

// loadFile opens the file and compares it with the texts of the index.
func (v *Store) loadFile(ctx context.Context) error {
	v.mu.Lock()
	v.following = true
	v.mu.Unlock()
	file, err := openVectors(ctx, v.path, v.Embedder.Fingerprint())
	if err != nil {
		return err
	}
	s, gone, err := file.loadVectors(ctx)
	if err != nil {
		file.close()
		return errors.Join(err, cachefile.Remove(v.path))
	}
	lacking, order, used := make(map[string]int), []string(nil), make(map[Key]bool)
	err = v.source.EachText(ctx, func(rel string, k Key) {
		used[k] = true
		if s.hasText(k) {
			return
		}
		if lacking[rel]++; lacking[rel] == 1 {
			order = append(order, rel)
		}
	})
	if err != nil {
		file.close()
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.file, v.space, v.removals = file, s, gone
	for k := range s.slots {
		if !used[k] {
			v.removed = append(v.removed, k)
		}
	}
	for _, rel := range order {
		v.enqueueNote(rel, lacking[rel])
	}
	return nil
}
