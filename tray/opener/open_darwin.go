package opener

import (
	"context"
	"fmt"
)

// Open has the desktop open a link.
func Open(ctx context.Context, link string) error {
	if err := startTool(ctx, "open", link); err != nil {
		return fmt.Errorf("the desktop opens no such link: %w", err)
	}
	return nil
}
