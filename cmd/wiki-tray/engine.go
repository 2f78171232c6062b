package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/service"
	"vaultdispatcher/tray"
)

// settings are the configuration as far as the tray has to do with it: the port, and
// whether notifications are wanted. It is read again when its file has changed.
type settings struct {
	path string // as of the flag; empty = the usual place
	file string // where it is

	mu       sync.Mutex // guards what follows
	changed  time.Time
	read     bool
	port     int
	notify   bool
	livePort int // the port where an engine was found
	liveTime time.Time
}

func readOptions(path string, logger *slog.Logger) (tray.Options, error) {
	state, err := place.StateDir()
	if err != nil {
		return tray.Options{}, err
	}
	s := &settings{path: path, file: path}
	if path == "" {
		if s.file, err = place.ConfigFile(); err != nil {
			return tray.Options{}, err
		}
	}
	own, err := os.Executable()
	if err != nil {
		return tray.Options{}, fmt.Errorf("find this program: %w", err)
	}
	return tray.Options{
		Client:   func() *client.Client { return s.newClient(state) },
		FreePort: func() int { return listen.FindFree(config.Default().HTTPPort + 1) },
		Wiki:     service.FindProgram("wiki"), Args: s.configFlags(), State: state, Config: s.file,
		Log:    filepath.Join(state, "log", "engine.log"),
		Notify: func() bool { _, notify := s.readCurrent(); return notify },
		Applet: service.Tray(own, s.configFlags()...),
		Logger: logger,
	}, nil
}

// configFlags are what tells wiki of the same configuration.
func (s *settings) configFlags() []string {
	file, err := filepath.Abs(s.path)
	if s.path == "" || err != nil {
		return nil
	}
	return []string{"--config", file}
}

// readCurrent returns the port and whether notifications are wanted. The engine
// reports an invalid configuration; here the values that were read last stay, or else the defaults.
func (s *settings) readCurrent() (port int, notify bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var changed time.Time
	if info, err := os.Stat(s.file); err == nil {
		changed = info.ModTime()
	}
	if !s.read || !changed.Equal(s.changed) {
		cfg, err := config.Load(s.path)
		if err != nil {
			cfg = config.Default()
		}
		if err == nil || !s.read {
			s.port, s.notify = cfg.HTTPPort, cfg.Notify
		}
		s.read, s.changed = true, changed
	}
	return s.port, s.notify
}

// newClient is one for the engine, wherever it is. An engine replaces a token that was
// damaged, so it is read each time.
func (s *settings) newClient(state string) *client.Client {
	configured, _ := s.readCurrent()
	port := s.enginePort(client.ReadPortFile(state), configured)
	token, err := client.LoadToken(filepath.Join(state, "token"))
	if err != nil {
		token = "" // the engine says that it wants one
	}
	return client.New(port, token)
}

const (
	probeTime = 2 * time.Second  // how long an engine has to say that it is there
	seenTime  = 10 * time.Second // how long that is believed
)

// enginePort is the port to ask: the port of the port file, unless nothing or another program
// listens there, as after a kill; then the configured one.
func (s *settings) enginePort(left, configured int) int {
	if left == 0 || left == configured {
		return configured
	}
	s.mu.Lock()
	seen := s.livePort == left && time.Since(s.liveTime) < seenTime
	s.mu.Unlock()
	if seen {
		return left
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	_, err := client.New(left, "").Status(ctx)
	if errors.Is(err, api.ErrNotRunning) || errors.Is(err, api.ErrNotOurs) {
		return configured
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.livePort, s.liveTime = left, time.Now()
	return left
}
