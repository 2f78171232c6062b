// Package notes says which files of a vault's folder are its notes.
//
// [WhyNot] decides by the path alone, [WhyNotIn] asks the disk too, and [Walk] lists what is on it. [WhyNotAsked] is for what
// a person asks for by the name of a file. Everything
// that asks which notes a vault has asks here, so that no part of the product knows a
// note that another one excludes.
package notes

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/note/filename"
)

// WhyNot says without capital and full stop why a file is no note, by its path in the vault, or
// nothing. exclude are the globs of wiki.exclude.
func WhyNot(rel string, exclude []string) string {
	if !filename.IsNote(rel) {
		return whyNoName(rel)
	}
	return whyExcluded(rel, exclude)
}

func whyExcluded(rel string, exclude []string) string {
	for _, pattern := range exclude {
		if glob.Match([]string{pattern}, rel) {
			return "the note is excluded by wiki.exclude: " + pattern
		}
	}
	return ""
}

// whyNoName says why a file is no note by its path.
func whyNoName(rel string) string {
	for folder := range strings.SplitSeq(path.Dir(rel), "/") {
		if bin := filename.WhyBin(folder); bin != "" {
			return fmt.Sprintf("the folder %s is %s, and nothing in it is a note; move the note out of it", folder, bin)
		}
	}
	if by := filename.WhyVersion(path.Base(rel)); by != "" {
		mend := "take what is new over into the note, or give the file a name of its own"
		if by != filename.Ours {
			mend = "take what is new over into the note, give the file a name of its own, or have it asked with wiki scan"
		}
		return fmt.Sprintf("the name is one that %s gives to a second version of a note, so nothing is asked in it; %s", by, mend)
	}
	return "only .md and .markdown files count, and no editors' temporary files or anything in a folder that begins with a dot"
}

// WhyNotIn is WhyNot for a file of the vault at root, of which the disk may have to tell more.
func WhyNotIn(root, rel string, exclude []string) string {
	if why := WhyNot(rel, exclude); why != "" {
		return why
	}
	return whyOld(root, rel)
}

// WhyNotAsked is WhyNotIn for a file that a person asks to have asked: a name that only a program gives is no
// reason then, but that of a version which the dispatcher has put aside is.
func WhyNotAsked(root, rel string, exclude []string) string {
	if by := filename.WhyVersion(path.Base(rel)); by == "" || by == filename.Ours || !filename.MayBeAsked(rel) {
		return WhyNotIn(root, rel, exclude)
	}
	return cmp.Or(whyExcluded(rel, exclude), whyOld(root, rel))
}

// whyOld is what the disk has against a file.
func whyOld(root, rel string) string {
	if keepsOld(root, rel) {
		return "Logseq keeps old versions of pages in this folder, and nothing in it is a note; move the note out of it"
	}
	return ""
}

// keepsOld reports whether a path lies among the old versions that Logseq keeps. It touches the disk where
// the path looks so.
func keepsOld(root, rel string) bool {
	graph, ok := filename.LogseqGraph(rel)
	if !ok {
		return false
	}
	for _, folder := range []string{"pages", "journals"} {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(graph), folder)); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// HoldsNone reports whether a folder of the vault at root is not entered, by its path in the vault.
func HoldsNone(root, rel string) bool {
	name := path.Base(rel)
	return strings.HasPrefix(name, ".") || name == "node_modules" || filename.WhyBin(name) != "" || keepsOld(root, rel)
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
		case entry.IsDir() || WhyNot(rel, exclude) != "":
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			found(rel, info)
		}
		return nil
	})
}
