package desktop

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"

	"vaultdispatcher/engine/patience"
	"vaultdispatcher/installer/doctor"
)

// panelTime is how long the desktop may take to say whether it has a panel.
const panelTime = 3 * time.Second

// FindPanel asks the session bus, if there is one, whether a panel shows tray icons; it never starts a bus. A bus
// that does not answer counts as absent.
func FindPanel(ctx context.Context) doctor.Panel {
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return doctor.NoSession
	}
	defer bus.Close()
	ctx, cancel := context.WithTimeout(ctx, patience.Of(panelTime))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { bus.Close() }) // a greeting knows no context
	defer stop()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		return doctor.NoSession
	}
	var there bool
	err = bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&there)
	switch {
	case err != nil:
		return doctor.NoSession
	case !there:
		return doctor.NoIcons
	}
	return doctor.Icons
}
