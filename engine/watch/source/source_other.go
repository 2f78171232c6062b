//go:build !windows && !darwin

package source

import "log/slog"

func Open(root string, h *Hints, log *slog.Logger) (Source, error) {
	return openNative(root, h, log)
}
