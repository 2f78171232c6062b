package cli

import (
	"strconv"
	"strings"
)

// TooOld is one sentence where this version of the program is known to be too old, "" where it is not.
func (r *Runner) TooOld(version string) string {
	if r.preset.old == "" || version == "" || compareVersions(version, r.preset.old) > 0 {
		return ""
	}
	return r.preset.tooOld(version)
}

// tooOld is the sentence about a program that does not know what is needed. npm does not install the newer ones beside an old Node.
func (p preset) tooOld(version string) string {
	said := p.program + " does not know an option that is needed; update " + p.program
	if version != "" {
		said = p.program + " " + version + " is too old; update " + p.program
	}
	if p.node != "" {
		said += ": newer than " + p.old + ", which needs Node " + p.node
	}
	return said
}

// compareVersions compares the numbers of two versions, as far as both have them.
func compareVersions(a, b string) int {
	others := strings.Split(b, ".")
	for i, part := range strings.Split(a, ".") {
		if i == len(others) {
			break
		}
		n, errN := strconv.Atoi(part)
		m, errM := strconv.Atoi(others[i])
		if errN != nil || errM != nil {
			break
		}
		if n != m {
			return n - m
		}
	}
	return 0
}
