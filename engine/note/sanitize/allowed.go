package sanitize

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// What an answer may hold besides text and code.
var (
	// autoLink is a plain link, emphasis the HTML that stays, and imageTag an image
	// of the network, which becomes a plain link.
	autoLink = lazyregexp.New("^<(?:https?://|mailto:)[^\\s<>\\[\\]\\\\`%$]+(?:%[^\\s<>\\[\\]\\\\`%$]+)*>")
	emphasis = lazyregexp.New(`(?i)^</?(?:b|i|em|strong|u|s|sub|sup|kbd|mark|del|ins|small|br) ?/?>`)
	imageTag = lazyregexp.New("(?i)^<img\\s[^<>`]*?\\bsrc\\s*=\\s*[\"']?(https?://[^\\s\"'<>\\[\\]\\\\`%$]+)[^<>`]*>")

	// Images and embeds of the vault itself.
	embedded   = lazyregexp.New("^!\\[\\[[^\\[\\]\n<>`:\\\\]+\\]\\]")
	localImage = lazyregexp.New("^!\\[[^\\[\\]\n<>`!\\\\]*\\]\\((?:[A-Za-z0-9_.% -]|/[A-Za-z0-9_.% -])+/?\\)")
)

// spelled undoes what may hide a step up in a target.
var spelled = strings.NewReplacer("%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", "/", "%5C", "/")

// isOfVault reports whether an image or embed of the vault begins s. One step up at the beginning of
// its target stays, for Logseq spells its own so (../assets/a.png); what climbs further may lead out.
func isOfVault(s string) bool {
	target := strings.Trim(embedded().FindString(s), "![]")
	if target == "" {
		image := localImage().FindString(s)
		if image == "" {
			return false
		}
		target = image[strings.Index(image, "](")+2:]
	}
	if i := strings.IndexAny(target, "#|"); i >= 0 {
		target = target[:i]
	}
	folders := strings.Split(spelled.Replace(target), "/")
	for _, name := range folders[1:] {
		if strings.Trim(name, " )") == ".." {
			return false
		}
	}
	return true
}
