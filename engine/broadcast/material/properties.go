package material

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
)

// This file tells the properties that say something of a note's subject from those that are for programs.

// housekeeping says something of the file, and passing of where the work on it is. A name with a line or with a capital in it is
// one of a program.
var (
	housekeeping = lazyregexp.New(`(?i)^(?:(?:.*[- ])?id|uid|guid|alias(?:es)?|cssclass(?:es)?|tags?|keywords?|questions|categor(?:y|ies)|title|publish|permalink|wiki|description|mobile|(?:date )?(?:created|modified|updated|clipped)|last(?:mod)?|draft|template|layout|slug|lang|weight|cover|image|icon|banner|url|links?|source|up|toc|order|parent|cspell|number|nr)$|_|^\p{Ll}+[-]`)
	passing      = lazyregexp.New(`(?i)^(?:status|state|date|type|kind|priority|progress|related|references|rating|published|isbn\d*|coordinates|owner)$`)
	inner        = lazyregexp.New(`\p{Ll}\p{Lu}`)
	noFact       = lazyregexp.New(`://|[/@_\\]|\.[a-z]{2,4}\b`)
)

// IsHousekeeping reports whether a property says something of the file and nothing of its subject.
func IsHousekeeping(key string) bool {
	return housekeeping().MatchString(key) || inner().MatchString(key)
}

// IsFact reports whether a value is one that a person reads, and no address, path or name for a program.
func IsFact(value string) bool { return !noFact().MatchString(value) }

const (
	mostFact  = 60 // bytes of a value that is asked for
	mostFacts = 8  // of a note
)

// Facts are the properties of a note that can be asked for: a number, a day, or names.
func (n Note) Facts() (list []Property) {
	for _, p := range n.Properties {
		value := Plain(p.Value)
		first, _ := utf8.DecodeRuneInString(value)
		isNamed := unicode.IsDigit(first) || unicode.IsLetter(first) && !unicode.IsLower(first)
		if !IsHousekeeping(p.Key) && !passing().MatchString(p.Key) && isNamed && len(value) <= mostFact && IsFact(value) && !strings.Contains(n.Title, value) && len(list) < mostFacts {
			list = append(list, Property{Key: p.Key, Value: value})
		}
	}
	return list
}
