package notefile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// A note is found in the one vault that is known to have it. A vault whose disk does not respond counts only where no other
// has the note, and several of them are waited for as long as one.
func TestFindBesideSilentVaults(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // before the bubble, as the folders are
	folders := make([]string, 7)
	for i := range folders {
		folders[i] = filepath.Join(dir, string(rune('a'+i)))
		if err := os.Mkdir(folders[i], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	there := filepath.Join(folders[6], "Here.md")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		cfg := config.Config{}
		var all []string
		for _, folder := range folders {
			cfg.Vaults = append(cfg.Vaults, config.Vault{Path: folder})
		}
		for _, folder := range folders[:6] {
			all = append(all, filepath.Join(folder, "Here.md"), filepath.Join(folder, "Gone.md"))
		}
		silentdisk.HangAt(t, all...)
		find := func(name string) (string, error) {
			return Find(t.Context(), name, func(context.Context) (*client.Client, error) { return nil, errors.New("none runs") },
				func() (config.Config, error) { return cfg, nil })
		}
		begun := time.Now()
		if got, err := find("Here.md"); got != there || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if took := time.Since(begun); took != patience.DiskTime {
			t.Errorf("it took %v", took)
		}
		if got, err := find("Gone.md"); err == nil || got != "" {
			t.Errorf("a note that one of six may have: %q, %v", got, err)
		}
		cfg.Vaults = cfg.Vaults[5:]
		if got, err := find("Gone.md"); got != filepath.Join(folders[5], "Gone.md") || err != nil {
			t.Errorf("a note that only this one may have: %q, %v", got, err)
		}
	})
}

// A path that is whole already is no reason to ask its disk, and one that is here is asked for once: each look at a disk that
// does not respond keeps the person who named the note.
func TestLocateAsksNoMoreThanItMust(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	silentdisk.Hang(t)
	patience.Raise(time.Hour)
	defer patience.Raise(0)
	file := filepath.Join(dir, "n.md")
	located := make(chan string, 2)
	go func() {
		found, _ := Find(t.Context(), file, nil, nil)
		located <- found
		located <- Locate(file)
	}()
	for range 2 {
		select {
		case got := <-located:
			if got != file {
				t.Errorf("located at %s", got)
			}
		case <-time.After(time.Minute):
			t.Fatal("a disk was asked")
		}
	}
}
