package assets

import (
	"embed"
	"path"
)

// icons are apart from the other files: the tray shows nothing else.
//
//go:embed icons/*.png icons/*.ico
var icons embed.FS

// Icons is one state of the tray's icon, in the forms that desktops ask for: the logo
// with a badge, or hollow. The states differ by shape and by colour, and each can be told
// from a light and from a dark background. icons/STATE.svg is the source of the three: 44 pixels wide;
// 16 to 48 wide; and 44 wide in black, with the mark cut out.
type Icons struct {
	PNG      []byte // Linux
	ICO      []byte // Windows, in several sizes
	Template []byte // macOS: black and transparent, coloured by the system
}

// Icon returns the icons of a state: "idle", "busy" with agents at work, "paused",
// "error" where a person is needed, "offline" without an engine. Another name has none.
func Icon(state string) Icons {
	read := func(name string) []byte {
		data, err := icons.ReadFile(path.Join("icons", name))
		if err != nil {
			return nil // the icons are compiled in; a test reads them
		}
		return data
	}
	return Icons{PNG: read(state + ".png"), ICO: read(state + ".ico"), Template: read(state + "-template.png")}
}
