//go:build unix

package agent

import (
	"path/filepath"
	"testing"
)

// TestAgentWithItsNode runs an agent that asks env for its node, as npm installs
// them, in a process whose PATH knows neither.
func TestAgentWithItsNode(t *testing.T) {
	home := t.TempDir()
	for version, answer := range map[string]string{"v18.20.0": "wrong node", "v22.1.0": "its own node"} {
		program(t, filepath.Join(home, ".nvm/versions/node", version, "bin/node"), "#!/bin/sh\necho "+answer+"\n")
	}
	program(t, filepath.Join(home, ".nvm/versions/node/v22.1.0/bin/my-agent"), "#!/usr/bin/env node\n")
	t.Setenv("HOME", home)
	t.Setenv("PATH", "/usr/bin:/bin")
	got, err := run(t, Command{Argv: []string{"my-agent"}}, taskIn(t, ""))
	if err != nil || got.Text != "its own node\n" {
		t.Errorf("%q, %v", got.Text, err)
	}
	path, err := Find("my-agent", nil, t.TempDir())
	if want := filepath.Join(home, ".nvm/versions/node/v22.1.0/bin/my-agent"); err != nil || path != want {
		t.Errorf("found %q, %v; want %q", path, err, want)
	}
	if _, err := Find("no-such-agent", nil, ""); err == nil || err.Error() != "the program no-such-agent is not found on the PATH" {
		t.Errorf("a program that is not there: %v", err)
	}
}

// TestNothingOfTheVaultIsStarted: where the PATH leads into the vault, neither the
// program nor the interpreter it asks for is taken from there, also by an agent
// that works elsewhere.
func TestNothingOfTheVaultIsStarted(t *testing.T) {
	vault, bin := t.TempDir(), t.TempDir()
	program(t, filepath.Join(vault, "bin/my-agent"), "#!/bin/sh\necho the agent of the vault\n")
	program(t, filepath.Join(vault, "bin/node"), "#!/bin/sh\necho the node of the vault\n")
	program(t, filepath.Join(vault, "node"), "#!/bin/sh\necho the node in the vault\n")
	program(t, filepath.Join(bin, "my-agent"), "#!/usr/bin/env node\n")
	program(t, filepath.Join(bin, "node"), "#!/bin/sh\necho a node\n")
	t.Setenv("HOME", t.TempDir())
	for _, path := range []string{filepath.Join(vault, "bin"), ".", ""} {
		t.Setenv("PATH", path+":"+bin+":/usr/bin:/bin")
		for _, dir := range []string{vault, t.TempDir()} {
			ended, err := Program{Path: "my-agent", Dir: dir, Vault: vault}.Run(t.Context())
			if err != nil || string(ended.Output) != "a node\n" {
				t.Errorf("PATH %q, working in %s: %q, %v", path, dir, ended.Output, err)
			}
		}
	}
}
