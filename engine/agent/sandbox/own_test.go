package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A program that lies in the vault, in one of its folders, or in a folder above it has none of these for its own.
func TestOwnFilesAreNoNotes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sandbox")
	}
	for path, want := range map[string]string{
		"/d/v/bin/codex": "", "/d/v/codex": "", "/d/v/tools/bin/codex": "", "/d/v/tools/codex": "", "/d/bin/codex": "", "/d/codex": "",
		"/d/v/node_modules/a/bin/codex": "/d/v/node_modules", "/d/v/x/node_modules/.bin/codex": "/d/v/x/node_modules",
		"/d/tools/bin/codex": "/d/tools", "/d/vault/bin/codex": "/d/vault",
	} {
		if want == "" {
			want = path
		}
		if got := findRoot(path, "/home/me", "/d/v"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// The kernel refuses the notes of a vault to a program in its folder bin.
func TestConfinedInAVault(t *testing.T) {
	dir := t.TempDir()
	home, scratch, vault := filepath.Join(dir, "home"), filepath.Join(dir, "scratch"), filepath.Join(dir, "vault")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(vault, "bin", "codex"+filepath.Ext(self))
	for _, folder := range []string{home, scratch, filepath.Dir(program)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(self)
	err = errors.Join(err, os.WriteFile(program, data, 0o700), os.WriteFile(filepath.Join(vault, "note.md"), []byte("words"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{vault}
	if link := filepath.Join(dir, "link"); os.Symlink(vault, link) == nil {
		roots = append(roots, link)
	}
	for _, root := range roots {
		if err := os.RemoveAll(scratch); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(scratch, 0o700); err != nil {
			t.Fatal(err)
		}
		got := confinedTo(t, program, home, Hold{Program: "codex", Scratch: scratch, Vault: root}, "read "+filepath.Join(vault, "note.md"), "list "+vault, "write "+filepath.Join(scratch, "mine"))
		want := []string{"read refused", "list refused", "write done"}
		if Supported() != nil {
			want = []string{"read done", "list done", "write done"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestStartedBy(t *testing.T) {
	for command, want := range map[string]string{
		"npx -y @agentclientprotocol/codex-acp":                  "codex-acp @agentclientprotocol/codex-acp",
		"/usr/bin/npx @agentclientprotocol/claude-agent-acp@0.1": "claude-agent-acp @agentclientprotocol/claude-agent-acp",
		"npx --yes --package=@x/codex-acp@latest codex-acp":      "codex-acp @x/codex-acp",
		"npx.cmd codex-acp":                          "codex-acp codex-acp",
		"bunx --bun @agentclientprotocol/codex-acp":  "codex-acp @agentclientprotocol/codex-acp",
		"pnpm dlx @agentclientprotocol/codex-acp":    "codex-acp @agentclientprotocol/codex-acp",
		"yarn dlx -q @agentclientprotocol/codex-acp": "codex-acp @agentclientprotocol/codex-acp",
		"npm exec -- @agentclientprotocol/codex-acp": "codex-acp @agentclientprotocol/codex-acp",
		"bun x opencode acp":                         "opencode opencode",
		"npx mine --codex-acp":                       " ",
		"codex-acp":                                  " ",
		"mine codex-acp":                             " ",
		"npx":                                        " ",
		"":                                           " ",
	} {
		if name, pack := StartedBy(strings.Fields(command)); name+" "+pack != want {
			t.Errorf("%s: %s %s, want %s", command, name, pack, want)
		}
	}
}
