//go:build !linux

package desktop

import (
	"context"

	"vaultdispatcher/installer/doctor"
)

// FindPanel needs no question: these desktops have one.
func FindPanel(context.Context) doctor.Panel { return doctor.Icons }
