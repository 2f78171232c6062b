package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tries is the variable that turns this test binary into a program that tries what it
// says, a line each, and prints what came of it.
const tries = "SANDBOX_TEST_TRIES"

func TestMain(m *testing.M) {
	if text := os.Getenv(tries); text != "" {
		for line := range strings.Lines(text) {
			verb, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			result := "done"
			if err := attempt(verb, path); err != nil {
				result = "refused"
				if errors.Is(err, os.ErrNotExist) {
					result = "missing"
				}
			}
			os.Stdout.WriteString(verb + " " + result + "\n")
		}
		return
	}
	os.Exit(m.Run())
}

func attempt(verb, path string) error {
	switch verb {
	case "read":
		_, err := os.ReadFile(path)
		return err
	case "list":
		_, err := os.ReadDir(path)
		return err
	case "write":
		return os.WriteFile(path, []byte("mine"), 0o600)
	case "put":
		file, text, _ := strings.Cut(path, " ")
		return os.WriteFile(file, []byte(text), 0o600)
	case "make":
		return os.Mkdir(path, 0o700)
	case "remove":
		return os.Remove(path)
	case "link":
		return os.Symlink(path, filepath.Join(filepath.Dir(path), "link"))
	case "move":
		from, to, _ := strings.Cut(path, " ")
		return os.Rename(from, to)
	case "truncate":
		return os.Truncate(path, 0)
	case "run":
		return exec.Command(path, "-c", "exit 0").Run()
	case "call":
		conn, err := net.Dial("tcp", path)
		if err == nil {
			conn.Close()
		}
		return err
	case "meet":
		conn, err := net.Dial("unix", path)
		if err == nil {
			conn.Close()
		}
		return err
	}
	return errors.New("nobody knows how to " + verb)
}

// confined runs the tries as the program codex and returns what came of each. It fails
// the test unless the kernel does as [Supported] says.
func confined(t *testing.T, home, scratch string, lines ...string) []string {
	t.Helper()
	program, err := os.Executable()
	if err == nil {
		err = errors.Join(os.RemoveAll(filepath.Join(scratch, ownFolder)), os.RemoveAll(filepath.Join(scratch, lockName))) // one run, one scratch folder
	}
	if err != nil {
		t.Fatal(err)
	}
	return confinedTo(t, program, home, Hold{Program: "codex", Scratch: scratch}, lines...)
}

// confinedTo is confined for a program of this path and any hold.
func confinedTo(t *testing.T, program, home string, h Hold, lines ...string) []string {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Dir = h.Scratch
	cmd.Env = []string{"HOME=" + home, tries + "=" + strings.Join(lines, "\n")}
	held, err := Confine(t.Context(), cmd, h, func() {})
	if err != nil || (held != nil) != (Supported() == nil) {
		t.Fatalf("held %v, %v; the kernel: %v", held, err, Supported())
	}
	held.Follow()
	defer held.Release()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// A held program is not told where the session's sockets are, except one that may have its login behind such a socket.
func TestSessionSockets(t *testing.T) {
	if Supported() != nil {
		t.Skip(Supported())
	}
	for program, told := range map[string]bool{"claude": false, "pi": false, "codex": true} {
		cmd, scratch := exec.Command("/bin/true"), t.TempDir()
		cmd.Env = []string{"XDG_RUNTIME_DIR=/run/user/1000"}
		held, err := Confine(t.Context(), cmd, Hold{Program: program, Scratch: scratch}, func() {})
		held.Release()
		want := map[bool]string{true: "/run/user/1000", false: scratch}[told]
		if got := lookUp(cmd.Env, "XDG_RUNTIME_DIR"); err != nil || got != want {
			t.Errorf("%s is told %q, %v; want %q", program, got, err, want)
		}
	}
}

// TestConfined: what a confined program reaches, and what it does not. Where the kernel
// has no Landlock that is said, and the program reaches all of it.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	home, scratch, vault := filepath.Join(dir, "home"), filepath.Join(dir, "scratch"), filepath.Join(dir, "vault")
	for _, folder := range []string{home, filepath.Join(home, ".ssh"), filepath.Join(home, ".codex"), scratch, vault} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		filepath.Join(home, ".ssh", "id_rsa"): "secret", filepath.Join(vault, "note.md"): "words", filepath.Join(scratch, "given"): "task"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(vault, "note.md"), filepath.Join(scratch, "out.md")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	inside := []string{
		"read " + filepath.Join(scratch, "given"),
		"write " + filepath.Join(scratch, "mine"),
		"make " + filepath.Join(scratch, "folder"),
		"move " + filepath.Join(scratch, "mine") + " " + filepath.Join(scratch, "folder", "mine"),
		"remove " + filepath.Join(scratch, "folder", "mine"),
		"list " + scratch,
		"write " + filepath.Join(scratch, ownFolder, "0", "auth.json"),
		"call " + server.Addr().String(),
	}
	outside := []string{
		"read " + filepath.Join(vault, "note.md"),
		"read " + filepath.Join(home, ".ssh", "id_rsa"),
		"list " + home,
		"list " + vault,
		"list /etc",
		"list /tmp",
		"write " + filepath.Join(vault, "mine.md"),
		"write " + filepath.Join(home, "mine"),
		"write " + filepath.Join(home, ".codex", "config.toml"),
		"truncate " + filepath.Join(vault, "note.md"),
		"make " + filepath.Join(vault, "folder"),
		"remove " + filepath.Join(vault, "note.md"),
		"link " + filepath.Join(vault, "note.md"),
		"move " + filepath.Join(vault, "note.md") + " " + filepath.Join(scratch, "note.md"),
		"run /bin/sh",
		"run /usr/bin/id",
	}
	if Supported() != nil {
		t.Logf("no sandbox here: %v", Supported()) // and what follows would do harm
		return
	}
	for i, result := range confined(t, home, scratch, inside...) {
		if !strings.HasSuffix(result, " done") {
			t.Errorf("%s: %s", inside[i], result)
		}
	}
	for i, result := range confined(t, home, scratch, outside...) {
		if !strings.HasSuffix(result, " refused") {
			t.Errorf("%s: %s", outside[i], result)
		}
	}
	if through := confined(t, home, scratch, "read "+filepath.Join(scratch, "out.md")); through[0] != "read refused" {
		t.Errorf("through a link: %s", through)
	}
	if words, err := os.ReadFile(filepath.Join(vault, "note.md")); err != nil || string(words) != "words" {
		t.Errorf("the note is %q, %v", words, err)
	}
}

