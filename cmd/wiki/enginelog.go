package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/service/logfile"
)

// engineLog is where every engine that is no demonstration writes what it does, one
// JSON object per line.
func engineLog(state string) string { return filepath.Join(state, "log", "engine.log") }

// serviceLog is where the supervisor of a login service writes, and what an engine
// prints that it started.
func serviceLog(state string) string { return filepath.Join(state, "log", "service.log") }

// logged runs an engine with its log. An engine without a log is better than none.
func (a *app) logged(run func() error) error {
	a.log, a.written = slog.New(slog.NewTextHandler(a.stderr, nil)), slog.New(slog.DiscardHandler)
	state, err := config.StateDir()
	if err != nil {
		return err
	}
	file, err := logfile.Open(engineLog(state))
	if err != nil {
		fmt.Fprintf(a.stderr, "wiki: there is no log file: %v\n", err)
		return run()
	}
	defer file.Close()
	a.written = slog.New(slog.NewJSONHandler(file, nil))
	a.log = slog.New(slog.NewMultiHandler(a.log.Handler(), a.written.Handler()))
	if err = run(); err != nil {
		a.written.Error("the engine has ended", "error", err) // on standard error it is told to a person
	}
	return err
}

// lastError is why an engine ended that was started since then, if it said so.
func lastError(state string, since time.Time) string {
	lines, err := logfile.NewReader(engineLog(state)).Last(20)
	if err != nil {
		return ""
	}
	for _, line := range slices.Backward(lines) {
		var record struct {
			Time         time.Time
			Level, Error string
		}
		if json.Unmarshal(line, &record) == nil && record.Level == slog.LevelError.String() && record.Time.After(since) {
			first, _, _ := strings.Cut(record.Error, "\n")
			return first
		}
	}
	return ""
}
