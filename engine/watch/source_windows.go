package watch

import "log/slog"

func openSource(root string, h *hints, log *slog.Logger) (source, error) {
	return openRDCW(root, h, log)
}
