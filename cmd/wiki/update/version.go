package update

import (
	"cmp"
	"strings"
)

// compareVersions is negative where a is older than b, by the rules of https://semver.org/#spec-item-11.
func compareVersions(a, b string) int {
	a, early, isEarly := strings.Cut(a, "-")
	b, earlier, isEarlier := strings.Cut(b, "-")
	if order := compareParts(a, b); order != 0 {
		return order
	}
	if !isEarly || !isEarlier { // a release is newer than what came before it
		return cmp.Compare(length(isEarlier), length(isEarly))
	}
	return compareParts(early, earlier)
}

func length(is bool) int {
	if is {
		return 1
	}
	return 0
}

// compareParts compares the parts between dots. Of two versions that begin alike the longer is newer.
func compareParts(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		if order := comparePart(as[i], bs[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// comparePart compares numbers as numbers, of any length, and puts them before words.
func comparePart(a, b string) int {
	isNumber, isOther := strings.Trim(a, "0123456789") == "", strings.Trim(b, "0123456789") == ""
	switch {
	case isNumber && isOther:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	case isNumber != isOther:
		return cmp.Compare(length(isOther), length(isNumber))
	}
	return cmp.Compare(a, b)
}
