// Package noteplugin puts our plugin into the vaults of Obsidian, and takes it out again.
//
//	done := noteplugin.PutAll(vaults, asked) // into those that Obsidian has
//	gone := noteplugin.RemoveAll(vaults)     // from these and all others it was ever put into
//
// # Promises
//
// Only a vault with a folder .obsidian is touched, and of it only this plugin's own folder: the list of plugins that
// are switched on belongs to the person. A file there is replaced or removed only if its bytes are those that this
// program puts there or once did. The state folder gets their hashes before any vault gets the files, so that no file
// is left unknown. No link is followed out of the vault. Nothing secret is put there.
package noteplugin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/syserr"
)

const (
	folder = ".obsidian/plugins/vault-dispatcher"
	most   = 1 << 20 // bytes of a file that can be ours
	oldest = 20      // versions that are known of a file
	silent = "the disk of the vault does not respond"
	// Record is the name of the file in the state folder that says what was put where.
	Record = "obsidian.json"
)

// Done is what became of the plugin in one vault.
type Done struct {
	Vault   string   `json:"vault"`
	Folder  string   `json:"folder"`
	Changed bool     `json:"changed"`
	Problem string   `json:"problem,omitempty"`
	Absent  bool     `json:"away,omitempty"` // it was put there, and the vault is not there now
	Foreign []string `json:"left,omitempty"` // files in its folder that are not ours
}

// sums are the hashes of what was put into each vault, by the names of the files; a name has all its
// versions, the newest first, with a space between.
type sums map[string]map[string]string

// IsPlace reports whether a folder is a vault of Obsidian. A folder on a disk that does not respond within a second is none.
func IsPlace(vault string) bool {
	e, isThere := patience.FirstThere(filepath.Join(vault, ".obsidian"))
	return isThere && e.Info.IsDir()
}

func hasSettings(vault string) bool {
	info, err := os.Stat(filepath.Join(vault, ".obsidian"))
	return err == nil && info.IsDir()
}

// PutAll puts the plugin into those of the vaults that Obsidian has; unless that was asked for, only
// into those that have an earlier one of ours.
func PutAll(vaults []config.Vault, asked bool) (all []Done) {
	state, err := place.StateDir()
	if err != nil {
		return nil // setup has failed before
	}
	known := readSums(state)
	for _, v := range vaults {
		if _, has := known[v.Path]; !asked && !has {
			continue
		}
		if done, isPlace := known.put(state, v.Path); isPlace {
			all = append(all, done)
		}
	}
	return all
}

// put puts the plugin into one vault, if it is one of Obsidian or its disk does not say so.
func (known sums) put(state, vault string) (done Done, isPlace bool) {
	type look struct {
		isPlace bool
		stale   []string
		err     error
	}
	done, ours := doneIn(vault), known[vault]
	seen, responds := patience.AwaitAct(vault, func() (l look) {
		if l.isPlace = hasSettings(vault); l.isPlace {
			l.stale, l.err = findStale(vault, ours)
		}
		return l
	})
	if !responds {
		done.Problem = silent
		return done, true
	}
	err := seen.err
	if err == nil && seen.isPlace {
		if known[vault] == nil {
			known[vault] = make(map[string]string)
		}
		err = known.add(state, vault)
	}
	if err == nil && seen.isPlace {
		done.Changed, err = len(seen.stale) > 0, putFiles(vault, seen.stale)
	}
	if err != nil {
		done.Problem = syserr.Plain(err)
	}
	return done, seen.isPlace
}

func doneIn(vault string) Done {
	return Done{Vault: vault, Folder: filepath.Join(vault, filepath.FromSlash(folder))}
}

// add writes down what this version puts into a vault.
func (known sums) add(state, vault string) error {
	isNew := false
	for name, text := range pluginFiles() {
		if all := strings.Fields(known[vault][name]); !slices.Contains(all, sumOf(text)) {
			all = slices.Insert(all, 0, sumOf(text))
			known[vault][name], isNew = strings.Join(all[:min(len(all), oldest)], " "), true
		}
	}
	if !isNew {
		return nil
	}
	return writeSums(state, known)
}

