package presence

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// git runs git as nobody in particular and returns its output.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "core.autocrlf=false"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=")
	c.Env = slices.DeleteFunc(c.Env, func(v string) bool { return strings.HasPrefix(v, "GIT_") && strings.HasSuffix(v, "=") })
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

const salt = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// beside are the files that an engine has in a vault, and whether git is to carry them.
var beside = map[string]bool{
	"server.json": false, "probe-" + salt: false, ".server-" + salt: false, ".owner-" + salt: false, ".-" + salt: false,
	"probe/0123456789abcdef.new": false, "probe/0123456789abcdef.md": false, "engines/." + one + "-" + salt: false,
	"tmp/0123456789abcdef-0123456789abcdef-0123456789abcdef.kept":                 false,
	"tmp/0123456789abcdef-0123456789abcdef-0123456789abcdef-0123456789abcdef.new": false,
	".gitignore": false,
	"owner.json": true, "vault.json": true, "engines/" + one + ".json": true, "engines/" + two + ".json": true,
}

func TestGitCarriesWhatOthersMustKnow(t *testing.T) {
	vault := t.TempDir()
	git(t, vault, "init", "-q")
	must(t, HideFromGit(vault))
	var want []string
	for name, carried := range beside {
		file := filepath.Join(vault, folder, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		if name != ".gitignore" {
			must(t, os.WriteFile(file, []byte("{}\n"), 0o600))
		}
		if carried {
			want = append(want, "?? "+folder+"/"+name)
		}
	}
	got := strings.Split(strings.TrimSpace(git(t, vault, "status", "--porcelain", "--untracked-files=all")), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("git sees\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOwnGitignoreStays(t *testing.T) {
	for name, text := range map[string]string{
		"a person's own": "server.json\n!tmp/\n", "an empty one": "", "one of everything": "*\n", "ours of another version": "# Vault Dispatcher\n/tmp/\n",
	} {
		vault := t.TempDir()
		file := filepath.Join(vault, ignoreFile)
		must(t, os.Mkdir(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o600))
		must(t, HideFromGit(vault))
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	vault := t.TempDir()
	must(t, os.Mkdir(filepath.Join(vault, folder), 0o755))
	if os.Symlink("elsewhere", filepath.Join(vault, ignoreFile)) == nil { // not every system lets us
		must(t, HideFromGit(vault))
		if to, err := os.Readlink(filepath.Join(vault, ignoreFile)); err != nil || to != "elsewhere" {
			t.Errorf("a link became %q, %v", to, err)
		}
	}
	for _, vault := range []string{vault, t.TempDir()} { // a second time nothing is written
		must(t, HideFromGit(vault))
		was, err := os.Lstat(filepath.Join(vault, ignoreFile))
		must(t, err)
		must(t, HideFromGit(vault))
		if is, err := os.Lstat(filepath.Join(vault, ignoreFile)); err != nil || !os.SameFile(was, is) {
			t.Errorf("written again: %v", err)
		}
	}
	if err := HideFromGit(filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a vault that is not there is an error")
	}
}

// A vault in git has a clone on another machine. Its owner is the same there, so one of the two
// answers, and each knows that the other is there.
func TestTwoClonesHaveOneOwner(t *testing.T) {
	here, there, now := t.TempDir(), filepath.Join(t.TempDir(), "clone"), time.Now()
	git(t, here, "init", "-q")
	must(t, HideFromGit(here))
	must(t, ClaimVault(here, ThisMachine()))
	must(t, Announce(here, Engine{ID: one, Machine: ThisMachine(), Day: now}))
	git(t, here, "add", "-A")
	git(t, here, "commit", "-qm", "vault")
	git(t, here, "clone", "-q", here, there)
	must(t, HideFromGit(there))
	if status := git(t, there, "status", "--porcelain"); status != "" {
		t.Errorf("the clone's engine made %s", status)
	}
	if why := WhyForeign(ThisMachine(), "", ReadOwner(here)); why != "" {
		t.Errorf("the owner does not answer: %s", why)
	}
	if why := WhyForeign("another-machine", "", ReadOwner(there)); why == "" {
		t.Error("both clones answer")
	}
	if others, err := Others(there, two, now); err != nil || len(others) != 1 {
		t.Errorf("the clone knows of %v, %v", others, err)
	}
}

// What was written for git goes when nothing needs it any more, and with anything else beside it nothing goes.
func TestLeaveGit(t *testing.T) {
	for name, x := range map[string]struct {
		beside string // this file is there too; a folder ends in a slash
		text   string // of the file for git; "" = ours
		gone   bool
	}{
		"alone":             {gone: true},
		"temporary files":   {beside: "tmp/", gone: true},
		"probes":            {beside: "probe/", gone: true},
		"a kept note":       {beside: "tmp/0123456789abcdef-0123456789abcdef-0123456789abcdef.kept"},
		"another engine":    {beside: "engines/" + one + ".json"},
		"a running one":     {beside: "server.json"},
		"an owner":          {beside: "owner.json"},
		"a vault's own":     {beside: "vault.json"},
		"somebody's file":   {beside: "mine.md"},
		"somebody's folder": {beside: "mine/"},
		"a changed one":     {text: ignored + "/mine\n"},
		"one of that size":  {text: strings.Repeat("x", len(ignored))},
	} {
		vault := t.TempDir()
		must(t, HideFromGit(vault))
		if x.text != "" {
			must(t, os.WriteFile(filepath.Join(vault, ignoreFile), []byte(x.text), 0o600))
		}
		file := filepath.Join(vault, folder, x.beside)
		if strings.HasSuffix(x.beside, "/") {
			must(t, os.MkdirAll(file, 0o755))
		} else if x.beside != "" {
			must(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must(t, os.WriteFile(file, nil, 0o600))
		}
		gone, err := LeaveGit(vault)
		if _, left := os.Lstat(filepath.Join(vault, ignoreFile)); err != nil || gone != x.gone || os.IsNotExist(left) != x.gone {
			t.Errorf("%s: gone %t, %v, %v", name, gone, err, left)
		}
		if _, err := os.Lstat(file); os.IsNotExist(err) != x.gone {
			t.Errorf("%s: beside it: %v", name, err)
		}
	}
	elsewhere, vault := t.TempDir(), t.TempDir()
	must(t, HideFromGit(elsewhere))
	if os.Symlink(filepath.Join(elsewhere, folder), filepath.Join(vault, folder)) == nil { // not every system lets us
		if gone, err := LeaveGit(vault); gone || err != nil {
			t.Errorf("through a link: %t, %v", gone, err)
		}
	}
	for _, vault := range []string{filepath.Join(elsewhere, "gone"), t.TempDir()} {
		if gone, err := LeaveGit(vault); gone || err != nil {
			t.Errorf("%s: %t, %v", vault, gone, err)
		}
	}
}

func TestIsBare(t *testing.T) {
	vault := t.TempDir()
	if IsBare(vault) || IsBare(filepath.Join(vault, "gone")) {
		t.Error("a vault without the folder is bare")
	}
	must(t, os.MkdirAll(filepath.Join(vault, folder, "tmp"), 0o755))
	if !IsBare(vault) {
		t.Error("a folder without the file is not bare")
	}
	must(t, HideFromGit(vault))
	if IsBare(vault) {
		t.Error("with the file it is bare")
	}
	linked := t.TempDir()
	if os.Symlink(t.TempDir(), filepath.Join(linked, folder)) == nil && IsBare(linked) { // not every system lets us
		t.Error("somebody's own link is bare")
	}
}
