package engine

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/front"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/vault"
)

// running is a whole engine with a real journal and real files, whose Miner is
// another runner.
type running struct {
	*Engine
	*front.Front
	t     *testing.T
	vault string
	state string
	polls int
	stop  func() // ends it, and waits for that
	told  items
}

// items are what was told unasked.
type items struct {
	mu  sync.Mutex // guards all
	all []news.Item
}

func (l *items) keep(i news.Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, i)
}

// forget drops what was told so far.
func (l *items) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

// count is how often such a sentence was told of a note.
func (l *items) count(file, why string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, i := range l.all {
		if i.File == file && strings.Contains(i.Reason, why) {
			n++
		}
	}
	return n
}

func startEngine(t *testing.T, dir string, miner agent.Runner, tune ...func(*config.Config)) *running {
	t.Helper()
	r, err := tryEngine(t, dir, miner, tune...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// startMet is startEngine with a note in the vault, and waits until the vault was met: what comes from then on is new.
func startMet(t *testing.T, dir string, miner agent.Runner, tune ...func(*config.Config)) *running {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "vault"), 0o700), os.WriteFile(filepath.Join(dir, "vault", "known.md"), []byte("words\n"), 0o600)); err != nil {
		t.Fatal(err) // an empty vault is not met
	}
	r := startEngine(t, dir, miner, tune...)
	for met := false; !met; r.pause() {
		var err error
		if met, err = r.journal.IsMet(t.Context(), r.vaults[0].Root); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func tryEngine(t *testing.T, dir string, miner agent.Runner, tune ...func(*config.Config)) (*running, error) {
	t.Helper()
	r, err := openEngine(t, dir, miner, tune...)
	if err != nil {
		return nil, err
	}
	for i := range r.vaults {
		r.awaitOpen(i) // then what was unfinished is taken up
	}
	return r, nil
}

// awaitOpen waits until a vault is open.
func (r *running) awaitOpen(i int) {
	r.t.Helper()
	select {
	case <-r.vaults[i].Opened:
	case <-time.After(time.Minute):
		r.t.Errorf("the vault %s does not open", r.vaults[i].Name)
	}
}

// beforeRun is told each engine before it runs. Only a process that is one engine sets it.
var beforeRun = func(*Engine) {}

// openEngine is tryEngine for a test that waits for the vaults itself.
func openEngine(t *testing.T, dir string, miner agent.Runner, tune ...func(*config.Config)) (*running, error) {
	t.Helper()
	r := &running{t: t, vault: filepath.Join(dir, "vault"), state: filepath.Join(dir, "state")}
	for _, d := range []string{r.vault, r.state, filepath.Join(dir, "cache")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	cfg := config.Default()
	cfg.Vaults = []config.Vault{{Name: "v", Path: r.vault}}
	cfg.Debounce, cfg.Settle = 10*time.Millisecond, 0
	cfg.Limits.PerNote, cfg.Limits.PerHour, cfg.Limits.PerDay, cfg.Limits.Burst = 0, 0, 0, 0
	for _, set := range tune {
		set(&cfg)
	}
	ln, err := listen.Listen(0)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.Engine, err = New(ctx, Options{
		Config: cfg, State: r.state, Listener: ln, Token: strings.Repeat("a", 64), Version: "test",
		Cache: func(root string) (string, error) {
			folder := filepath.Join(dir, "cache")
			if filepath.Base(root) != "vault" { // two vaults share no index
				folder = filepath.Join(folder, filepath.Base(root))
			}
			return folder, os.MkdirAll(folder, 0o700)
		},
		Grace: time.Second, Log: slog.New(slog.DiscardHandler), miner: miner, News: r.told.keep,
	})
	if err != nil {
		cancel()
		return nil, errors.Join(err, ln.Close())
	}
	r.Front = r.Backend()
	beforeRun(r.Engine)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		if err := errors.Join(<-ended, r.Close()); err != nil {
			t.Errorf("the end of the engine: %v", err)
		}
	})
	t.Cleanup(func() { // a disk that was too slow for the engine's patience may still be written to, and the folder of the test goes next
		for end := time.Now().Add(time.Minute); !r.haveVaultsEnded() && time.Now().Before(end); {
			<-time.After(5 * time.Millisecond)
		}
	})
	t.Cleanup(r.stop)
	return r, nil
}

func (r *running) haveVaultsEnded() bool {
	return !slices.ContainsFunc(r.vaults, func(v *vault.Vault) bool { return !v.HasEnded() })
}

// save writes a note that is at rest, so that nobody waits for it.
func (r *running) save(name, text string) {
	r.t.Helper()
	old, tmp := time.Now().Add(-time.Hour), filepath.Join(r.vault, name+".tmp~")
	for _, err := range []error{
		os.WriteFile(tmp, []byte(text), 0o644), os.Chtimes(tmp, old, old), os.Rename(tmp, filepath.Join(r.vault, name)),
	} {
		if err != nil {
			r.t.Error(err)
		}
	}
}

// until polls a note until it holds text.
func (r *running) until(name, text string) string {
	r.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; <-time.After(2 * time.Millisecond) {
		src, err := os.ReadFile(filepath.Join(r.vault, name))
		if err == nil && strings.Contains(string(src), text) {
			return string(src)
		}
		if time.Now().After(end) {
			r.t.Errorf("%s does not hold %q within three minutes: %q, %v", name, text, src, err)
			return ""
		}
	}
}

// pause is how long who polls waits, and fails who polls too long.
func (r *running) pause() {
	r.t.Helper()
	if r.polls++; r.polls > 10_000 {
		r.t.Fatal("what was waited for has not come")
	}
	<-time.After(10 * time.Millisecond) // who polls asks the journal, mostly, and seven others do so at the same time
}

// waiting is how many dispatches are unfinished.
func (r *running) waiting() int {
	r.t.Helper()
	return len(r.unfinished())
}

// unfinished returns the dispatches that are.
func (r *running) unfinished() []journal.Dispatch {
	r.t.Helper()
	list, err := r.journal.Unfinished(r.t.Context())
	if err != nil {
		r.t.Error(err)
	}
	return list
}

// vaultState is what the status says of the vault.
func (r *running) vaultState() string {
	r.t.Helper()
	s, err := r.Status(r.t.Context(), false)
	if err != nil {
		r.t.Fatal(err)
	}
	return s.Vaults[0].State
}

// heldNotices are the notices of what is held.
func (r *running) heldNotices() []api.Notice {
	return slices.DeleteFunc(r.Notices(), func(n api.Notice) bool { return n.Code != api.NoticeHeld })
}

// textsOf are the sentences of notices, one on each line.
func textsOf(list []api.Notice) string {
	var all []string
	for _, n := range list {
		all = append(all, n.Text)
	}
	return strings.Join(all, "\n")
}
