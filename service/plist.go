package service

import "strings"

// plistText is the LaunchAgent. It starts the supervisor, which ends with success
// when another start would mend nothing, so that launchd leaves it alone then.
func plistText(s Spec) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + xmlText(s.Name) + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, word := range s.keeper() {
		b.WriteString("\t\t<string>" + xmlText(word) + "</string>\n")
	}
	b.WriteString(`	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<key>ProcessType</key>
	<string>Background</string>
</dict>
</plist>
`)
	return b.String()
}

// xmlText escapes text for XML, and the braces that kardianos would take for a
// template.
func xmlText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "{{", "&#123;&#123;").Replace(text)
}
