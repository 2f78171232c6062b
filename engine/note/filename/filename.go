// Package filename tells by a file's name alone whether it is a note, and which other notes it may be a second
// version of. It is pure.
package filename

import (
	"net/url"
	"path"
	"strings"
)

// TrimExtension returns a path without the extension of a note, .md or .markdown.
func TrimExtension(rel string) string {
	switch extension := path.Ext(rel); strings.ToLower(extension) {
	case ".md", ".markdown":
		return strings.TrimSuffix(rel, extension)
	}
	return rel
}

// Unescape returns the path in a Markdown link as it is on the disk: percent-decoded, if it is encoded as it should be.
func Unescape(target string) string {
	if plain, err := url.PathUnescape(target); err == nil {
		return plain
	}
	return target
}

// IsNote reports whether rel, a path in a vault with slashes, names a note: a
// Markdown file that is not in a hidden folder or in node_modules, and neither an
// editor's temporary file nor, as its name alone says, a second version of another note.
func IsNote(rel string) bool { return MayBeAsked(rel) && WhyVersion(path.Base(rel)) == "" }

// MayBeAsked reports whether rel names a note, or a second version of one, which counts as one where a person
// asks for it.
func MayBeAsked(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if part == "" || part[0] == '.' || part == "node_modules" {
			return false
		}
	}
	name := path.Base(rel)
	stem := TrimExtension(name)
	return stem != "" && stem != name && !strings.HasPrefix(name, "~$")
}
