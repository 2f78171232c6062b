package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/service"
)

// healthy is a machine without any problem: one vault, an engine of the service.
func healthy(t *testing.T) (l *look, vault string) {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	vault = filepath.Join(home, "Notes")
	state := filepath.Join(home, "state")
	for _, dir := range []string{vault, state} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(home, "config.yaml")
	put(t, file, "wiki: {}\n")
	cfg := config.Default()
	cfg.File, cfg.Vaults = file, []config.Vault{{Name: "Notes", Path: vault}}
	if _, err := client.EnsureToken(filepath.Join(state, "token")); err != nil {
		t.Fatal(err)
	}
	if err := listen.WriteServerFile(vault, 4321); err != nil {
		t.Fatal(err)
	}
	return &look{
		Subject: Subject{Config: cfg, State: state, Version: "1", Environ: []string{"PATH=" + filepath.Join(home, "bin"), "HOME=" + home, "USERPROFILE=" + home},
			Panel: func(context.Context) Panel { return Icons }},
		status: api.Status{Running: true, Version: "1", Port: 4321, Vaults: []api.Vault{{Name: "Notes", Path: vault, State: "watching"}},
			Agents: []api.Agent{{Role: "Miner", Runner: "builtin", Ready: true}}},
		service: service.Status{Kind: "systemd", Installed: true, AtLogin: true, Current: true, Active: true},
		free:    func(string) (uint64, error) { return 1 << 40, nil },
		limits:  filepath.Join(home, "no-limits"),
	}, vault
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func all(l *look) (codes []string, found []Finding) {
	for _, c := range checks {
		for _, f := range c.find(context.Background(), l) {
			found = append(found, f)
			if f.Code.Level() != OK {
				codes = append(codes, string(f.Code))
			}
		}
	}
	return codes, found
}

func TestHealthy(t *testing.T) {
	l, vault := healthy(t)
	codes, found := all(l)
	if slices.Contains(codes, string(VaultInPlace)) { // the file system of the test's folder
		codes = slices.DeleteFunc(codes, func(c string) bool { return c == string(VaultInPlace) })
	}
	if len(codes) > 0 || len(found) < 4 {
		t.Errorf("%q in %+v", codes, found)
	}
	left, err := os.ReadDir(filepath.Join(vault, ".vault-mind"))
	if err != nil || len(left) != 1 {
		t.Errorf("the checks left %v in the vault, %v", left, err)
	}
}

// Every check finds its bad case, and only that.
func TestBadCases(t *testing.T) {
	patience.Raise(time.Minute) // a machine that stands still for a second is no vault that does not respond
	defer patience.Raise(0)
	down := func(l *look) { l.engineErr, l.status = api.ErrNotRunning, api.Status{} }
	program := func(l *look, text string) {
		name := "claude"
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		put(t, filepath.Join(filepath.Dir(l.State), "bin", name), text)
	}
	claude := func(l *look) { l.Config.Agents["Editor"] = config.Agent{Runner: "claude"} }
	for _, test := range []struct {
		name  string
		spoil func(l *look, vault string)
		want  string
	}{
		{"no file", func(l *look, _ string) { l.Config.File += "x" }, "config-missing"},
		{"problems", func(l *look, _ string) { l.Problem = config.Problems{{Key: "a"}, {Key: "b"}} }, "config-bad config-bad"},
		{"old", func(l *look, _ string) { l.Problem = fmt.Errorf("f: %w", config.ErrOld) }, "config-old"},
		{"warnings", func(l *look, _ string) { l.Config.Warnings = []string{"x"} }, "config-unknown"},
		{"no vault", func(l *look, _ string) { l.Config.Vaults = nil }, "vault-none"},
		{"missing vault", func(l *look, vault string) { remove(t, vault) }, "vault-missing"},
		{"a file", func(l *look, vault string) { remove(t, vault); put(t, vault, "") }, "vault-no-folder"},
		{"read only", func(l *look, vault string) {
			remove(t, filepath.Join(vault, ".vault-mind"))
			put(t, filepath.Join(vault, ".vault-mind"), "") // no folder can be made there, whoever asks
			down(l)
		}, "vault-read-only engine-down service-down"},
		{"polled", func(l *look, _ string) { l.Config.Watch.Mode = "poll" }, "vault-polled"},
		{"few watches", func(l *look, _ string) { put(t, filepath.Join(l.limits, "max_user_watches"), "12\n") }, "watches-few"},
		{"few instances", func(l *look, _ string) { put(t, filepath.Join(l.limits, "max_user_instances"), "3\n") }, "instances-few"},
		{"stale server.json", func(l *look, vault string) { down(l) }, "service-down engine-down server-file-old"},
		{"wrong server.json", func(l *look, vault string) { l.status.Port = 99 }, "server-file-old"},
		{"no server.json", func(l *look, vault string) { remove(t, filepath.Join(vault, ".vault-mind", "server.json")) }, "server-file-gone"},
		{"a full disk", func(l *look, _ string) { l.free = func(string) (uint64, error) { return 1 << 20, nil } }, "space-none space-none"},
		{"hardly room", func(l *look, _ string) { l.free = func(string) (uint64, error) { return 50 << 20, nil } }, "space-low space-low"},
		{"state unusable", func(l *look, _ string) { put(t, l.State+"2", ""); l.State += "2" }, "state-readonly token-bad"},
		{"damaged journal", func(l *look, _ string) { down(l); put(t, filepath.Join(l.State, "journal.db"), "spoilt") }, "journal-damaged engine-down service-down server-file-old"},
		{"damaged journal in use", func(l *look, _ string) { put(t, filepath.Join(l.State, "journal.db"), "spoilt") }, "journal-in-use"},
		{"journal unread", func(l *look, _ string) { put(t, filepath.Join(l.State, "journal.db", "x"), "") }, "journal-unread"},
		{"bad token", func(l *look, _ string) { put(t, filepath.Join(l.State, "token"), "x") }, "token-bad"},
		{"no token", func(l *look, _ string) { remove(t, filepath.Join(l.State, "token")) }, "token-missing"},
		{"no service", func(l *look, _ string) { l.service = service.Status{Kind: "systemd"} }, "service-none"},
		{"service unknown", func(l *look, _ string) { l.serviceErr = errors.New("x") }, "service-unknown"},
		{"service old", func(l *look, _ string) { l.service.Current = false }, "service-old"},
		{"service off", func(l *look, _ string) { l.service.AtLogin = false }, "service-off"},
		{"by hand", func(l *look, _ string) { l.service.Active = false }, "service-by-hand"},
		{"refuses", func(l *look, _ string) { l.engineErr = errors.New("x") }, "service-down engine-refuses"},
		{"another state folder", func(l *look, _ string) { l.engineErr = ErrOtherState }, "service-down engine-foreign"},
		{"other version", func(l *look, _ string) { l.status.Version = "2" }, "engine-other"},
		{"slow engine", func(l *look, _ string) {
			l.engineErr, l.status = fmt.Errorf("ask the engine: %w", context.DeadlineExceeded), api.Status{}
		}, "engine-silent"},
		{"notices", func(l *look, _ string) {
			l.status.Notices = []api.Notice{{Text: "a"}, {Text: "b"}, {Text: "c", Dismissed: true}}
		}, "engine-notice engine-notice"},
		{"notices with a next step", func(l *look, _ string) {
			l.status.Notices = []api.Notice{api.NewNotice(api.NoticeHeld, "count", 2), api.NewNotice(api.NoticeUntaken, "file", "a.md"), api.NewNotice(api.NoticePrivate, "file", "b.md")}
		}, "engine-held engine-untaken engine-untaken"},
		{"embedding", func(l *look, _ string) { l.status.Index.Embedding.LastError = "x" }, "embedding-failing"},
		{"no icons", func(l *look, _ string) { l.Tray, l.Panel = "wiki-tray", func(context.Context) Panel { return NoIcons } }, "tray-no-icons"},
		{"no desktop", func(l *look, _ string) {
			l.Tray, l.Panel = "wiki-tray", func(context.Context) Panel { return NoSession }
		}, "tray-no-session"},
		{"no tray and no icons", func(l *look, _ string) { l.Panel = func(context.Context) Panel { return NoIcons } }, "tray-absent"},
		{"no tray and no desktop", func(l *look, _ string) { l.Panel = func(context.Context) Panel { return NoSession } }, "tray-absent"},
		{"a plugin whose panel does not open", func(_ *look, vault string) {
			put(t, filepath.Join(vault, ".obsidian", "plugins", "vault-mind", "manifest.json"), "{}")
		}, "plugin-panel"},
		{"a plugin whose panel opens", func(_ *look, vault string) {
			put(t, filepath.Join(vault, ".obsidian", "plugins", "vault-mind", "manifest.json"), "{}")
			put(t, filepath.Join(vault, ".pi", "agent", "npm", "node_modules", "pi-vault-mind", "package.json"), "{}")
		}, ""},
		{"no agent", func(l *look, _ string) { claude(l) }, "agent-missing"},
		{"not logged in", func(l *look, _ string) { claude(l); program(l, "") }, "agent-login"},
		{"too old for its runner", func(l *look, _ string) { claude(l); program(l, ""); installByNpm(t, l, "2.1.100") }, "agent-old"},
		{"new enough", func(l *look, _ string) { claude(l); program(l, ""); installByNpm(t, l, "2.1.330") }, "agent-login"},
		{"as a plain command", func(l *look, _ string) {
			l.Config.Agents["Editor"] = config.Agent{Runner: "command", Command: []string{"claude", "-p"}, Env: map[string]string{"ANTHROPIC_API_KEY": "x"}}
			program(l, "")
		}, "agent-plain"},
		{"not ready", func(l *look, _ string) { l.status.Agents[0].Ready = false }, "agent-broken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, vault := healthy(t)
			test.spoil(l, vault)
			codes, _ := all(l)
			codes = slices.DeleteFunc(codes, func(c string) bool { return c == string(VaultInPlace) })
			slices.Sort(codes)
			want := strings.Fields(test.want)
			if slices.Sort(want); !slices.Equal(codes, want) {
				t.Errorf("got %q, want %q", codes, want)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func TestAgentOnThePathOfTheService(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("scripts with an interpreter are those of the other systems")
		return
	}
	l, _ := healthy(t)
	home := filepath.Dir(l.State)
	l.Config.Agents["Editor"] = config.Agent{Runner: "claude", Env: map[string]string{"ANTHROPIC_API_KEY": "k"}}
	put(t, filepath.Join(home, "other", "claude"), "#!/usr/bin/env my-node\n")
	if codes, _ := all(l); !slices.Contains(codes, "agent-missing") {
		t.Errorf("it is nowhere: %q", codes)
	}
	l.service.Path = filepath.Join(home, "other")
	if codes, _ := all(l); !slices.Contains(codes, "agent-node") {
		t.Errorf("without its node: %q", codes)
	}
	put(t, filepath.Join(home, "other", "my-node"), "")
	if codes, found := all(l); slices.ContainsFunc(codes, func(c string) bool { return strings.HasPrefix(c, "agent") }) {
		t.Errorf("%+v", found)
	}
}

func TestPortOfAStranger(t *testing.T) {
	l, _ := healthy(t)
	l.engineErr, l.status = api.ErrNotRunning, api.Status{}
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() { // hangs up at once, so that nobody waits for its answer
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	l.Config.HTTPPort = ln.Addr().(*net.TCPAddr).Port
	if found := checkPort(context.Background(), l); len(found) != 1 || found[0].Code != PortTaken || found[0].Subject != fmt.Sprint(l.Config.HTTPPort) {
		t.Errorf("%+v", found)
	}
	ln.Close()
	l.Config.HTTPPort = 0 // whichever is free
	if found := checkPort(context.Background(), l); len(found) != 0 {
		t.Errorf("a free port: %+v", found)
	}
	if found := portFinding(81, &listen.Taken{Port: 81, Reserved: true}); len(found) != 1 || found[0].Code != PortKept || found[0].Code.Level() != Problem {
		t.Errorf("a port that the system keeps: %+v", found)
	}
}

func TestFix(t *testing.T) {
	l, vault := healthy(t)
	put(t, filepath.Join(l.State, "token"), "x")
	started := false
	s := l.Subject
	s.Engine = func(context.Context) (api.Status, error) { return api.Status{}, api.ErrNotRunning }
	s.Service = func(context.Context) (service.Status, error) { return l.service, nil }
	s.Start = func(context.Context) error { started = true; return errors.New("it does not start") }
	if err := os.Chmod(l.State, 0o755); err != nil {
		t.Fatal(err)
	}
	found, err := Fix(context.Background(), Run(context.Background(), s))
	if !started || err == nil || err.Error() != "it does not start" {
		t.Errorf("started %v, %v", started, err)
	}
	for _, f := range found {
		if f.CanFix && f.Fixed == (f.Code == ServiceDown) {
			t.Errorf("%+v", f)
		}
	}
	again := Run(context.Background(), s)
	for _, code := range []Code{TokenBad, StateOpen, ServerFileOld} {
		if slices.ContainsFunc(again, func(f Finding) bool { return f.Code == code }) {
			t.Errorf("%s is still there", code)
		}
	}
	if _, err := os.Stat(filepath.Join(vault, ".vault-mind", "server.json")); err == nil {
		t.Error("the stale server.json is still there")
	}
}

func TestEveryCodeHasALevel(t *testing.T) {
	text, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(codes) != len(levels) || len(codes) < 30 {
		t.Errorf("%d codes and %d levels", len(codes), len(levels))
	}
	for _, code := range codes {
		if Code(code[1]).Level() == "" {
			t.Errorf("%s has no level", code[1])
		}
	}
}

// installByNpm has npm's description of a version of claude behind the program.
func installByNpm(t *testing.T, l *look, version string) {
	t.Helper()
	bin := filepath.Join(filepath.Dir(l.State), "bin")
	put(t, filepath.Join(bin, "node_modules", "claude", "package.json"), `{"version":"`+version+`"}`)
	if runtime.GOOS == "windows" {
		remove(t, filepath.Join(bin, "claude.exe"))
		put(t, filepath.Join(bin, "claude.cmd"), `"%dp0%\node_modules\claude\cli.js" %*`)
		return
	}
	script := filepath.Join(bin, "node_modules", "claude", "cli.js")
	for _, err := range []error{os.Rename(filepath.Join(bin, "claude"), script), os.Symlink(script, filepath.Join(bin, "claude"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
}
