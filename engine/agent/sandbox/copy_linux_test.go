package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// person is a home with what programs keep in it, a vault and a scratch folder.
type person struct{ dir, home, vault, scratch string }

// newPerson makes them; nil where there is no sandbox.
func newPerson(t *testing.T) *person {
	t.Helper()
	if Supported() != nil {
		t.Logf("no sandbox here: %v", Supported())
		return nil
	}
	dir := t.TempDir()
	p := &person{dir, filepath.Join(dir, "home"), filepath.Join(dir, "vault"), filepath.Join(dir, "scratch")}
	for path, text := range map[string]string{
		"home/.claude/.credentials.json": `{"claudeAiOauth":{"accessToken":"a1","refreshToken":"r1","expiresAt":4102444800000,"scopes":["x"]}}`,
		"home/dotfiles/settings.json":    `{"model":"opus"}`,
		"home/.claude/history.jsonl":     "what was asked elsewhere",
		"home/.claude/projects/a.jsonl":  "another session",
		"home/.claude/hooks/start.sh":    "true",
		"home/.claude.json":              `{"numStartups":3}`,
		"home/.ssh/id_rsa":               "secret",
		"home/.pi/agent/bin/rg":          "elf",
		"home/.pi/agent/sessions/s":      "another session",
		"home/.pi/agent/auth.json":       `{"anthropic":{"type":"oauth","access":"a1","refresh":"r1","expires":4102444800000}}`,
		"vault/note.md":                  "words",
		"vault/folder/other.md":          "more words",
		"scratch/given":                  "task",
	} {
		p.put(t, path, text)
	}
	p.link(t, "home/dotfiles/settings.json", "home/.claude/settings.json")
	p.link(t, "home/.ssh/id_rsa", "vault/link.md")
	return p
}

func (p *person) put(t *testing.T, path, text string) {
	t.Helper()
	file := filepath.Join(p.dir, path)
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (p *person) link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(filepath.Join(p.dir, to), filepath.Join(p.dir, at)); err != nil {
		t.Fatal(err)
	}
}

func (p *person) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// try has a program of the table try what the lines say, with % for the folder of it all, and compares what came of each.
func (p *person) try(t *testing.T, name string, reads bool, lines ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var calls, want []string
	for _, line := range lines {
		call, result, _ := strings.Cut(strings.ReplaceAll(line, "%", p.dir), ": ")
		calls = append(calls, call)
		want = append(want, call[:strings.Index(call, " ")]+" "+result)
	}
	got := confinedTo(t, self, p.home, Hold{Program: name, Scratch: p.scratch, Vault: p.vault, Reads: reads}, calls...)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %s, want %s", calls[i], got[i], want[i])
		}
	}
}

// A program has its settings and its login, and what it writes there the person does not get: no hook, no setting, no file.
func TestPrivateCopy(t *testing.T) {
	p := newPerson(t)
	if p == nil {
		return
	}
	p.try(t, "claude", false,
		"read %/scratch/own/0/.credentials.json: done",
		"read %/scratch/own/0/settings.json: done",
		"read %/scratch/own/0/.claude.json: done",
		"read %/scratch/own/0/history.jsonl: missing",
		"list %/scratch/own/0/projects: missing",
		"write %/scratch/own/0/settings.json: done",
		"make %/scratch/own/0/hooks: done",
		"write %/scratch/own/0/.claude.json: done",
		"read %/home/.claude/projects/a.jsonl: refused",
		"list %/home/.claude: refused",
		"write %/home/.claude/settings.json: refused",
		"write %/home/dotfiles/settings.json: refused",
		"write %/home/.claude/settings.local.json: refused",
		"write %/home/.claude/hooks/start.sh: refused",
		"remove %/home/.claude/settings.json: refused",
		"move %/scratch/own/0/settings.json %/home/.claude/settings.json: refused",
		"write %/home/.claude/.credentials.json: refused",
		"write %/home/.claude.json: refused",
		"read %/vault/note.md: refused")
	for path, want := range map[string]string{"home/.claude/settings.json": `{"model":"opus"}`, "home/.claude.json": `{"numStartups":3}`, "home/.claude/hooks/start.sh": "true"} {
		if got := p.read(t, path); got != want {
			t.Errorf("%s is %q", path, got)
		}
	}
	if _, err := os.Lstat(filepath.Join(p.home, ".claude", "settings.local.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a setting was made: %v", err)
	}
}

// A program that reads has the vault besides, to read alone, and not what a link in it leads to.
func TestReadingHold(t *testing.T) {
	p := newPerson(t)
	if p == nil {
		return
	}
	p.try(t, "pi", true,
		"read %/vault/note.md: done",
		"read %/vault/folder/other.md: done",
		"list %/vault: done",
		"read %/vault/link.md: refused",
		"write %/vault/note.md: refused",
		"write %/vault/folder/other.md: refused",
		"write %/vault/mine.md: refused",
		"truncate %/vault/note.md: refused",
		"make %/vault/.pi: refused",
		"remove %/vault/note.md: refused",
		"move %/vault/note.md %/scratch/note.md: refused",
		"link %/vault/note.md: refused",
		"run %/vault/note.md: refused",
		"run /bin/sh: refused",
		"read %/home/.ssh/id_rsa: refused",
		"write %/home/.bashrc: refused",
		"read %/scratch/own/0/bin/rg: done",
		"write %/scratch/own/0/bin/rg: refused",
		"read %/home/.pi/agent/sessions/s: refused",
		"write %/home/.pi/agent/auth.json: refused",
		"write %/scratch/mine: done")
	if got := p.read(t, "vault/note.md"); got != "words" {
		t.Errorf("the note is %q", got)
	}
}

