package tray

import (
	"strings"
	"unicode"
)

// cleanText makes one line of a text that may come from a note: no line ends, tabs or
// invisible characters, which menus obey in their own ways, and no bytes that are no
// text, of which one makes the whole menu unreadable on D-Bus.
func cleanText(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
}

// shortenText cuts a text to at most n characters, the last of them an ellipsis.
func shortenText(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}

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

// tooltipText is a tooltip as a system can show it: Windows has room for 127 UTF-16 units.
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
