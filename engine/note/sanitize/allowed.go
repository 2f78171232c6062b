package sanitize

import (
	"regexp"
	"strings"
)

// What an answer may hold besides text and code.
var (
	// autoLink is a plain link, emphasis the HTML that stays, and imageTag an image
	// of the network, which becomes a plain link.
	autoLink = regexp.MustCompile("^<(?:https?://|mailto:)[^\\s<>\\[\\]\\\\`%$]+(?:%[^\\s<>\\[\\]\\\\`%$]+)*>")
	emphasis = regexp.MustCompile(`(?i)^</?(?:b|i|em|strong|u|s|sub|sup|kbd|mark|del|ins|small|br) ?/?>`)
	imageTag = regexp.MustCompile("(?i)^<img\\s[^<>`]*?\\bsrc\\s*=\\s*[\"']?(https?://[^\\s\"'<>\\[\\]\\\\`%$]+)[^<>`]*>")

	// Images and embeds of the vault itself.
	embedded   = regexp.MustCompile("^!\\[\\[[^\\[\\]\n<>`:\\\\]+\\]\\]")
	localImage = regexp.MustCompile("^!\\[[^\\[\\]\n<>`!\\\\]*\\]\\((?:[A-Za-z0-9_.% -]|/[A-Za-z0-9_.% -])+/?\\)")
)

// isExecuted reports whether a plugin of a note app executes a code block with this
// info string when it shows the note.
func isExecuted(info []string) bool {
	if len(info) == 0 {
		return false
	}
	switch strings.ToLower(info[0]) {
	case "dataviewjs", "datacorejs", "datacorejsx", "datacorets", "datacoretsx", "js-engine", "meta-bind-js-view":
		return true
	}
	return false
}
