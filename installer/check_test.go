package installer

import (
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/testdata/silentdisk"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/noteplugin"
)

// Vaults that do not respond are waited for as long as one of them, and told in their order.
func TestCheckBesideSilentVaults(t *testing.T) {
	paths := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		silentdisk.HangAt(t, paths[0], paths[2])
		plan := Plan{Choice: Choice{Vaults: paths}}
		for _, path := range paths {
			plan.Present.Config.Vaults = append(plan.Present.Config.Vaults, config.Vault{Path: path})
		}
		var told []string
		reports := Silent()
		reports.Folder = func(f doctor.Finding) {
			if f.Code == doctor.VaultSilent || f.Code == doctor.VaultGood || f.Code == doctor.VaultPolled {
				told = append(told, f.Subject)
			}
		}
		begun := time.Now()
		if err := plan.checkFolders(t.Context(), reports); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took != patience.DiskTime {
			t.Errorf("it took %v", took)
		}
		if len(told) != 3 || told[0] != paths[0] || told[1] != paths[1] || told[2] != paths[2] {
			t.Errorf("%q of %q", told, paths)
		}
	})
}

// A person who sets up beside a share that hangs is told within three seconds, however many steps look at it.
func TestSetUpBesideAShareThatHangs(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	silent, there := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		silentdisk.HangAt(t, silent)
		plan := Plan{Choice: Choice{Vaults: []string{silent, there}}}
		plan.Present.Config.Vaults = []config.Vault{{Path: silent}}
		begun := time.Now()
		for range 2 { // the question, then the check of the whole plan
			if _, err := plan.JudgeFolder(t.Context(), there); err != nil {
				t.Error(err)
			}
			if err := plan.checkFolders(t.Context(), Silent()); err != nil {
				t.Error(err)
			}
		}
		if _, err := leaveGit(plan.Present.Config.Vaults, "0123456789abcdef"); err == nil {
			t.Error("what was not done is not told")
		}
		if done := noteplugin.PutAll(plan.Present.Config.Vaults, true); len(done) != 1 || done[0].Problem == "" {
			t.Errorf("the plugin: %+v", done)
		}
		if took := time.Since(begun); took > 3*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
