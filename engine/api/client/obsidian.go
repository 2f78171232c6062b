package client

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// ObsidianLink is what opens a note of a vault in Obsidian, both as whole paths. It is
// empty where the vault is none of Obsidian's, and for a .markdown file, which Obsidian takes for
// no note (https://help.obsidian.md/file-formats). All of a path is escaped, so nothing in
// it is another parameter.
func ObsidianLink(vault, note string) string {
	if !strings.EqualFold(filepath.Ext(note), ".md") {
		return ""
	}
	if info, err := os.Stat(filepath.Join(vault, ".obsidian")); err != nil || !info.IsDir() {
		return ""
	}
	return "obsidian://open?path=" + strings.ReplaceAll(url.QueryEscape(note), "+", "%20")
}
