//go:build !windows && !darwin

package watch

import "log/slog"

func openSource(root string, h *hints, log *slog.Logger) (source, error) {
	return openNative(root, h, log)
}
