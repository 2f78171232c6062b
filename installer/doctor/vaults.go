package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

func checkConfig(_ context.Context, l *look) []Finding {
	if l.Problem != nil {
		return configProblems(l.Problem)
	}
	var found []Finding
	if _, err := os.Stat(l.Config.File); errors.Is(err, fs.ErrNotExist) {
		found = append(found, Finding{Code: ConfigMissing, Subject: l.Config.File})
	} else {
		found = append(found, Finding{Code: ConfigGood, Subject: l.Config.File})
	}
	for _, warning := range l.Config.Warnings {
		found = append(found, Finding{Code: ConfigUnknown, Subject: l.Config.File, Detail: warning})
	}
	return found
}

func configProblems(err error) (found []Finding) {
	if errors.Is(err, config.ErrOld) {
		return []Finding{{Code: ConfigOld, Detail: syserr.Plain(err)}}
	}
	if _, ok := errors.AsType[*disk.Foreign](err); ok {
		return []Finding{{Code: ConfigForeign, Detail: err.Error()}}
	}
	for line := range strings.Lines(err.Error()) {
		found = append(found, Finding{Code: ConfigBad, Detail: strings.TrimRight(line, "\n")})
	}
	return found
}

func checkVaults(_ context.Context, l *look) (found []Finding) {
	if l.Problem == nil && len(l.Config.Vaults) == 0 {
		return []Finding{{Code: VaultNone}}
	}
	found, l.Config.Vaults = lookAtVaults(l.Config)
	return found
}

// lookAtVaults looks at all vaults side by side, and returns those whose disks respond.
func lookAtVaults(cfg config.Config) (found []Finding, responding []config.Vault) {
	all := make([]Place, len(cfg.Vaults))
	for i, v := range cfg.Vaults {
		all[i] = Place{v.Path, cfg.WatchMode(v)}
	}
	for i, about := range Folders(all) {
		found = append(found, about...)
		if about[0].Code != VaultSilent {
			responding = append(responding, cfg.Vaults[i])
		}
	}
	return found, responding
}

// Place is a folder that is a vault or shall become one, and how it shall be watched.
type Place struct{ Path, Mode string }

// Folders are the findings of [Folder] in each of several folders, which are looked at side by side.
func Folders(all []Place) [][]Finding {
	found := make([][]Finding, len(all))
	var looks sync.WaitGroup
	for i, p := range all {
		looks.Go(func() { found[i] = Folder(p.Path, p.Mode) })
	}
	looks.Wait()
	return found
}

// Folder looks at one folder that is a vault, or shall become one. mode is how it
// shall be watched. To see whether it can be written, files are made in its
// folder .vault-mind and removed, and that folder too where it was not there. A disk that does not respond is a finding too.
func Folder(path, mode string) []Finding {
	ctx, cancel := context.WithTimeout(context.Background(), patience.Of(patience.DiskTime))
	defer cancel()
	found, ok := patience.AwaitAt(ctx, path, func() []Finding { return lookAtFolder(path, mode) })
	if !ok {
		found = []Finding{{Code: VaultSilent, Subject: path}}
	}
	for i, f := range found {
		found[i].Level = f.Code.Level()
	}
	return found
}

func lookAtFolder(path, mode string) []Finding {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Finding{{Code: VaultMissing, Subject: path}}
	case err != nil:
		return []Finding{{Code: VaultReadOnly, Subject: path, Detail: syserr.Plain(err)}}
	case !info.IsDir():
		return []Finding{{Code: VaultNoFolder, Subject: path}}
	}
	if own := filepath.Join(path, ownFolder); !isThere(path, ownFolder) {
		defer os.Remove(own) // unless an engine has put something there
	}
	if err := checkWritable(path); err != nil {
		return []Finding{{Code: VaultReadOnly, Subject: path, Detail: syserr.Plain(err)}}
	}
	outlook, err := watch.PredictSource(path, mode)
	if err != nil {
		return []Finding{{Code: VaultReadOnly, Subject: path, Detail: syserr.Plain(err)}}
	}
	found := []Finding{{Code: VaultGood, Subject: path, Detail: outlook.Reason}}
	if outlook.Poll {
		found = []Finding{{Code: VaultPolled, Subject: path, Detail: outlook.Reason}}
	}
	if c := swap.Probe(path); !c.Exchange {
		found = append(found, Finding{Code: VaultInPlace, Subject: path, Detail: cmp.Or(syserr.Plain(c.Err), c.Reason)})
	}
	if isThere(path, ".obsidian/plugins/vault-mind") && !isThere(path, panelFolder) {
		found = append(found, Finding{Code: PluginPanel, Subject: path, Detail: panelFolder})
	}
	return found
}