// A program that is not in the table is left as it is.
func TestUnknownProgram(t *testing.T) {
	cmd := exec.Command("/bin/true", "x")
	before := slices.Clone(cmd.Args)
	held, err := Confine(t.Context(), cmd, Hold{Program: "some-agent", Scratch: t.TempDir()}, func() {})
	if held != nil || err != nil || cmd.Path != "/bin/true" || !slices.Equal(cmd.Args, before) || cmd.Env != nil {
		t.Errorf("%v, %v: %+v", held, err, cmd)
	}
}

// Rules that cannot be read, and a program that is not there, end it at once.
func TestStageFails(t *testing.T) {
	if Supported() != nil {
		t.Logf("no sandbox here: %v", Supported())
		return
	}
	none, err := json.Marshal(rules{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"{": "read the rules", string(none): "permission denied"} {
		cmd := exec.Command(self)
		cmd.Args = []string{stage, text, "/bin/true", "true"}
		out, err := cmd.CombinedOutput()
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok || ended.ExitCode() != failedStage || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", text, err, out)
		}
	}
}

// Which files are a program's own: never all of the home folder, nor of the system.
func TestOwnFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there is no sandbox, and these are paths of other systems
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home", "me")
	put := func(path, text string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(filepath.Join(home, path)), 0o700)
		if err == nil {
			err = os.WriteFile(filepath.Join(home, path), []byte(text), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	link := func(from, to string) {
		t.Helper()
		put(from, "")
		if err := os.Remove(filepath.Join(home, from)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, to), filepath.Join(home, from)); err != nil {
			t.Fatal(err)
		}
	}
	const node = ".nvm/versions/node/v22/"
	put(node+"bin/node", "elf")
	put(node+"lib/node_modules/codex/bin/codex.js", "#!/usr/bin/env node\n")
	link(node+"bin/codex", node+"lib/node_modules/codex/bin/codex.js")
	put(".local/share/claude/versions/2.1", "elf")
	link(".local/bin/claude", ".local/share/claude/versions/2.1")
	put("bin/mine", "#!"+filepath.Join(home, "tools/run")+"\n")
	put("tools/run", "elf")
	put("agent", "elf")
	put(".local/share/pnpm/gemini", "#!/bin/sh\nexec node x\n")
	put("work/node_modules/.bin/pi", "#!/usr/bin/env -S node --x\n")
	for path, want := range map[string][]string{
		node + "bin/codex":          {node + "lib/node_modules", node, ".nvm"},
		".local/bin/claude":         {".local/share/claude/versions", ".local/share/claude"},
		"bin/mine":                  {"bin/mine", "tools"},
		"agent":                     {"agent"},
		".local/share/pnpm/gemini":  {".local/share/pnpm", "/bin", "/usr/bin"},
		"work/node_modules/.bin/pi": {"work/node_modules", node, ".nvm"},
	} {
		own := findOwnFiles(filepath.Join(home, path), []string{"HOME=" + home, "PATH=" + filepath.Join(home, node, "bin")}, "")
		for _, one := range want {
			if !filepath.IsAbs(one) {
				one = filepath.Join(home, one)
			}
			if !slices.Contains(own, one) {
				t.Errorf("%s: no %s among %q", path, one, own)
			}
		}
		for _, one := range own {
			if one == home || isBelow(home, one) {
				t.Errorf("%s: %s is among %q", path, one, own)
			}
		}
	}
	for _, real := range []string{"/usr/bin/node", "/usr/local/bin/node", "/node", "/home/node"} {
		if got := findRoot(real, "/home/me", "/home/me/Notes"); got != real {
			t.Errorf("%s: %s", real, got)
		}
	}
}
