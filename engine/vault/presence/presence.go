// Package presence keeps the files by which the engines of a vault know of one another, and the
// file that names the machine which answers. It removes the old files of ended engines.
// [HideFromGit] keeps out of git the files that only one machine needs, and [LeaveGit] undoes
// that.
//
//	err := presence.Announce(vault, presence.Engine{ID: id, Machine: name, Seen: now})
//	others, err := presence.Others(vault, id, now)
//	err = presence.Retire(vault, engine)
//	err = presence.Withdraw(vault, id) // for good
//
// The file of an ended engine is kept, with the engine's last day and the mark of its journal: by them
// the engine finds that its journal was emptied or damaged since, or is one of an earlier day.
//
// A vault that is synchronised between machines may have an engine on each. Without a named
// owner, both ask and both answer, and only such a file can tell them so.
//
// # Promises
//
// No link leads out of the vault, and only little of the files of others is read. Only files with
// our names are removed, and only when they are old, or when the last engine leaves.
package presence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/lazyregexp"
)

const (
	folder  = ".vault-mind"
	engines = folder + "/engines"
)

// Every is how often an engine says that it is still there, and Valid how long that is believed:
// an announcement may be slow to be synchronised. A vault may be in git, where each new text of a
// file is a change to commit, so an announcement says the day alone. LeftFor is how long one is
// left that is not renewed.
const (
	Every   = 24 * time.Hour
	Valid   = 37 * time.Hour
	LeftFor = 7 * Every
)

// Engine is what an engine says of itself.
type Engine struct {
	ID      string    `json:"id"`
	Machine string    `json:"machine"`
	Day     time.Time `json:"seen,omitzero"` // the beginning of the day, in UTC; zero when it has ended
	Said
	State string `json:"state,omitempty"` // of [StateOf]; empty = the day is of no use to the next engine
}

// Said is what an engine says for its own next start, and keeps after its end.
type Said struct {
	LastDay time.Time `json:"last,omitzero"`
	Journal time.Time `json:"journal,omitzero"` // the mark of its journal; an earlier version said none
}

// StateOf is the mark of a state folder, by the token in it: two machines may have the same name
// and the same places.
func StateOf(token string) string {
	sum := sha256.Sum256([]byte("state\x00" + token))
	return hex.EncodeToString(sum[:8])
}

// ReadSaid returns what the engine with that id and state folder has said last in the vault; zero where that is not known.
func ReadSaid(vault, id, state string) Said {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return Said{}
	}
	defer root.Close()
	var e Engine
	if readFile(root, fileOf(id), &e) != nil || e.ID != id || e.State != state || state == "" {
		return Said{}
	}
	return e.Said
}

// Announce writes that an engine works on the vault, unless its file says so already.
func Announce(vault string, e Engine) error {
	e.Day = e.Day.UTC().Truncate(Every)
	e.LastDay = e.Day
	if root, err := os.OpenRoot(vault); err == nil {
		defer root.Close()
		var now Engine
		if readFile(root, fileOf(e.ID), &now) == nil && now == e {
			return nil
		}
	}
	return writeFile(vault, fileOf(e.ID), e)
}

// changedAt is when the folder of announcements changed last, as its disk says; zero if it is not
// there.
func changedAt(vault string) time.Time {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return time.Time{}
	}
	defer root.Close()
	info, err := root.Stat(engines)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// writeFile replaces a file of ours in the vault.
func writeFile(vault, name string, content any) error {
	text, err := json.Marshal(content)
	if err == nil {
		err = files.WriteInside(vault, name, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func fileOf(id string) string { return engines + "/" + id + ".json" }

// Retire records that an engine has ended, and keeps the facts for its next start. If no other
// engine was ever announced, it writes nothing, so that a restart changes no file of a vault in
// git.
func Retire(vault string, e Engine) error {
	said := ReadSaid(vault, e.ID, e.State)
	if said.LastDay.IsZero() {
		return Withdraw(vault, e.ID)
	}
	if names, err := os.ReadDir(filepath.Join(vault, engines)); err == nil && len(names) < 2 {
		return nil
	}
	e.Day, e.Said = time.Time{}, said
	return writeFile(vault, fileOf(e.ID), e)
}

// Withdraw removes an engine's file, and the folder when it was the last.
func Withdraw(vault, id string) error {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.Remove(fileOf(id))
	root.Remove(engines) // fails while another engine is there
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// mostRead is how many files are looked at, and mostBytes how much of each.
const mostRead, mostBytes = 64, 4096

// Others returns the engines that have said of late that they are there.
func Others(vault, id string, now time.Time) ([]Engine, error) {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := listFolder(root, engines, mostRead)
	if err != nil {
		return nil, err
	}
	var others []Engine
	for _, name := range names {
		own, isEngine := strings.CutSuffix(name, ".json")
		if !isEngine || own == id {
			continue
		}
		var e Engine
		if err := readFile(root, engines+"/"+name, &e); err == nil && e.ID == own && e.Machine != "" && now.Sub(e.Day).Abs() < Valid {
			others = append(others, e)
		}
	}
	return others, nil
}

// listFolder returns so many names in a folder, or all; one that is not there is empty.
func listFolder(root *os.Root, name string, most int) ([]string, error) {
	f, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(most)
	if err == io.EOF {
		err = nil
	}
	return names, err
}

// readFile reads a file of ours, or what others may have put in its place.
func readFile(root *os.Root, name string, into any) error {
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, errors.New("not a file of ours")) // a pipe would keep us waiting
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewDecoder(io.LimitReader(f, mostBytes)).Decode(into)
}

// strays are the files that an engine makes for a moment: probes of the watcher and of the
// exchange, and texts before they get their names.
var strays = []struct {
	folder string
	name   func() *regexp.Regexp
}{
	{folder, lazyregexp.New(`^probe-[A-Z2-7]{26}$`)},
	{folder, lazyregexp.New(`^\.(server|owner|)-[A-Z2-7]{26}$`)},
	{folder + "/probe", lazyregexp.New(`^[0-9a-f]{16}\.(new|md|old)$`)},
	{engines, lazyregexp.New(`^\.[0-9a-f]{16}-[A-Z2-7]{26}$`)},
	{engines, lazyregexp.New(`^[0-9a-f]{16}\.json$`)},
}

// Sweep removes what engines that were killed have left: probes and half-written files from
// before a time, announcements a week older. The time is the start of an engine that has the lock
// of its state folder, so that no earlier one of it works here; those of other machines are gone
// within a moment.
func Sweep(vault string, before time.Time) (removed int, err error) {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	for _, s := range strays {
		names, listed := listFolder(root, s.folder, -1)
		err = errors.Join(err, listed)
		oldest := before
		if s.name().MatchString("0123456789abcdef.json") {
			oldest = before.Add(-LeftFor)
		}
		for _, name := range names {
			file := path.Join(s.folder, name)
			info, failed := root.Lstat(file)
			if !s.name().MatchString(name) || failed != nil || !info.Mode().IsRegular() || !info.ModTime().Before(oldest) {
				continue
			}
			if failed = root.Remove(file); failed == nil {
				removed++
			}
			err = errors.Join(err, failed)
		}
	}
	root.Remove(folder + "/probe") // fails unless it is empty
	return removed, err
}
