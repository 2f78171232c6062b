package logfile

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"vaultdispatcher/engine/wording"
)

// EngineLog is the file in which every engine that is no demonstration logs, one JSON
// object per line.
func EngineLog(state string) string { return filepath.Join(state, "log", "engine.log") }

// ServiceLog is the file in which the supervisor of a login service logs, and the
// output of an engine that it started.
func ServiceLog(state string) string { return filepath.Join(state, "log", "service.log") }

// LastError returns why an engine that was started after a time ended, if it logged
// that.
func LastError(state string, since time.Time) string {
	lines, err := NewReader(EngineLog(state)).Last(20)
	if err != nil {
		return ""
	}
	for _, line := range slices.Backward(lines) {
		var record struct {
			Time         time.Time
			Level, Error string
		}
		if json.Unmarshal(line, &record) == nil && record.Level == slog.LevelError.String() && record.Time.After(since) {
			return wording.FirstLine(record.Error)
		}
	}
	return ""
}
