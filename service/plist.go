package service

import "strings"

// plistText is the LaunchAgent. It starts the supervisor, which ends with success
// when another start would mend nothing, so that launchd leaves it alone then
// (SuccessfulExit, https://keith.github.io/xcode-man-pages/launchd.plist.5.html).
func plistText(s Spec) string {
	return launchAgentText(s.Name, s.supervisorCommand(), `	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<key>ProcessType</key>
	<string>Background</string>
`)
}

// appletPlist is a LaunchAgent of the graphical session that is started once.
func appletPlist(a Applet) string {
	return launchAgentText(a.Name, a.commandWords(), `	<key>LimitLoadToSessionType</key>
	<string>Aqua</string>
`)
}

// launchAgentText is an agent that runs a command at login, with more keys.
func launchAgentText(label string, words []string, more string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + xmlText(label) + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, word := range words {
		b.WriteString("\t\t<string>" + xmlText(word) + "</string>\n")
	}
	b.WriteString(`	</array>
	<key>RunAtLoad</key>
	<true/>
` + more + `</dict>
</plist>
`)
	return b.String()
}

// xmlText escapes text for XML, and the braces that kardianos would take for a
// template.
func xmlText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "{{", "&#123;&#123;").Replace(text)
}
