package recall

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// queryWait is how long a search waits for the vector of its query; the passages
// that share its words are there long before. An embedder that was too slow is
// not asked again by searches for muteTime, or until it has been heard.
const (
	queryWait = 1500 * time.Millisecond
	muteTime  = 30 * time.Second
)

var (
	errNotEmbedded = errors.New("no passage has been embedded yet; wiki status shows how far it has come")
	errSlowQuery   = errors.New("the embedding model did not answer in time; it is being waited for, so ask again in a moment")
	errOtherLength = errors.New("the embedding model gives vectors of another length than before; all notes are embedded again")
)

// meanings finds the texts near to a query.
func (v *vectors) meanings(ctx context.Context, text string, n int) ([]neighbour, error) {
	vec, err := v.query(ctx, text)
	if err != nil {
		return nil, err
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.space == nil || v.space.size() == 0 {
		return nil, errNotEmbedded
	}
	if len(vec) != v.space.dim {
		return nil, errOtherLength
	}
	return v.space.nearest(vec, n), nil
}

// query returns the vector of a query, within queryWait.
func (v *vectors) query(ctx context.Context, text string) ([]float32, error) {
	v.mu.RLock()
	vec, empty, failed := v.asked[text], v.space == nil || v.space.size() == 0, v.lastError
	muted, mutedBy := time.Now().Before(v.mute), v.queryError
	v.mu.RUnlock()
	switch {
	case v.Broken != nil:
		return nil, v.Broken
	case empty && failed != "":
		return nil, errors.New(failed)
	case empty:
		return nil, errNotEmbedded
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
		v.heard(text, vec)
		return vec, nil
	}
	if waiting.Err() != nil {
		err = errSlowQuery
		v.unheard = text
		v.rouse()
	}
	v.queryError, v.mute = err, time.Now().Add(muteTime)
	return nil, err
}

// heard keeps the vector of a query, for people ask again; mu is held.
func (v *vectors) heard(text string, vec []float32) {
	if len(v.asked) >= 64 {
		clear(v.asked)
	}
	v.asked[text] = vec
	v.queryError, v.mute, v.unheard = nil, time.Time{}, ""
	select {
	case v.recovered <- struct{}{}:
	default:
	}
}

// answerUnheard gets the vector that a search did not wait for. A server that
// has to load its model first gives up doing so when nobody waits.
func (v *vectors) answerUnheard(ctx context.Context) error {
	v.mu.Lock()
	text := v.unheard
	v.unheard = ""
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
	v.heard(text, vec)
	return nil
}
