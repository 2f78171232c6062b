package vectors

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// queryWait is how long a search waits for the vector of its query; the passages
// that share its words are there long before. An embedder that was too slow is
// not asked again by searches for muteTime, or until it has answered.
const (
	queryWait = 1500 * time.Millisecond
	muteTime  = 30 * time.Second
)

var (
	ErrNotEmbedded = errors.New("no passage has been embedded yet; wiki status shows how far it has come")
	errSlowQuery   = errors.New("the embedding model did not answer in time; it is being waited for, so ask again in a moment")
	ErrOtherLength = errors.New("the embedding model gives vectors of another length than before; all notes are embedded again")
)

// Nearest finds the texts near to a query.
func (v *Store) Nearest(ctx context.Context, text string, n int) ([]Neighbour, error) {
	vec, err := v.queryVector(ctx, text)
	if err != nil {
		return nil, err
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.space == nil || v.space.countVectors() == 0 {
		return nil, ErrNotEmbedded
	}
	if len(vec) != v.space.dim {
		return nil, ErrOtherLength
	}
	return v.space.findNearest(vec, n), nil
}

// queryVector returns the vector of a query, within queryWait.
func (v *Store) queryVector(ctx context.Context, text string) ([]float32, error) {
	v.mu.RLock()
	vec, empty, failed := v.answered[text], v.space == nil || v.space.countVectors() == 0, v.lastError
	muted, mutedBy := time.Now().Before(v.mutedUntil), v.queryError
	v.mu.RUnlock()
	switch {
	case v.Broken != nil:
		return nil, v.Broken
	case empty && failed != "":
		return nil, errors.New(failed)
	case empty:
		return nil, ErrNotEmbedded
	case vec != nil:
		return vec, nil
	case muted:
		return nil, mutedBy
	}
	waiting, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	vec, err := v.Embedder.Query(waiting, text)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		v.keepAnswer(text, vec)
		return vec, nil
	}
	if waiting.Err() != nil {
		err = errSlowQuery
		v.pendingQuery = text
		v.wakeWorker()
	}
	v.queryError, v.mutedUntil = err, time.Now().Add(muteTime)
	return nil, err
}

// keepAnswer keeps the vector of a query, for people ask again; mu is held.
func (v *Store) keepAnswer(text string, vec []float32) {
	if len(v.answered) >= 64 {
		clear(v.answered)
	}
	v.answered[text] = vec
	v.queryError, v.mutedUntil, v.pendingQuery = nil, time.Time{}, ""
	select {
	case v.recovered <- struct{}{}:
	default:
	}
}

// answerPending gets the vector that a search did not wait for. A server that
// has to load its model first may stop loading when no client waits for it.
func (v *Store) answerPending(ctx context.Context) error {
	v.mu.Lock()
	text := v.pendingQuery
	v.pendingQuery = ""
	v.mu.Unlock()
	if text == "" {
		return nil
	}
	vec, err := v.Embedder.Query(ctx, text)
	if err != nil {
		return fmt.Errorf("embed a query: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keepAnswer(text, vec)
	return nil
}
