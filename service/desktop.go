package service

import "strings"

// desktopText is the XDG autostart entry. It has no place in menus
// (https://specifications.freedesktop.org/autostart-spec/latest/).
func desktopText(s Spec) string { return desktopEntry(s.Title, s.supervisorCommand()) }

// desktopEntry is an entry that starts a command.
func desktopEntry(title string, words []string) string {
	return "[Desktop Entry]\n" +
		"Type=Application\n" +
		"Name=" + desktopString(title) + "\n" +
		desktopExec(words) + "\n" +
		"Terminal=false\n" +
		"NoDisplay=true\n" +
		"X-GNOME-Autostart-enabled=true\n"
}

// desktopExec is the line with the command. Words are quoted by the rules of Exec
// first and then by those of every string of the file
// (https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html).
func desktopExec(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$", `\$`).Replace(word)
		quoted[i] = `"` + strings.ReplaceAll(escaped, "%", "%%") + `"`
	}
	return "Exec=" + desktopString(strings.Join(quoted, " "))
}

// desktopString is a value of the file.
func desktopString(value string) string { return strings.ReplaceAll(value, `\`, `\\`) }

// switchedOff reports whether a desktop file says that it is not to be started:
// that is what the settings of desktops write.
func switchedOff(text string) bool {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if key == "Hidden" && value == "true" || key == "X-GNOME-Autostart-enabled" && value == "false" {
			return true
		}
	}
	return false
}
