package host

import (
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"vaultdispatcher/engine/wording"
	"vaultdispatcher/service/logfile"
)

// EngineLog is the file in which every engine that is no demonstration logs, one JSON
// object per line.
func EngineLog(state string) string { return filepath.Join(state, "log", "engine.log") }

// ServiceLog is the file in which the supervisor of a login service logs, and the
// output of an engine that it started.
func ServiceLog(state string) string { return filepath.Join(state, "log", "service.log") }

// logs are where an engine logs.
type logs struct {
	all    *slog.Logger // as text to the output, and to the file
	file   *slog.Logger // to the file alone
	closer io.Closer
}

// openLog returns working logs also with an error: an engine without a log file is
// better than none.
func openLog(state string, output io.Writer) (logs, error) {
	text := slog.NewTextHandler(output, nil)
	file, err := logfile.Open(EngineLog(state))
	if err != nil {
		return logs{all: slog.New(text), file: slog.New(slog.DiscardHandler)}, err
	}
	lines := slog.NewJSONHandler(file, nil)
	return logs{all: slog.New(slog.NewMultiHandler(text, lines)), file: slog.New(lines), closer: file}, nil
}

func (l logs) close() {
	if l.closer != nil {
		l.closer.Close()
	}
}

// LastError returns why an engine that was started after a time ended, if it logged
// that.
func LastError(state string, since time.Time) string {
	lines, err := logfile.NewReader(EngineLog(state)).Last(20)
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
