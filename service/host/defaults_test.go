package host

import (
	"context"
	"testing"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/config"
)

// An engine runs and ends in order when its caller wants to hear of nothing.
func TestRunWithOptionsLeftOut(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "APPDATA"} {
		t.Setenv(name, home)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := Run(ctx, Options{
		Port:   new(int),
		Vaults: []config.Vault{{Name: "v", Path: t.TempDir()}},
		Attend: func(context.Context, *engine.Engine) { cancel() },
	})
	if err != nil {
		t.Error(err)
	}
}