// findStale returns the files of one vault that are not there or of another version of ours.
func findStale(vault string, known map[string]string) (stale []string, err error) {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for name, text := range pluginFiles() {
		sum, err := sumIn(root, name)
		switch {
		case err == nil && sum == sumOf(text):
		case errors.Is(err, fs.ErrNotExist) || err == nil && slices.Contains(strings.Fields(known[name]), sum):
			stale = append(stale, name)
		case err != nil:
			return nil, err
		default:
			return nil, fmt.Errorf("%s is not ours", path.Join(folder, name))
		}
	}
	slices.Sort(stale)
	return stale, nil
}

// putFiles makes files of one vault ours of this version. It does not wait for a disk that does not respond.
func putFiles(vault string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	err, responds := patience.AwaitAct(vault, func() error {
		for _, name := range names {
			if err := files.WriteInside(vault, path.Join(folder, name), pluginFiles()[name], 0o644); err != nil {
				return err
			}
		}
		return nil
	})
	if !responds {
		return errors.New(silent + "; the plugin is still being written")
	}
	return err
}

// RemoveAll takes the plugin out of vaults and of all others that ever got it.
func RemoveAll(vaults []config.Vault) (all []Done) {
	state, err := place.StateDir()
	if err != nil {
		return nil
	}
	known := readSums(state)
	places := slices.Collect(maps.Keys(known))
	for _, v := range vaults {
		places = append(places, v.Path)
	}
	slices.Sort(places)
	for _, vault := range slices.Compact(places) {
		if done := removeFrom(vault, known[vault]); done.Problem != "" || done.Changed || done.Absent || len(done.Foreign) > 0 {
			all = append(all, done)
		}
	}
	return all
}

// removeFrom is removeFiles on a disk that may hang, even one that has answered a first look.
func removeFrom(vault string, known map[string]string) Done {
	if _, responds := patience.Await(func() bool { return hasSettings(vault) }); responds {
		gone, responds := patience.AwaitAct(vault, func() (done Done) {
			var err error
			if done.Changed, done.Foreign, err = removeFiles(vault, known); err != nil {
				done.Problem = syserr.Plain(err)
			}
			done.Absent = err == nil && known != nil && !hasSettings(vault)
			return done
		})
		if responds {
			gone.Vault, gone.Folder = vault, doneIn(vault).Folder
			return gone
		}
	}
	done := doneIn(vault)
	done.Problem = silent
	return done
}

// removeFiles removes our files of one vault, and their folder if nothing else is in it.
func removeFiles(vault string, known map[string]string) (changed bool, left []string, err error) {
	root, err := os.OpenRoot(vault)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, err
	}
	defer root.Close()
	if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
		return false, nil, nil // a person has made the link
	}
	for name, text := range pluginFiles() {
		sum, err := sumIn(root, name)
		if err != nil || sum != sumOf(text) && !slices.Contains(strings.Fields(known[name]), sum) {
			continue
		}
		if err := root.Remove(path.Join(folder, name)); err != nil {
			return changed, nil, err
		}
		changed = true
	}
	entries, err := fs.ReadDir(root.FS(), folder)
	for _, e := range entries {
		left = append(left, filepath.Join(vault, filepath.FromSlash(folder), e.Name()))
	}
	if err == nil && changed && len(left) == 0 {
		err = root.Remove(folder)
	}
	return changed, left, err
}

// pluginFiles are the plugin's files as this program has them.
func pluginFiles() map[string][]byte {
	all := make(map[string][]byte)
	for _, name := range []string{"main.js", "manifest.json", "styles.css"} {
		all[name], _ = fs.ReadFile(assets.Plugin(), name) // compiled in; a test reads it
	}
	return all
}

// sumIn is the hash of a file of the plugin's folder in a vault; of what cannot be ours it is no hash.
func sumIn(root *os.Root, name string) (string, error) {
	name = path.Join(folder, name)
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return "none", err
	}
	text, err := root.ReadFile(name)
	return sumOf(text), err
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// readSums returns what was written down. Without it only files of this version are ours.
func readSums(state string) sums {
	known := make(sums)
	text, err := os.ReadFile(filepath.Join(state, Record))
	if err != nil || json.Unmarshal(text, &known) != nil {
		return make(sums)
	}
	return known
}

func writeSums(state string, known sums) error {
	text, err := json.MarshalIndent(known, "", "\t")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(state, Record), append(text, '\n'), 0o600)
}
