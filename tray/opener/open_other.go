//go:build !darwin && !windows

package opener

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// Open has the desktop open a link.
func Open(ctx context.Context, link string) error {
	err := startTool(ctx, "xdg-open", link)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("xdg-open is not installed, so nothing can be opened from here")
	case err != nil:
		return fmt.Errorf("the desktop opens no such link: %w", err)
	}
	return nil
}
