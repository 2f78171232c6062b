package config

import (
	"strings"

	"vaultdispatcher/engine/wording"
)

// nearestKey returns the known name that a word was probably meant to be: one that differs in at most
// two letters and in less than half of them, or one whose last part is the same. Without such a name
// it returns "".
func nearestKey(word string, names []string) string {
	best, meant, least := 3, "", strings.ToLower(word)
	if len(least) > 100 {
		return ""
	}
	for _, name := range names {
		d := wording.EditDistance(least, strings.ToLower(name), best)
		if lastPart(least) == lastPart(strings.ToLower(name)) {
			d = min(d, 2)
		} else if 2*d >= len(lastPart(least)) {
			continue
		}
		if d < best {
			best, meant = d, name
		}
	}
	return meant
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
