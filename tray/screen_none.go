//go:build darwin && !cgo

package tray

import "context"

// show cannot show anything: the menu bar of macOS is reached through Cocoa.
func show(context.Context, *app, <-chan struct{}) error { return ErrNoTray }