// codex holds its own shell where it reads, by what this sandbox would refuse.
func TestOwnHold(t *testing.T) {
	cmd := exec.Command("/bin/true")
	held, err := Confine(t.Context(), cmd, Hold{Program: "codex", Scratch: t.TempDir(), Reads: true}, func() {})
	if held != nil || err != nil || cmd.Path != "/bin/true" {
		t.Errorf("%v, %v: %v", held, err, cmd)
	}
	if KnowsReading("codex") || !KnowsReading("claude") || KnowsReading("copilot") {
		t.Error("who is held where it reads?")
	}
}

// What a program has renewed of its login goes back, with the mode of the file and nothing else of the copy.
func TestRenewedLogin(t *testing.T) {
	p := newPerson(t)
	if p == nil {
		return
	}
	login := filepath.Join(p.home, ".claude", ".credentials.json")
	if err := os.Chmod(login, 0o640); err != nil {
		t.Fatal(err)
	}
	p.try(t, "claude", false,
		`put %/scratch/own/0/.credentials.json {"claudeAiOauth":{"accessToken":"a2","refreshToken":"r2","expiresAt":4102444800001,"scopes":["all"]},"hooks":{"Stop":"sh"}}: done`)
	got := p.read(t, "home/.claude/.credentials.json")
	for _, part := range []string{`"a2"`, `"r2"`, "4102444800001", `"x"`} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
	if strings.Contains(got, "hooks") || strings.Contains(got, "all") {
		t.Errorf("more than a renewal: %s", got)
	}
	if info, err := os.Stat(login); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(login))
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "..") }) {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// What a hostile program makes of its copy leaves the login as it was.
func TestHostileLogin(t *testing.T) {
	for name, call := range map[string]string{
		"nothing":    "put %/scratch/own/0/auth.json ",
		"no JSON":    "put %/scratch/own/0/auth.json a2",
		"a command":  `put %/scratch/own/0/auth.json {"anthropic":{"type":"api_key","key":"!touch /tmp/x","access":7,"refresh":["r2"],"expires":"never"}}`,
		"logged out": `put %/scratch/own/0/auth.json {"anthropic":{"type":"oauth","access":"","refresh":""}}`,
		"removed":    "remove %/scratch/own/0/auth.json",
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			if p == nil {
				return
			}
			was := p.read(t, "home/.pi/agent/auth.json")
			p.try(t, "pi", false, call+": done")
			if got := p.read(t, "home/.pi/agent/auth.json"); got != was {
				t.Errorf("%s", got)
			}
		})
	}
}

// Where a program has no home, no folder and no login, it starts all the same, with an empty copy.
func TestNothingToCopy(t *testing.T) {
	p := newPerson(t)
	if p == nil {
		return
	}
	for name, env := range map[string][]string{"no folder": {"HOME=" + p.vault}, "no home": nil, "no such home": {"HOME=/nowhere"}} {
		scratch := t.TempDir()
		cmd := exec.Command("/bin/true")
		cmd.Env = env
		held, err := Confine(t.Context(), cmd, Hold{Program: "claude", Scratch: scratch}, func() {})
		held.Release()
		entries, failed := os.ReadDir(filepath.Join(scratch, "own", "0"))
		if held == nil || err != nil || failed != nil || len(entries) != 0 {
			t.Errorf("%s: %v, %v: %v, %v", name, held, err, entries, failed)
		}
		if got := lookUp(cmd.Env, "CLAUDE_CONFIG_DIR"); got != filepath.Join(scratch, "own", "0") {
			t.Errorf("%s: it is told %q", name, got)
		}
	}
}

// A login that belongs to the path of its folder is used where it is.
func TestTiedLogin(t *testing.T) {
	p := newPerson(t)
	if p == nil {
		return
	}
	p.put(t, "home/.codex/config.toml", "cli_auth_credentials_store = \"keyring\"\n")
	p.try(t, "codex", false, "read %/home/.codex/config.toml: done", "list %/scratch/own: done", "read %/scratch/own/0/config.toml: missing")
}

// A start that was given up leaves no copy.
func TestGivenUp(t *testing.T) {
	p := newPerson(t)
	if p == nil {
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := exec.Command("/bin/true")
	cmd.Env = []string{"HOME=" + p.home}
	if held, err := Confine(ctx, cmd, Hold{Program: "claude", Scratch: p.scratch}, func() {}); held != nil || err == nil {
		t.Errorf("%v, %v", held, err)
	}
	if _, err := os.Stat(filepath.Join(p.scratch, ownFolder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is there: %v", err)
	}
}

// The folder of a run whose engine was killed goes, that of one that goes on stays, and so does what is nobody's run.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"vault-dispatcher-1/own/0", "vault-dispatcher-2/own/0", "vault-dispatcher-3/own", "vault-dispatcher-4", "other/own"} {
		if err := os.MkdirAll(filepath.Join(dir, path), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"vault-dispatcher-1", "vault-dispatcher-4", "other"} {
		if err := os.WriteFile(filepath.Join(dir, path, lockName), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := takeLock(filepath.Join(dir, "vault-dispatcher-2", lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack(lock)
	sweep(dir)
	entries, err := os.ReadDir(dir)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"other", "vault-dispatcher-2", "vault-dispatcher-3", "vault-dispatcher-4"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, %v; want %q", left, err, want)
	}
}
