package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// project is a repository of its own, with scripts of .ci as they are.
type project struct {
	*testing.T
	dir string
}

func newProject(t *testing.T, scripts ...string) project {
	p := project{t, t.TempDir()}
	for _, name := range scripts {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		p.write(".ci/"+name, string(text))
	}
	p.run("git", "init", "-q", "-b", "main")
	p.run("git", "config", "user.name", "test")
	p.run("git", "config", "user.email", "test@localhost")
	return p
}

func (p project) write(name, text string) {
	p.Helper()
	file := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		p.Fatal(err)
	}
}

// run returns what a program printed in the repository, whether it succeeded or not.
func (p project) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = p.dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }), "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (p project) commit() string {
	p.run("git", "add", "-A")
	p.run("git", "commit", "-q", "-m", "all")
	tip, err := p.run("git", "rev-parse", "HEAD")
	if err != nil {
		p.Fatal(tip)
	}
	return tip
}

// newBeds is a project with three beds, which succeed.
func newBeds(t *testing.T) project {
	p := newProject(t, "all", "changed")
	p.write(".ci/beds", "*.go race\nengine/* safety\nengine/rewrite fuzz\n")
	for _, bed := range []string{"race", "safety", "fuzz"} {
		p.write(".ci/"+bed, "true\n")
	}
	p.write("engine/rewrite/swap/moved.go", "package swap\n\n// One.\n// Two.\n// Three.\n")
	p.write("README", "")
	p.commit()
	return p
}

// TestChangedBeds: a change leads to the beds of its rows, however large it is, and whether it has a commit or not.
func TestChangedBeds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p project)
		want   string
	}{
		"nothing that a bed checks":  {func(p project) { p.write("README", "new") }, ""},
		"a folder and what is below": {func(p project) { p.write("engine/rewrite/deep/text", "") }, "fuzz"},
		"directly in a folder":       {func(p project) { p.write("engine/text", "") }, "safety"},
		"letters of any language":    {func(p project) { p.write("engine/rewrite/übung", "") }, "fuzz"},
		"by the end of the name":     {func(p project) { p.write("cmd/main.go", "") }, "race"},
		"what is moved away":         {func(p project) { p.run("git", "mv", "engine/rewrite/swap/moved.go", "moved.text") }, "race fuzz"},
		"more than a pipe holds": {func(p project) {
			for i := range 600 {
				p.write(fmt.Sprintf("engine/rewrite/%s/%d.go", strings.Repeat("long", 50), i), "")
			}
		}, "race fuzz"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newBeds(t)
			base := p.commit()
			c.change(p)
			for _, when := range []string{"without a commit", "with one"} {
				out, err := p.run("bash", ".ci/all", "--changed", base)
				chosen, _, _ := strings.Cut(out, "\n")
				if c.want == "" && err == nil || c.want != "" && chosen != "== beds: "+c.want {
					t.Errorf("%s: want %q: %v\n%s", when, c.want, err, out)
				}
				p.commit()
			}
		})
	}
}

// TestBedsThatCannotBeTold: where it is not known what has changed, nothing is said to be needed or not; where no commit is
// kept, everything has changed.
func TestBedsThatCannotBeTold(t *testing.T) {
	p := newBeds(t)
	if out, err := p.run("bash", ".ci/all", "--changed"); err != nil || !strings.HasPrefix(out, "== beds: race fuzz\n") {
		t.Errorf("without a commit to begin at: %v\n%s", err, out)
	}
	p.write(".ci/changed", "exit 1\n")
	p.write("engine/main.go", "")
	if out, err := p.run("bash", ".ci/all", "--changed", "HEAD"); err == nil || !strings.Contains(out, "cannot be told") {
		t.Errorf("what has changed cannot be told: %v\n%s", err, out)
	}
}

// TestChangeOfTheGate: a change begins where main stands, and at no commit that is not there.
func TestChangeOfTheGate(t *testing.T) {
	p := newProject(t, "run", "changed")
	p.write("go.mod", "module m\n")
	p.commit()
	p.run("git", "switch", "-q", "-c", "work")
	for _, name := range []string{"a", "b"} {
		p.write(name, "")
		p.commit()
	}
	if out, err := p.run("bash", ".ci/run", "gofmt"); err != nil || !strings.HasPrefix(out, "== the change: 2 files since ") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := p.run("env", "GATE_BASE=nowhere", "bash", ".ci/run", "gofmt"); err == nil || !strings.Contains(out, "there is no commit nowhere") {
		t.Errorf("from a commit that is not there: %v\n%s", err, out)
	}
	if out, err := p.run("bash", ".ci/run", "gofmt", "nothing"); err == nil || !strings.HasPrefix(out, "there is no step nothing") {
		t.Errorf("a step that is not there: %v\n%s", err, out)
	}
}

// TestGreenBed: a bed is green at the commit that it checked, not at one that came while it ran.
func TestGreenBed(t *testing.T) {
	p := newBeds(t)
	p.write(".ci/safety", "git commit -q --allow-empty -m another\n")
	tip := p.commit()
	for _, bed := range []string{"race", "safety"} {
		if out, err := p.run("bash", ".ci/all", bed); err != nil {
			t.Fatal(out)
		}
	}
	for bed, want := range map[string]string{"race": tip + "\n", "safety": ""} {
		if got, _ := os.ReadFile(filepath.Join(p.dir, ".git", "beds", bed)); string(got) != want {
			t.Errorf("%s is kept as green at %q, want %q", bed, got, want)
		}
	}
}

