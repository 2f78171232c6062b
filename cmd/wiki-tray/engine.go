package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/service"
	"vaultdispatcher/tray"
)

// settings are the configuration as far as the tray has to do with it: the port, and
// whether notifications are wanted. It is read again when its file has changed.
type settings struct {
	path string // as of the flag; empty = the usual place
	file string // where it is

	mu      sync.Mutex // guards what follows
	changed time.Time
	read    bool
	port    int
	notify  bool
}

func options(path string, logger *slog.Logger) (tray.Options, error) {
	state, err := config.StateDir()
	if err != nil {
		return tray.Options{}, err
	}
	s := &settings{path: path, file: path}
	if path == "" {
		if s.file, err = config.Path(); err != nil {
			return tray.Options{}, err
		}
	}
	own, err := os.Executable()
	if err != nil {
		return tray.Options{}, fmt.Errorf("find this program: %w", err)
	}
	return tray.Options{
		Client: func() *api.Client { return s.client(state) },
		Wiki:   wiki(), Args: s.args(), State: state, Config: s.file,
		Log:    filepath.Join(state, "log", "engine.log"),
		Notify: func() bool { _, notify := s.now(); return notify },
		Applet: service.Tray(own, s.args()...),
		Logger: logger,
	}, nil
}

// args are what tells wiki of the same configuration.
func (s *settings) args() []string {
	file, err := filepath.Abs(s.path)
	if s.path == "" || err != nil {
		return nil
	}
	return []string{"--config", file}
}

// now returns the port and whether notifications are wanted. A configuration that
// cannot be used says nothing; the engine tells of it.
func (s *settings) now() (port int, notify bool) {
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
		s.read, s.changed, s.port, s.notify = true, changed, cfg.HTTPPort, cfg.Notify
	}
	return s.port, s.notify
}

// client is one for the port the engine has left in the state folder, or else for
// the configured one. An engine replaces a token that was damaged, so it is read
// each time.
func (s *settings) client(state string) *api.Client {
	port, _ := s.now()
	if text, err := os.ReadFile(filepath.Join(state, "port")); err == nil {
		if left, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && left > 0 && left < 1<<16 {
			port = left
		}
	}
	token, err := api.LoadToken(filepath.Join(state, "token"))
	if err != nil {
		token = "" // the engine says that it wants one
	}
	return api.NewClient(port, token)
}

// wiki is the program beside this one, or the one on the PATH.
func wiki() string {
	name := "wiki"
	own, err := os.Executable()
	if err == nil {
		name += filepath.Ext(own)
		beside := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return found
}