// panelFolder is what a vault has where the Obsidian plugin Vault Mind opens its panel; nothing of it is read.
// https://github.com/kylebrodeur/obsidian-vault-mind
const panelFolder = ".pi/agent/npm/node_modules/pi-vault-mind"

// ownFolder is that of the engine in a vault.
const ownFolder = ".vault-mind"

func isThere(vault, rel string) bool {
	_, err := os.Stat(filepath.Join(vault, filepath.FromSlash(rel)))
	return err == nil
}

// checkWritable tries it: what modes and lists of access say together, only the system
// knows.
func checkWritable(path string) error {
	dir := filepath.Join(path, ownFolder)
	made := os.Mkdir(dir, 0o755)
	f, err := os.CreateTemp(dir, "doctor-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return made
	}
	return err
}

// eachVault looks at one vault after the other. A disk that responded before may hang since, or hold a drive that does: that
// is a finding, and the vault is looked at no more.
func eachVault[T any](l *look, limit time.Duration, lookAt func(v config.Vault) T) (found []T, silent []Finding) {
	l.Config.Vaults = slices.DeleteFunc(slices.Clone(l.Config.Vaults), func(v config.Vault) bool {
		ctx, cancel := context.WithTimeout(context.Background(), patience.Of(limit))
		defer cancel()
		one, responds := patience.AwaitAt(ctx, v.Path, func() T { return lookAt(v) })
		if responds {
			found = append(found, one)
		} else {
			silent = append(silent, Finding{Code: VaultSilent, Subject: v.Path})
		}
		return !responds
	})
	return found, silent
}

// checkWatches compares the limits of inotify with what the vaults need. Other
// systems have none.
func checkWatches(_ context.Context, l *look) (found []Finding) {
	const leave = 512 // for other programs of this user
	if most, ok := readLimit(l.limits, "max_user_watches"); ok {
		cfg, need := l.Config, 0
		counts, silent := eachVault(l, countTime+patience.DiskTime, func(v config.Vault) int { return countFolders(v, cfg.WatchMode(v), most) })
		for _, n := range counts {
			need += n
		}
		if found = silent; need+leave > most {
			found = append(found, Finding{Code: WatchesFew, Subject: "fs.inotify.max_user_watches",
				Detail: fmt.Sprintf("%d watches for %d folders or more", most, need)})
		}
	}
	if most, ok := readLimit(l.limits, "max_user_instances"); ok && most < len(l.Config.Vaults)+8 {
		found = append(found, Finding{Code: InstancesFew, Subject: "fs.inotify.max_user_instances",
			Detail: fmt.Sprintf("%d instances for %d vaults", most, len(l.Config.Vaults))})
	}
	return found
}

func readLimit(dir, name string) (int, bool) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return n, err == nil
}

// countTime is how long the folders of a vault are counted. A large vault counts as far as that.
const countTime = 2 * time.Second

// countFolders counts the folders of a vault that have to be watched, up to the number where it is
// plain that there are too many, and no longer than countTime.
func countFolders(v config.Vault, mode string, enough int) (n int) {
	outlook, err := watch.PredictSource(v.Path, mode)
	if v.Paused || err != nil || outlook.Poll {
		return 0
	}
	root, err := filepath.EvalSymlinks(v.Path)
	if err != nil {
		return 0
	}
	end := time.Now().Add(countTime)
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // an unreadable folder is not watched
		switch {
		case time.Now().After(end):
			return fs.SkipAll
		case err != nil || !d.IsDir():
			return nil
		case path != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		if n++; n > enough {
			return fs.SkipAll
		}
		return nil
	})
	return n
}
