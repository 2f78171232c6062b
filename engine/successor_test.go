package engine

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/register"
)

// What a person has set lasts from one engine to the next, and no longer than it
// was meant to.
func TestSwitchesByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := new(register.Register)
		made := func(path string) *vault.Vault {
			return vault.New(vault.Options{Vault: config.Vault{Path: path}, Register: all, Log: slog.New(slog.DiscardHandler)}, vault.Port{Engine: deaf{}})
		}
		one, two := made("/one"), made("/two")
		vaults := vault.Set{one, two}
		if got := vaults.Switches(); len(got) != 0 {
			t.Errorf("nothing was set: %v", got)
		}
		one.Watching.Set(false, time.Hour)
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		got := vaults.Switches()
		if want := (Switch{Duration: 40 * time.Minute}); len(got) != 1 || got["/one"] != want {
			t.Errorf("%v, want %v for /one", got, want)
		}
		if _, ok := vault.SwitchFor(got, "/new"); ok {
			t.Error("a new vault is stopped with one of two")
		}
		two.Watching.Set(false, 0)
		if s, ok := vault.SwitchFor(vaults.Switches(), "/new"); !ok || s.Active {
			t.Error("a new vault is watched where none is")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := vaults.Switches(); got["/one"] != (Switch{Active: true}) || got["/two"] != (Switch{}) {
			t.Errorf("after the hour: %v", got)
		}
	})
}

// deaf is an engine that is told of another status, and of nothing else.
type deaf struct{ vault.Engine }

func (deaf) StatusChanged() {}
