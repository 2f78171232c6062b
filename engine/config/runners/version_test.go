package runners

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhyTooOld(t *testing.T) {
	for version, want := range map[string]string{
		"2.1.197": "claude 2.1.197 is too old; update claude: newer than 2.1.197, which needs Node 22",
		"1.0.88":  "claude 1.0.88 is too old; update claude: newer than 2.1.197, which needs Node 22",
		"2.1.198": "", "2.1.330": "", "3.0": "", "": "",
	} {
		if got := WhyTooOld("claude", version); got != want {
			t.Errorf("%q: %q", version, got)
		}
	}
	for _, runner := range []string{"qwen", "command", "pi-subagents"} {
		if why := WhyTooOld(runner, "0.0.1"); why != "" {
			t.Errorf("nothing is known of old ones of %s: %s", runner, why)
		}
	}
}

// The version of what npm has installed is found without starting it, on all systems.
func TestVersionOf(t *testing.T) {
	root := t.TempDir()
	write := func(rel, text string) string {
		path := filepath.Join(root, filepath.FromSlash(rel))
		for _, err := range []error{os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	write("lib/node_modules/@anthropic-ai/claude-code/package.json", `{"name":"@anthropic-ai/claude-code","version":"2.1.100"}`)
	script := write("lib/node_modules/@anthropic-ai/claude-code/bin/cli.js", "#!/usr/bin/env node\n")
	write("node_modules/pi/package.json", `{"version":"0.73.1"}`)
	batch := write("pi.cmd", "@ECHO off\r\nGOTO start\r\n:start\r\n\"%_prog%\"  \"%dp0%\\node_modules\\pi\\dist\\cli.js\" %*\r\n")
	write("node_modules/broken/package.json", `{"version":`)
	link := filepath.Join(root, "claude")
	if err := os.Symlink(script, link); err != nil {
		t.Log(err) // Windows has links for some users only
		link = script
	}
	for path, want := range map[string]string{
		link: "2.1.100", script: "2.1.100", batch: "0.73.1",
		write("node_modules/broken/cli.js", ""): "", write("bin/claude", "\x7fELF"): "", write("other.cmd", "@echo off\r\n"): "", filepath.Join(root, "none"): "", "": "",
	} {
		if got := VersionOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
