//go:build darwin && !cgo

package tray

import "context"

// showPanel cannot show anything: the menu bar of macOS is reached through Cocoa.
func showPanel(context.Context, *app, <-chan struct{}) error { return ErrNoTray }
