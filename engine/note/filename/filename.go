// Package filename says by its name alone whether a file is a note. It is pure.
package filename

import (
	"path"
	"regexp"
	"strings"
)

// conflictCopy knows the second versions that sync programs, and the dispatcher
// itself, put beside a note. Each repeats every marker of the note, and none must
// be answered twice.
var conflictCopy = regexp.MustCompile(`(?i)\.sync-conflict-` + // Syncthing
	`|\([^()]*conflicted copy[^()]*\)` + // Obsidian Sync, Dropbox, Nextcloud
	`|_conflict-[0-9]{8}-[0-9]{6}\.` + // ownCloud
	`|\.conflict-[0-9][^/]*$`) // the dispatcher

// TrimExtension returns a path without the extension of a note, .md or .markdown.
func TrimExtension(rel string) string {
	switch extension := path.Ext(rel); strings.ToLower(extension) {
	case ".md", ".markdown":
		return strings.TrimSuffix(rel, extension)
	}
	return rel
}

// IsNote reports whether rel, a path in a vault with slashes, names a note: a
// Markdown file that is not in a hidden folder or in node_modules, and neither a
// conflict copy nor an editor's temporary file.
func IsNote(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if part == "" || part[0] == '.' || part == "node_modules" {
			return false
		}
	}
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	stem := TrimExtension(name)
	return stem != "" && stem != name &&
		!strings.HasPrefix(name, "~$") && !isConflictCopy(name)
}

// isConflictCopy asks the expression for the few names only that have its word.
func isConflictCopy(name string) bool {
	return strings.Contains(strings.ToLower(name), "conflict") && conflictCopy.MatchString(name)
}
