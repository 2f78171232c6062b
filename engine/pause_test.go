package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/testmain"
)

// Everybody who asks is told until when a pause lasts, whoever began it: of all
// vaults together the first that is watched again.
func TestPauseIsTold(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	r := startEngine(t, t.TempDir(), nil, func(c *config.Config) {
		c.Vaults = append(c.Vaults, config.Vault{Name: "w", Path: other})
	})
	set := func(running bool, vault, length string) {
		t.Helper()
		if _, err := r.SetWatcher(t.Context(), api.WatcherRequest{Running: running, Vault: vault, Duration: length}); err != nil {
			t.Fatal(err)
		}
	}
	is := func(what string, running bool, all, v, w time.Duration) {
		t.Helper()
		s, err := r.Status(t.Context(), false)
		if err != nil || s.Watcher.Running != running {
			t.Fatalf("%s: %+v, %v", what, s.Watcher, err)
		}
		for i, got := range []*time.Time{s.Watcher.PausedUntil, s.Vaults[0].PausedUntil, s.Vaults[1].PausedUntil} {
			want := []time.Duration{all, v, w}[i]
			if want == 0 && got != nil || want != 0 && (got == nil || time.Until(*got).Round(time.Hour) != want) {
				t.Errorf("%s: time %d is %v, want %s from now", what, i, got, want)
			}
		}
	}
	const h = time.Hour
	is("at first", true, 0, 0, 0)
	set(false, "v", "9h")
	is("one vault", true, 0, 9*h, 0)
	set(false, "w", "")
	is("the other for good", false, 9*h, 9*h, 0)
	set(false, "w", "5h")
	is("both for a while", false, 5*h, 9*h, 5*h)
	set(true, "", "")
	is("on again", true, 0, 0, 0)
	set(true, "", "5h")
	is("on for a while", true, 0, 0, 0)
	set(false, "", "")
	is("for good", false, 0, 0, 0)
}

// What is no length of time is refused, whoever asks for it, and nothing is switched.
func TestPauseIsNoTime(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), nil)
	for _, length := range []string{"soon", "1", "-1h", "0s", " 1h", "1 h", "1d", "9999999h"} {
		_, err := r.SetWatcher(t.Context(), api.WatcherRequest{Duration: length})
		if _, ok := errors.AsType[*api.Invalid](err); !ok || !strings.Contains(err.Error(), "such as 30m or 1h") {
			t.Errorf("%q: %v", length, err)
		}
	}
	if s, err := r.Status(t.Context(), false); err != nil || !s.Watcher.Running {
		t.Errorf("%+v, %v", s.Watcher, err)
	}
}

// A note app that saves more notes at once than may be looked at loses none of them, although
// nobody watches.
func TestSavesToldInAFlood(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	r := startEngine(t, t.TempDir(), &echoes{})
	r.vaults[0].Watching.Set(false, 0)
	c := client.New(r.port, strings.Repeat("a", 64))
	notes := 130
	if testing.Short() {
		notes = 70 // more than mostBehind of engine/vault
	}
	for i := range notes {
		name := fmt.Sprintf("n%d.md", i)
		r.save(name, "> @agent-Miner ask\n")
		_, err := c.Scan(t.Context(), name)
		for ; errors.Is(err, api.ErrOffline) || errors.Is(err, context.DeadlineExceeded); _, err = c.Scan(t.Context(), name) {
			r.pause() // the disk of a busy machine does not respond for seconds, nor does its engine accept a caller
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range notes {
		r.until(fmt.Sprintf("n%d.md", i), "agent-response")
	}
}
