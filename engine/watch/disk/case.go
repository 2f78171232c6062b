package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// SameName reports whether a file system that folds names takes two for one. Such
// systems take the composed and the decomposed form of a letter for one as well.
func SameName(a, b string) bool {
	return strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}

// FoldsCase finds out, without writing, whether the folder at abs takes a name in
// another letter case for the same name.
func FoldsCase(abs string) bool {
	usual := runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	f, err := OpenFolder(abs)
	if err != nil {
		return usual
	}
	defer f.Close()
	names, _ := f.Readdirnames(100) // after an error the usual answer holds
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
