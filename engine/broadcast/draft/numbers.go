package draft

import (
	"maps"
	"slices"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// This file holds what an agent wrote against the numbers of its passages.

var (
	// months, which may be told in words there
	isoMonth = lazyregexp.New(`\b((?:19|20)\d\d)-[01]\d\b`)
	dotMonth = lazyregexp.New(`\b([0-3]?\d)\.[01]?\d\.((?:19|20)\d\d)\b`)

	figure = lazyregexp.New(`\d+(?:[.,'’\x{00A0}\x{202F}]\d+)*`)
	joints = func(r rune) bool { return r < '0' || r > '9' }
)

// findForeign is the first number of an item, of two digits or more, that no passage has from which the item says that it is;
// "" for none. Languages part thousands and decimals in different ways, and dates as well: their parts will do.
func findForeign(i Item) string {
	known := make(map[string]bool)
	for _, s := range i.Sources {
		for _, number := range figure().FindAllString(s.Location+"\n"+s.Text, -1) {
			parts := strings.FieldsFunc(number, joints)
			for _, part := range append(parts, strings.Join(parts, "")) {
				known[strings.TrimLeft(part, "0")] = true
			}
		}
	}
	isForeign := func(part string) bool {
		part = strings.TrimLeft(part, "0")
		return len(part) > 1 && !known[part]
	}
	for _, field := range slices.Sorted(maps.Keys(i.Text)) {
		text := dotMonth().ReplaceAllString(isoMonth().ReplaceAllString(i.Text[field], "$1"), "$1 $2")
		for _, number := range figure().FindAllString(text, -1) {
			if parts := strings.FieldsFunc(number, joints); isForeign(strings.Join(parts, "")) && slices.ContainsFunc(parts, isForeign) {
				return number
			}
		}
	}
	return ""
}
