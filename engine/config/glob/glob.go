// Package glob is pure text: which paths of notes a pattern of the configuration matches.
package glob

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Match reports whether one of the patterns matches rel, the path of a note or folder
// inside its vault, with slashes.
//
// A pattern is a path from the top of the vault. In it `*` stands for any run
// of characters inside one name, `?` for one character, and `**` as a whole
// name for any number of folders, none included; other characters match
// themselves. A pattern that matches a folder matches everything in it, so
// "Archive" and "Archive/**" are the same, and "**/Drafts" is every folder of
// that name.
//
// Upper and lower case are the same on every system, so that a vault synced between
// machines has the same excludes on each.
func Match(patterns []string, rel string) bool {
	for _, p := range patterns {
		p = strings.TrimSuffix(p, "/")
		if mayMatch(p, rel) && matchWild(append(strings.Split(p, "/"), "**"), strings.Split(rel, "/"), isDoubleStar, matchName) {
			return true
		}
	}
	return false
}

// mayMatch reports whether rel has each name that a pattern spells out, in any order: few paths do.
func mayMatch(pattern, rel string) bool {
	for name := range strings.SplitSeq(pattern, "/") {
		found := strings.ContainsAny(name, "*?")
		for part := range strings.SplitSeq(rel, "/") {
			found = found || strings.EqualFold(name, part)
		}
		if !found {
			return false
		}
	}
	return true
}

func isDoubleStar(segment string) bool { return segment == "**" }

func matchName(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return strings.EqualFold(pattern, name)
	}
	return matchWild([]rune(pattern), []rune(name), func(r rune) bool { return r == '*' }, matchRune)
}

func matchRune(pattern, r rune) bool {
	return pattern == r || pattern == '?' || strings.EqualFold(string(pattern), string(r))
}

// matchWild matches text against a pattern in which some elements are stars. It returns
// to the last star only. That is enough, and it limits the work to
// len(pattern)*len(text) steps.
func matchWild[T any](pattern, text []T, star func(T) bool, match func(pattern, text T) bool) bool {
	p, t := 0, 0
	back, resume := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && star(pattern[p]):
			back, resume = p, t
			p++
		case p < len(pattern) && match(pattern[p], text[t]):
			p++
			t++
		case back >= 0:
			resume++
			p, t = back+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && star(pattern[p]) {
		p++
	}
	return p == len(pattern)
}

// Check checks a pattern for [Match]; quote shows it in the error.
func Check(p string, quote func(string) string) error {
	switch {
	case strings.TrimSpace(p) == "":
		return errors.New("an empty pattern; write a path in the vault such as Archive/**")
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl):
		return fmt.Errorf("%s has a character that no file name has", quote(p))
	case strings.Contains(p, `\`):
		return fmt.Errorf("%s has a backslash; write folders with / on every system", quote(p))
	case strings.HasPrefix(p, "/"):
		return fmt.Errorf("%s begins with /; patterns start at the top of the vault, so leave it out", quote(p))
	}
	for s := range strings.SplitSeq(strings.TrimSuffix(p, "/"), "/") {
		switch {
		case s == "":
			return fmt.Errorf("%s has two slashes in a row", quote(p))
		case s == "." || s == "..":
			return fmt.Errorf("%s has %s in it; patterns stay inside the vault and name every folder", quote(p), s)
		case s != "**" && strings.Contains(s, "**"):
			return fmt.Errorf("%s has ** beside other characters; it must stand alone between slashes", quote(p))
		}
	}
	return nil
}
