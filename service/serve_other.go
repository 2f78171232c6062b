//go:build !windows

package service

import "context"

func serveManaged(ctx context.Context, _ string, run, _ func(context.Context) error) error {
	return run(ctx)
}
