package tray

import (
	"strings"
)

// menuLabel is a text as the menus of a system want it: on Linux an underscore and on
// Windows an ampersand would make the next letter a shortcut.
func menuLabel(system, text string) string {
	switch system {
	case "linux", "freebsd", "openbsd", "netbsd":
		return strings.ReplaceAll(text, "_", "__")
	case "windows":
		return strings.ReplaceAll(text, "&", "&&")
	}
	return text
}

// tooltipText is a tooltip as a system can show it: Windows has room for 127 UTF-16 units
// (szTip, https://learn.microsoft.com/en-us/windows/win32/api/shellapi/ns-shellapi-notifyicondataw).
func tooltipText(system, text string) string {
	if system != "windows" {
		return text
	}
	units := 0
	for at, r := range text {
		if units++; r > 0xffff {
			units++
		}
		if units > 120 {
			return text[:at] + "…"
		}
	}
	return text
}