// TestGateTells: a step that fails without a test counts as one failure, and what a step leaves behind is named, whether it
// succeeds or not.
func TestGateTells(t *testing.T) {
	for name, c := range map[string]struct{ step, main, left, last string }{
		"all is well":                       {"demo", `os.Exit(0)`, "", "0 passed, 0 failed, 0 flaky"},
		"a step fails":                      {"demo", `os.Exit(1)`, "", "0 passed, 1 failed, 0 flaky"},
		"a file is not formed":              {"gofmt", `  os.Exit(0)`, "", "0 passed, 1 failed, 0 flaky"},
		"a file stays":                      {"demo", `os.CreateTemp("", "stays"); os.Exit(0)`, "/stays", "0 passed, 1 failed, 0 flaky"},
		"a file stays of a step that fails": {"demo", `os.CreateTemp("", "stays"); os.Exit(1)`, "/stays", "0 passed, 1 failed, 0 flaky"},
		"a process stays that has no environment": {
			"demo", `c := exec.Command("sleep", "600"); c.Env, c.Dir = []string{"A=b"}, os.Getenv("HOME"); c.Start(); os.WriteFile("pid", []byte(strconv.Itoa(c.Process.Pid)), 0o600)`, "sleep 600", "0 passed, 1 failed, 0 flaky",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, "run", "changed")
			p.write("go.mod", "module m\n")
			p.write("cmd/wiki/main.go", "package main\n\nimport (\n\t\"os\"\n\t\"os/exec\"\n\t\"strconv\"\n)\n\nvar _, _ = exec.Command, strconv.Itoa\n\nfunc main() {\n\t"+c.main+"\n}\n")
			p.commit()
			out, err := p.run("bash", ".ci/run", c.step)
			if pid, err := os.ReadFile(filepath.Join(p.dir, "pid")); err == nil {
				p.run("kill", string(pid))
			}
			lines := strings.Split(out, "\n")
			if (err == nil) != strings.Contains(c.last, " 0 failed") || lines[len(lines)-1] != c.last || !strings.Contains(out, c.left) ||
				(c.left == "") == strings.Contains(out, "left behind") {
				t.Errorf("want %q and at its end %q: %v\n%s", c.left, c.last, err, out)
			}
		})
	}
}

// TestGateVetsWindows: a file with a build tag that has changed is vetted for Windows as well, whatever else was removed.
func TestGateVetsWindows(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p project)
		red    bool
	}{
		"nothing of Windows": {func(p project) { p.write("kept.go", "package m\n\nvar _ = 1\n") }, false},
		"a file of Windows":  {func(p project) { p.write("a_windows.go", "package m\n\nvar _ = missing\n") }, true},
		"a file with a tag":  {func(p project) { p.write("tagged.go", "//go:build windows\n\npackage m\n\nvar _ = missing\n") }, true},
		"a file with a tag, and one less": {func(p project) {
			p.write("tagged.go", "//go:build windows\n\npackage m\n\nvar _ = missing\n")
			p.run("rm", "gone.go")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, "run", "changed")
			p.write("go.mod", "module m\n")
			for _, file := range []string{"kept.go", "gone.go", ".ci/judge/m.go", ".ci/picture/m.go", ".ci/renderers/m.go", ".ci/summarybench/m.go", "engine/agent/testdata/fakemodel/m.go", "cmd/wiki/testdata/fakeagent/m.go"} {
				p.write(file, "package m\n")
			}
			p.commit()
			c.change(p)
			if out, err := p.run("bash", ".ci/run", "vet"); (err != nil) != c.red || c.red && !strings.Contains(out, "undefined: missing") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestStrictPackages: what a change touches passes for no flaky test, wherever its files lie.
func TestStrictPackages(t *testing.T) {
	p := newProject(t, "run", "changed")
	p.write("go.mod", "module m\n")
	for file, text := range map[string]string{
		"a/a.go": "package a\n", "a/a_test.go": "package a\n\nimport _ \"m/testdata/help\"\n",
		"b/b.go": "package b\n", "b/b_test.go": "package b_test\n\nimport _ \"m/testdata/help\"\n",
		"c/c.go": "package c\n", "c/testdata/words/x": "", "testdata/help/h.go": "package help\n",
	} {
		p.write(file, text)
	}
	for _, name := range []string{"rewrite", "journal", "dispatch", "vault", "writer"} {
		p.write("engine/"+name+"/x.go", "package "+name+"\n")
	}
	const always = "m/engine/dispatch m/engine/journal m/engine/rewrite m/engine/vault m/engine/writer"
	for changed, want := range map[string]string{
		"README":             "",
		"a/a.go":             "m/a",
		"c/deep/text":        "m/c",
		"c/testdata/words/x": "m/c",
		"testdata/help/h.go": "m/a m/b m/testdata/help",
		".ci/run":            "",
	} {
		p.write("changed", changed+"\n")
		out, err := p.run("bash", "-euo", "pipefail", "-c", `home=.; eval "$(sed -n '/^strict_packages() {/,/^}/p' .ci/run)"; strict_packages 2>/dev/null | sort -u | xargs`)
		all := append(strings.Fields(always), strings.Fields(want)...)
		if slices.Sort(all); err != nil || out != strings.Join(all, " ") {
			t.Errorf("%s: %q, want %q: %v", changed, out, all, err)
		}
	}
}
