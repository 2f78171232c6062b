package client

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// ObsidianLink returns the link that opens a note of a vault in Obsidian, both as whole paths. It is empty for a
// vault that is not Obsidian's, and for a .markdown file, which Obsidian does not take for a note
// (https://help.obsidian.md/file-formats). All of a path is escaped, so that no part of it is another parameter.
func ObsidianLink(vault, note string) string {
	if !strings.EqualFold(filepath.Ext(note), ".md") {
		return ""
	}
	if info, err := os.Stat(filepath.Join(vault, ".obsidian")); err != nil || !info.IsDir() {
		return ""
	}
	return "obsidian://open?path=" + strings.ReplaceAll(url.QueryEscape(note), "+", "%20")
}
