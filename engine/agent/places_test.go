package agent

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestPlaces looks for the folders of package managers, for every system on
// this one.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		system, variable string
		there, want      []string
	}{
		{"unix", "HOME", []string{".nvm/versions/node/v9.11.2/bin", ".nvm/versions/node/v22.3.0/bin", ".nvm/versions/node/v22.12.0/bin", ".local/bin"},
			[]string{".local/bin", ".nvm/versions/node/v22.12.0/bin", ".nvm/versions/node/v22.3.0/bin", ".nvm/versions/node/v9.11.2/bin"}},
		{"unix", "HOME", []string{".asdf/shims", ".volta/bin", ".local/share/fnm/node-versions/v20.1.0/installation/bin"},
			[]string{".volta/bin", ".local/share/fnm/node-versions/v20.1.0/installation/bin", ".asdf/shims"}},
		{"unix", "NVM_DIR", []string{"versions/node/v20.0.0/bin"}, []string{"versions/node/v20.0.0/bin"}},
		{"unix", "HOME", []string{".nvm/versions/node/v9.0.0"}, nil},
		{"unix", "HOME", []string{".local/share/mise/installs/claude/2.1.9", ".local/share/mise/installs/claude/2.1.30/bin", ".local/share/mise/installs/python/3.12.1/bin"},
			[]string{".local/share/mise/installs/claude/2.1.30/bin", ".local/share/mise/installs/claude/2.1.30", ".local/share/mise/installs/claude/2.1.9"}},
		{"unix", "HOME", []string{".config/yarn/global/node_modules/.bin", ".yarn/bin"}, []string{".yarn/bin", ".config/yarn/global/node_modules/.bin"}},
		{"unix", "HOME", []string{".proto/bin", ".proto/shims"}, []string{".proto/shims", ".proto/bin"}},
		{"unix", "HOME", []string{".local/state/nix/profile/bin"}, []string{".local/state/nix/profile/bin"}},
		{"unix", "HOME", []string{".local/share/nvm/v20.1.0/bin", ".local/share/nvm/v22.1.0/bin", ".local/share/nvm/other/bin"},
			[]string{".local/share/nvm/v22.1.0/bin", ".local/share/nvm/v20.1.0/bin"}},
		{"unix", "HOME", []string{".local/share/pnpm/bin"}, []string{".local/share/pnpm/bin", ".local/share/pnpm"}},
		{"unix", "HOME", []string{".asdf/installs/claude/1.0.2/bin", ".nodebrew/current/bin"}, []string{".asdf/installs/claude/1.0.2/bin", ".nodebrew/current/bin"}},
		{"unix", "VOLTA_HOME", []string{"bin"}, []string{"bin"}},
		{"unix", "BUN_INSTALL", []string{"bin"}, []string{"bin"}},
		{"windows", "USERPROFILE", []string{".proto/shims"}, []string{".proto/shims"}},
		{"windows", "LOCALAPPDATA", []string{"Yarn/bin"}, []string{"Yarn/bin"}},
		{"windows", "APPDATA", []string{"npm", "nvm/v18.2.0", "nvm/v20.10.0", "nvm/other"}, []string{"npm", "nvm/v20.10.0", "nvm/v18.2.0"}},
		{"windows", "LOCALAPPDATA", []string{"Volta/bin"}, []string{"Volta/bin"}},
	} {
		base := t.TempDir()
		for _, dir := range c.there {
			if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, dir := range findPlaces(c.system, "claude", func(name string) string {
			if name == c.variable {
				return base
			}
			return ""
		}) {
			if rel, err := filepath.Rel(base, dir); err == nil && filepath.IsLocal(rel) {
				got = append(got, filepath.ToSlash(rel))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s of %q: %q, want %q", c.system, c.variable, c.there, got, c.want)
		}
	}
}

// program puts an executable file there.
func program(t *testing.T, path, text string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFoundWithItsFolder starts from a bare PATH, as a login service has it: the
// agent is found behind it, its own folder comes first, and a PATH of the
// configuration is left alone.
func TestFoundWithItsFolder(t *testing.T) {
	home, bin, vault := t.TempDir(), t.TempDir(), t.TempDir()
	old := filepath.Join(home, ".nvm/versions/node/v18.0.0/bin")
	root := filepath.Join(home, ".nvm")
	if runtime.GOOS == "windows" {
		old, root = filepath.Join(home, "nvm/v18.0.0"), filepath.Join(home, "nvm")
	}
	program(t, filepath.Join(old, "my-agent"), "")
	program(t, filepath.Join(strings.Replace(old, "v18", "v22", 1), "node"), "")
	program(t, filepath.Join(bin, "other-agent"), "")
	own := []string{"HOME=" + home, "APPDATA=" + home, "PATH=" + bin}

	env, path, err := environmentOf("my-agent", own, nil, vault)
	list := filepath.SplitList(lookUpVariable(env, "PATH"))
	if err != nil || filepath.Dir(path) != old || list[0] != old || list[1] != bin || !strings.Contains(list[2], "v22") && !slices.ContainsFunc(list, func(d string) bool { return strings.Contains(d, "v22") }) {
		t.Errorf("%s with %q, %v", path, list, err)
	}
	env, path, err = environmentOf("other-agent", own, nil, vault)
	if list = filepath.SplitList(lookUpVariable(env, "PATH")); err != nil || filepath.Dir(path) != bin || list[0] != bin {
		t.Errorf("%s with %q, %v", path, list, err)
	}
	if _, path, err = environmentOf("my-agent", own, nil, root); err == nil {
		t.Errorf("%s was found inside the vault", path)
	}
	program(t, filepath.Join(bin, "apart", "bin", "third-agent"), "")
	apart := append([]string{"BUN_INSTALL=" + filepath.Join(bin, "apart")}, own...)
	if _, path, err = environmentOf("third-agent", apart, nil, vault); err != nil || filepath.Dir(path) != filepath.Join(bin, "apart", "bin") {
		t.Errorf("by a variable that no agent is told: %s, %v", path, err)
	}
	configured := map[string]string{"PATH": bin}
	if env, path, err = environmentOf("my-agent", own, configured, vault); err == nil || lookUpVariable(env, "PATH") != bin {
		t.Errorf("a configured PATH became %q and found %s", lookUpVariable(env, "PATH"), path)
	}
}
