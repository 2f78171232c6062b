// Package notes says which files of a vault's folder are its notes.
//
// [WhyNot] decides by the path alone, [WhyNotIn] asks the disk too, and [Walk] lists what is on it. [WhyNotAsked] is for what
// a person asks for by the name of a file. Everything
// that asks which notes a vault has asks here, so that no part of the product knows a
// note that another one excludes.
package notes

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/note/apps"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/wording"
)

// WhyNot says without capital and full stop why a file is no note, by its path in the vault, or
// nothing. exclude are the globs of wiki.exclude.
func WhyNot(rel string, exclude []string) string {
	if !filename.IsNote(rel) || apps.IsInBin(rel) {
		return whyNoName(rel)
	}
	return whyExcluded(rel, exclude)
}

func whyExcluded(rel string, exclude []string) string {
	for _, pattern := range exclude {
		if glob.Match([]string{pattern}, rel) {
			return wording.Excluded.Say(pattern)
		}
	}
	return ""
}

// whyNoName says why a file is no note by its path.
func whyNoName(rel string) string {
	for folder := range strings.SplitSeq(path.Dir(rel), "/") {
		if what := apps.WhyBin(folder); what != "" {
			return wording.InBin.Say(folder, what)
		}
	}
	if by := filename.WhyVersion(path.Base(rel)); by != "" {
		if by == filename.Ours {
			return wording.OwnVersion.Say(by)
		}
		return wording.Version.Say(by)
	}
	return wording.NoName.Say()
}

// WhyNotIn is WhyNot for a file of the vault at root. It may ask the disk for more.
func WhyNotIn(root, rel string, exclude []string) string {
	if why := WhyNot(rel, exclude); why != "" {
		return why
	}
	return whyKept(root, rel)
}

// WhyNotAsked is WhyNotIn for a file that a person asks to have asked: a name that only a program gives is no
// reason then, but that of a version which the dispatcher has put aside is.
func WhyNotAsked(root, rel string, exclude []string) string {
	if by := filename.WhyVersion(path.Base(rel)); by == "" || by == filename.Ours || !filename.MayBeAsked(rel) || apps.IsInBin(rel) {
		return WhyNotIn(root, rel, exclude)
	}
	return cmp.Or(whyExcluded(rel, exclude), whyKept(root, rel))
}

// whyKept returns why a file is no note although its path is allowed: files of an app are beside it, or beside a
// folder above it. It touches the disk only for a path that looks so.
func whyKept(root, rel string) string {
	for _, c := range apps.Kept(rel) {
		if !hasAny(filepath.Join(root, filepath.FromSlash(c.Parent)), c.Companions) {
			continue
		}
		if c.Folder != "" {
			return wording.InBin.Say(c.Folder, c.Description)
		}
		return wording.OfApp.Say(c.Description)
	}
	return ""
}

// hasAny reports whether a folder has a file or folder of one of the names.
func hasAny(folder string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	})
}

// HoldsNone reports whether a folder of the vault at root is not entered, by its path in the vault.
func HoldsNone(root, rel string) bool {
	name := path.Base(rel)
	return strings.HasPrefix(name, ".") || name == "node_modules" || apps.WhyBin(name) != "" || whyKept(root, rel) != ""
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
		case err != nil || entry.IsDir() && HoldsNone(root, rel):
			return fs.SkipDir
		case entry.IsDir() || WhyNotIn(root, rel, exclude) != "":
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			found(rel, info)
		}
		return nil
	})
}
