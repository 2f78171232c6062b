package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
)

// An engine runs and ends in order when its caller wants to hear of nothing.
func TestRunWithOptionsLeftOut(t *testing.T) {
	useHome(t)
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

// Told to stop while it starts, or starts again with another configuration, an engine ends in order.
func TestStoppedWhileStarting(t *testing.T) {
	for _, when := range []int{1, 2} { // the start at which the stop comes
		home, vault := useHome(t), t.TempDir()
		file := filepath.Join(home, "config.yaml")
		write := func(debounce string) {
			text := fmt.Sprintf("wiki:\n  vaults:\n    - %q\n  debounce: %s\n", vault, debounce)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		write("1s")
		ctx, cancel := context.WithCancel(t.Context())
		var host *Host
		starts := 0
		err := Run(ctx, Options{
			ConfigFile: file,
			Port:       new(int),
			Tools: func(h *Host) api.Tools {
				host = h
				if starts++; starts == when {
					cancel()
				}
				return api.Tools{}
			},
			Attend: func(ctx context.Context, _ *engine.Engine) {
				write("2500ms") // of another size: two writes may have one time
				for ctx.Err() == nil {
					host.Reload()
					_ = due.Sleep(ctx, 10*time.Millisecond)
				}
			},
		})
		cancel()
		if err != nil || starts != when {
			t.Errorf("stopped at start %d: %v after %d starts", when, err, starts)
		}
	}
}

// useHome gives a test a home of its own.
func useHome(t *testing.T) string {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "APPDATA"} {
		t.Setenv(name, home)
	}
	return home
}

// The server listens before anybody is told that the engine has started: what is told may wait for disks. Who is told has
// heard all of it when the engine has ended.
func TestServerListensFirst(t *testing.T) {
	useHome(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := false
	err := Run(ctx, Options{
		Port:   new(int),
		Vaults: []config.Vault{{Name: "v", Path: t.TempDir()}},
		Started: func(_ config.Config, port int, _ []api.Notice) {
			defer cancel()
			asking, end := context.WithTimeout(ctx, time.Minute)
			defer end()
			if _, err := client.New(port, "").Ping(asking); err != nil {
				t.Error("while it is told:", err)
			}
			told = true
		},
	})
	if err != nil || !told {
		t.Errorf("%v; it was told: %t", err, told)
	}
}
