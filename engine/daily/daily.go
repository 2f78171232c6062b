// Package daily says which note of a vault belongs to a day.
//
// [Note] reads what Obsidian's daily notes, or the plugin Periodic Notes, are set to, and names the
// note as they would.
//
// # Promises
//
// No name is guessed: a format with a part that is not known, or with names of days or months that may be in another
// language than English, is an error that says so. Nothing is written.
package daily

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/note/apps"
)

// settings are where daily notes are and how they are named.
type settings apps.Days

// Note returns the path of the note of a day in a vault, with slashes. The error is a sentence for a person.
func Note(vault fs.FS, day time.Time) (string, error) {
	s, err := readSettings(vault)
	if err != nil {
		return "", err
	}
	rel, spoken, err := s.nameNote(day)
	if err == nil {
		err = checkFolder(vault, path.Dir(rel))
	}
	if err != nil {
		return "", err
	}
	if !spoken || isUsed(vault, s, day) {
		return rel, nil
	}
	return "", fmt.Errorf("the format of daily notes, %s, has names of days, months or weeks, which may be in another language than English", s.Format)
}

// checkFolder says why a note can have no folder: another file has its name.
func checkFolder(vault fs.FS, folder string) error {
	for ; folder != "."; folder = path.Dir(folder) {
		if info, err := fs.Stat(vault, folder); err == nil && !info.IsDir() {
			return fmt.Errorf("the folder of daily notes is set to lie at %s, which is a file; move it away or set another folder", folder)
		}
	}
	return nil
}

// longestName is how many bytes the name of a file or folder has at most, on every system.
const longestName = 255

func isTooLong(name string) bool { return len(name) > longestName }

// nameNote returns the path of a day's note, and whether a language has a say in it.
func (s settings) nameNote(day time.Time) (rel string, spoken bool, err error) {
	name, spoken, err := Format(s.Format, day)
	if err != nil {
		return "", false, err
	}
	rel = path.Join(strings.TrimSpace(strings.Trim(s.Folder, "/ ")), name)
	if ext := strings.ToLower(path.Ext(rel)); ext != ".md" {
		rel += ".md"
	}
	if slices.ContainsFunc(strings.Split(rel, "/"), isTooLong) {
		return "", false, fmt.Errorf("the folder and format of daily notes make a name of more than %d bytes, which no file has; set shorter ones", longestName)
	}
	if strings.TrimSpace(name) == "" || strings.ContainsAny(rel, "\\:*?\"<>|#^[]\x00") || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return "", false, fmt.Errorf("the folder and format of daily notes make %q, which can be no note", rel)
	}
	return rel, spoken, nil
}

// readSettings returns what is set, by the first app or plugin that has a say.
func readSettings(vault fs.FS) (settings, error) {
	for _, d := range apps.Dailies() {
		if d.Plugin != "" {
			var plugins []string
			if err := readFile(vault, apps.ObsidianPlugins, func(text []byte) error { return json.Unmarshal(text, &plugins) }); err != nil {
				return settings{}.withDefaults(), err
			} else if !slices.Contains(plugins, d.Plugin) {
				continue
			}
		}
		var days apps.Days
		err := readFile(vault, d.File, func(text []byte) (err error) {
			days, err = d.Read(text)
			return err
		})
		if days.Enabled || err != nil {
			return settings(days).withDefaults(), err
		}
	}
	return settings{}.withDefaults(), nil
}

func (s settings) withDefaults() settings {
	if strings.TrimSpace(s.Format) == "" {
		s.Format = "YYYY-MM-DD"
	}
	return s
}

// readFile has a file of settings read; one that is missing sets nothing.
func readFile(vault fs.FS, name string, read func(text []byte) error) error {
	info, err := fs.Stat(vault, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() { // a pipe would be waited for
		return fmt.Errorf("%s cannot be read: it is no file", name)
	}
	var text []byte
	if err == nil {
		text, err = fs.ReadFile(vault, name)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if read(bytes.TrimPrefix(text, []byte("\ufeff"))) != nil {
		return fmt.Errorf("%s cannot be read: it is not as the note app writes it", name)
	}
	return nil
}

// lookBack is how many days back a note proves that the format is written in English.
const lookBack = 60

// isUsed reports whether notes of the last days have the names that we would give them, or there is no note
// yet where they belong.
func isUsed(vault fs.FS, s settings, day time.Time) bool {
	for i := range lookBack {
		rel, _, err := s.nameNote(day.AddDate(0, 0, -i))
		if err != nil {
			return false
		}
		if info, err := fs.Stat(vault, rel); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	empty := true
	folder := strings.Trim(s.Folder, "/")
	if folder == "" {
		folder = "."
	}
	_ = fs.WalkDir(vault, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(strings.ToLower(name), ".md") {
			empty = false
			return fs.SkipAll
		}
		return nil
	})
	return empty
}
