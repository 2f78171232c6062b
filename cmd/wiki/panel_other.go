//go:build !linux

package main

import (
	"context"

	"vaultdispatcher/installer/doctor"
)

// panel needs no question: these desktops have one.
func panel(context.Context) doctor.Panel { return doctor.Icons }
