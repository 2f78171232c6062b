package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// sameName reports whether a file system that folds names takes two for one. Such
// systems take the composed and the decomposed form of a letter for one as well.
func sameName(a, b string) bool {
	return strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}

// folds finds out, without writing, whether the folder at abs takes a name in
// another letter case for the same name.
func folds(abs string) bool {
	usual := runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	f, err := openFolder(abs)
	if err != nil {
		return usual
	}
	defer f.Close()
	names, _ := f.Readdirnames(100) // what could not be read leaves the usual
	for _, name := range names {
		other := swapCase(name)
		if other == name {
			continue
		}
		this, err := os.Lstat(filepath.Join(abs, name))
		if err != nil {
			continue
		}
		that, err := os.Lstat(filepath.Join(abs, other))
		return err == nil && os.SameFile(this, that)
	}
	return usual
}

func swapCase(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
}

// spell returns a path in the spelling by which its parts are known, and the first
// folder in which one of them was spelled otherwise, nil if there is none. A
// source may tell a name as it was typed, or decomposed; two entries for one note
// would have it answered twice.
func (s *session) spell(rel string) (spelled string, odd *folder) {
	f := s.snap.folders[""]
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if f == nil {
			break
		}
		if name := f.known(part); name != part {
			parts[i] = name
			if odd == nil {
				odd = f
			}
		}
		f = s.snap.folders[f.join(parts[i])]
	}
	return strings.Join(parts, "/"), odd
}

// known returns the name in the folder that name may stand for, or name itself.
func (f *folder) known(name string) string {
	if _, ok := f.find(name); ok {
		return name
	}
	if _, ok := f.sub(name); ok {
		return name
	}
	for _, n := range f.notes {
		if sameName(n.name, name) {
			return n.name
		}
	}
	for _, sub := range f.subs {
		if _, its := split(sub.path); sameName(its, name) {
			return its
		}
	}
	return name
}
