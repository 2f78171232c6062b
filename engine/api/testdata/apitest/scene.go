package apitest

import (
	"context"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
)

// Scene is a state that tests change, and how often it was looked at.
type Scene struct {
	sync.Mutex // guards what follows
	Now        api.Status
	Err        error
	Looks      int
	Takes      time.Duration // a look
}

func (s *Scene) Read(context.Context) (api.Status, error) {
	s.Lock()
	s.Looks++
	now, takes, err := s.Now, s.Takes, s.Err
	s.Unlock()
	time.Sleep(takes)
	return now, err
}

func (s *Scene) Looked() int {
	s.Lock()
	defer s.Unlock()
	return s.Looks
}

func (s *Scene) Set(change func(*api.Status)) {
	s.Lock()
	defer s.Unlock()
	change(&s.Now)
}

// Moving is a backend whose state tests change.
type Moving struct {
	*Backend
	Scene Scene
}

func (m *Moving) Status(ctx context.Context, _ bool) (api.Status, error) { return m.Scene.Read(ctx) }
