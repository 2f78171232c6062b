//go:build unix

package installer

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

// ownFiles are the files that a shell reads, with a line that puts a folder on the PATH and the noise that people have there.
var ownFiles = map[string][2]string{
	"sh":   {".profile", "echo welcome to /usr/bin; PATH=$PATH:DIR; export PATH\n"},
	"dash": {".profile", "echo welcome; read answer; PATH=$PATH:DIR; export PATH\n"},
	"bash": {".bash_profile", "echo 'last login: today'; printf '\\033]0;title\\007'; export PATH=\"$PATH:DIR\"; exec 3</dev/tty; cd /\n"},
	"zsh":  {".zshrc", "echo welcome; path+=(DIR); read -q '?update? '\n"},
	"fish": {".config/fish/config.fish", "echo welcome; set -gx PATH $PATH DIR\n"},
	"tcsh": {".tcshrc", "echo welcome; set path = ($path DIR)\n"},
	"csh":  {".cshrc", "echo welcome; set path = ($path DIR)\n"},
}

// Each shell that is here says where its person's programs are, whatever else its files print and ask.
func TestShellKnowsThePath(t *testing.T) {
	asked := 0
	for name, file := range ownFiles {
		shell, err := exec.LookPath(name)
		if err != nil {
			continue // sh is everywhere
		}
		asked++
		home := t.TempDir()
		dir := filepath.Join(home, "odd", "bin")
		put(t, filepath.Join(home, filepath.FromSlash(file[0])), strings.ReplaceAll(file[1], "DIR", dir))
		put(t, filepath.Join(dir, "claude"), "#!/bin/sh\n")
		environ := []string{"HOME=" + home, "SHELL=" + shell, "PATH=/usr/bin:/bin"}
		path := askShell(t.Context(), environ)
		if list := filepath.SplitList(path); !slices.Contains(list, dir) || !filepath.IsAbs(list[0]) {
			t.Errorf("%s: %q, and not %s", name, path, dir)
		}
		located, command, err := locate("claude", environ, func() string { return path })
		if want := filepath.Join(dir, "claude"); err != nil || located.Path != want || command != want {
			t.Errorf("%s: found %q, to be kept %q, %v", name, located.Path, command, err)
		}
	}
	if asked == 0 {
		t.Fatal("there is no shell")
	}
}

// A shell that says nothing, or goes over into another program, costs no more than that: nothing is found by it.
func TestShellThatSaysNothing(t *testing.T) {
	for _, does := range []string{"exit 0", "exit 3", "exec cat", "echo /usr/bin", "kill -9 $$"} {
		shell := filepath.Join(t.TempDir(), "shell")
		put(t, shell, "#!/bin/sh\n"+does+"\n")
		if err := os.Chmod(shell, 0o700); err != nil {
			t.Fatal(err)
		}
		environ := []string{"HOME=" + t.TempDir(), "SHELL=" + shell, "PATH=/usr/bin:/bin"}
		if path := askShell(t.Context(), environ); path != "" {
			t.Errorf("%s: %q", does, path)
		}
	}
	for _, shell := range []string{"", "bash", "/nowhere/shell"} {
		if path := askShell(t.Context(), []string{"SHELL=" + shell, "PATH=/usr/bin:/bin"}); path != "" {
			t.Errorf("%q: %q", shell, path)
		}
	}
}

// What only the shell knows is written into the configuration, and setup takes it for there the next time.
func TestPathIsKept(t *testing.T) {
	home := alone(t)
	path := filepath.Join(home, "odd", "claude")
	put(t, path, "#!/bin/sh\n")
	before := ownShell
	ownShell = func() string { return filepath.Dir(path) }
	t.Cleanup(func() { ownShell = before })
	t.Setenv("PATH", "/usr/bin:/bin")
	p := Plan{Present: Present{Config: config.Default()}, Choice: Choice{Agent: "claude"}}
	for _, role := range []string{"Miner", "*"} {
		if a := p.Change().Agents[role]; !slices.Equal(a.Command, []string{path}) {
			t.Errorf("%s is written as %+v", role, a)
		}
	}
	text, cfg, err := config.Edit("", nil, p.Change())
	if err != nil || !strings.Contains(string(text), "command: ["+path+"]") {
		t.Fatalf("%s, %v", text, err)
	}
	p.Present.Config = cfg
	ownShell = func() string { return "" }
	if err := p.checkAgents(t.Context(), Silent()); err != nil {
		t.Errorf("what is configured is refused: %v", err)
	}
}
