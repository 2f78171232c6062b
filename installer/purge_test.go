package installer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/testdata/silentdisk"
	"vaultdispatcher/installer/noteplugin"
)

// inState is how the rooms name what they make in the state folder.
var inState = regexp.MustCompile(`filepath\.Join\((?:\w+\.)*[sS]tate, "([^"]+)"`)

// namesInState returns what the sources make in the state folder.
func namesInState(t *testing.T) (names []string) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.') {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range inState.FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestPurgeOfState: nothing that a room makes in the state folder outlives a purge; what is a person's does.
func TestPurgeOfState(t *testing.T) {
	names := namesInState(t)
	for _, known := range []string{"hub", "journal.db", "speech", "token", "worker.json"} {
		if !slices.Contains(names, known) {
			t.Errorf("%s is not found in the sources: %q", known, names)
		}
	}
	state := filepath.Join(t.TempDir(), "state")
	var err error
	for _, name := range append(names, "hub/keys", "hub/queue", "speech/jobs", "speech/turns", ".worker-AB", ".obsidian-AB") {
		file := filepath.Join(state, filepath.FromSlash(name), "secret")
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600))
	}
	mine := filepath.Join(state, "mine.txt")
	if err = errors.Join(err, os.WriteFile(mine, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if left, err := removeOurs(state, ""); err != nil || !slices.Equal(left, []string{mine}) {
		t.Errorf("left: %q, %v", left, err)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if left, err := removeOurs(state, ""); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	if _, err := os.Lstat(state); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the state folder: %v", err)
	}
}

// TestPurgeBesideHub: a hub that runs is seen by its lock, and none is made by looking.
func TestPurgeBesideHub(t *testing.T) {
	l := &Login{State: t.TempDir()}
	if l.hubRuns() {
		t.Error("a hub runs where none is")
	}
	if entries, err := os.ReadDir(l.State); err != nil || len(entries) > 0 {
		t.Errorf("looking made %v, %v", entries, err)
	}
	if err := os.Mkdir(filepath.Join(l.State, "hub"), 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := files.TakeLock(filepath.Join(l.State, "hub", "lock"))
	if err != nil {
		t.Fatal(err)
	}
	if !l.hubRuns() {
		t.Error("a hub that runs is not seen")
	}
	if err := lock.Close(); err != nil || l.hubRuns() {
		t.Errorf("a hub that has ended is seen, %v", err)
	}
}

// TestPurgeKeepsRecord: what says which files in a vault are ours stays while a vault is away, and no longer.
func TestPurgeKeepsRecord(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_STATE_HOME", home)
	state, err := place.StateDir()
	vault := filepath.Join(home, "notes")
	if err = errors.Join(err, os.MkdirAll(filepath.Join(vault, ".obsidian"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if done := noteplugin.PutAll([]config.Vault{{Path: vault}}, true); len(done) != 1 || done[0].Problem != "" {
		t.Fatalf("put: %+v", done)
	}
	journal := filepath.Join(state, "journal.db")
	if err := errors.Join(os.WriteFile(journal, nil, 0o600), os.Rename(vault, vault+" away")); err != nil {
		t.Fatal(err)
	}
	var away Purge
	problems := errors.Join(away.leaveVaults(nil, state)...)
	left, err := removeOurs(state, away.Record)
	if _, gone := os.Lstat(journal); problems != nil || err != nil || len(left) > 0 || !errors.Is(gone, fs.ErrNotExist) {
		t.Errorf("%v, %v, left %q, journal %v", problems, err, left, gone)
	}
	if _, err := os.Lstat(filepath.Join(state, noteplugin.Record)); err != nil || len(away.Unreached()) != 1 {
		t.Errorf("the record is gone beside a vault that is away: %v", err)
	}
	if err := os.Rename(vault+" away", vault); err != nil {
		t.Fatal(err)
	}
	var back Purge
	problems = errors.Join(back.leaveVaults(nil, state)...)
	if left, err := removeOurs(state, back.Record); problems != nil || err != nil || len(left) > 0 || back.Record != "" || len(back.TakenOut()) != 1 {
		t.Errorf("%v, %v, left %q, %+v", problems, err, left, back)
	}
	if _, err := os.Lstat(state); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the state folder: %v", err)
	}
}

// Nothing is removed while it is not known whether a vault lies in it, and what is in a vault stays.
func TestPurgeBesideASilentDisk(t *testing.T) {
	folder, vault := t.TempDir(), t.TempDir()
	silentdisk.Hang(t)
	found, err := findVaultIn(folder, []config.Vault{{Path: vault}})
	if refused, ok := errors.AsType[*PurgeError](err); found != "" || !ok || refused.Error() != "the disk of "+vault+" does not respond; nothing was changed" {
		t.Errorf("a vault in what would be removed: %q, %v", found, err)
	}
	if removed, err := leaveGit([]config.Vault{{Path: vault}}, "0123456789abcdef"); len(removed) > 0 || err == nil || !strings.Contains(err.Error(), "the disk of "+vault+" does not respond") {
		t.Errorf("what keeps a vault clean in git: %v, %v", removed, err)
	}
}
