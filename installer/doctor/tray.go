package doctor

import "context"

// Panel is what the desktop says of icons in its panel.
type Panel int

// From the first to the last.
const (
	Icons     Panel = iota // it shows them
	NoIcons                // there is a desktop without a panel that shows them
	NoSession              // no desktop is seen from here
)

// checkTray: without the tray's program it does not matter much.
func checkTray(ctx context.Context, l *look) []Finding {
	panel := l.Panel(ctx)
	switch {
	case panel == Icons && l.Tray == "":
		return nil
	case panel == Icons:
		return []Finding{{Code: TrayGood, Subject: l.Tray}}
	case l.Tray == "":
		return []Finding{{Code: TrayAbsent}}
	case panel == NoIcons:
		return []Finding{{Code: TrayNoIcons, Subject: l.Tray}}
	}
	return []Finding{{Code: TrayNoSession, Subject: l.Tray}}
}
