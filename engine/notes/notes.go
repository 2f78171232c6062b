// Package notes says which files of a vault's folder are its notes.
//
// [WhyNot] decides by the path alone, and [Walk] lists what is on the disk. Everything
// that asks which notes a vault has asks here, so that no part of the product knows a
// note that another one excludes.
package notes

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/note/filename"
)

// WhyNot says in one sentence why a file is no note, by its path in the vault, or
// nothing. exclude are the globs of wiki.exclude.
func WhyNot(rel string, exclude []string) string {
	if !filename.IsNote(rel) {
		return "Only .md and .markdown files count, and no conflict copies, editors' temporary files or anything in a folder that begins with a dot."
	}
	for _, pattern := range exclude {
		if config.Match([]string{pattern}, rel) {
			return "The note is excluded by wiki.exclude: " + pattern + "."
		}
	}
	return ""
}

// HoldsNone reports whether a folder is not entered, by its path in the vault.
func HoldsNone(rel string) bool {
	name := path.Base(rel)
	return strings.HasPrefix(name, ".") || name == "node_modules"
}

// Walk calls found for each note of the folder at root, in order. What cannot be read is
// left out; the error is that of the root itself.
func Walk(root string, exclude []string, found func(rel string, info fs.FileInfo)) error {
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, name) // it is in there
		rel = filepath.ToSlash(rel)
		switch {
		case rel == ".":
			return err
		case err != nil && !entry.IsDir():
			return nil
		case err != nil || entry.IsDir() && HoldsNone(rel):
			return fs.SkipDir
		case entry.IsDir() || WhyNot(rel, exclude) != "":
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			found(rel, info)
		}
		return nil
	})
}
