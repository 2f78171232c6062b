package host

import (
	"io"
	"log/slog"

	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/service/logfile"
)

// logs are where an engine logs.
type logs struct {
	main   *slog.Logger // warnings as text to the output, and everything to the file
	file   *slog.Logger // to the file alone
	closer io.Closer
}

// openLog returns working logs also with an error: an engine without a log file is
// better than none.
func openLog(state string, output io.Writer) (logs, error) {
	text := slog.NewTextHandler(output, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: syserr.ForPeople})
	file, err := logfile.Open(logfile.EngineLog(state))
	if err != nil {
		return logs{main: slog.New(text), file: slog.New(slog.DiscardHandler)}, err
	}
	lines := slog.NewJSONHandler(file, &slog.HandlerOptions{ReplaceAttr: syserr.ForLog})
	return logs{main: slog.New(slog.NewMultiHandler(text, lines)), file: slog.New(lines), closer: file}, nil
}

func (l logs) close() {
	if l.closer != nil {
		l.closer.Close()
	}
}
