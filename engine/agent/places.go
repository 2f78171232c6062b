package agent

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A login service starts with the PATH of the system alone, and people install
// their agents elsewhere. So programs are also looked for where the package
// managers of the day put them, behind everything on the PATH.

// patterns are those places by system, below the folder that the variable in
// front names; an unset variable leaves its place out. A star is a version; the
// newest comes first.
var patterns = map[string][]string{
	"unix": {
		"HOME/.local/bin", "HOME/bin", "HOME/.npm-global/bin", "HOME/.npm-packages/bin",
		"HOME/.claude/local", "HOME/.opencode/bin", "HOME/.bun/bin", "HOME/.volta/bin", "HOME/.deno/bin", "HOME/.cargo/bin",
		"PNPM_HOME", "HOME/.local/share/pnpm", "HOME/Library/pnpm",
		"NVM_DIR/versions/node/*/bin", "HOME/.nvm/versions/node/*/bin", "HOME/.config/nvm/versions/node/*/bin",
		"FNM_DIR/node-versions/*/installation/bin", "HOME/.local/share/fnm/node-versions/*/installation/bin",
		"HOME/Library/Application Support/fnm/node-versions/*/installation/bin", "HOME/.fnm/node-versions/*/installation/bin",
		"HOME/.asdf/shims", "HOME/.asdf/installs/nodejs/*/bin",
		"HOME/.local/share/mise/shims", "HOME/.local/share/mise/installs/node/*/bin",
		"HOME/.nodenv/shims", "HOME/n/bin", "HOME/.nix-profile/bin",
		"/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin", "/opt/local/bin",
		"/run/current-system/sw/bin", "/snap/bin",
	},
	"windows": {
		"APPDATA/npm", "USERPROFILE/.local/bin", "USERPROFILE/.opencode/bin", "USERPROFILE/.bun/bin",
		"LOCALAPPDATA/Volta/bin", "PROGRAMFILES/Volta", "LOCALAPPDATA/pnpm", "USERPROFILE/scoop/shims",
		"APPDATA/nvm/v*", "NVM_HOME/v*", "NVM_SYMLINK", "APPDATA/fnm/node-versions/*/installation",
		"LOCALAPPDATA/mise/shims", "LOCALAPPDATA/Microsoft/WinGet/Links", "PROGRAMFILES/nodejs", "PROGRAMDATA/chocolatey/bin",
	},
}

// findPlaces returns the folders of a system's patterns that are there, in their
// order, each once.
func findPlaces(system string, variable func(string) string) []string {
	var found []string
	for _, pattern := range patterns[system] {
		base, rest, _ := strings.Cut(pattern, "/")
		if base != "" {
			if base = variable(base); !filepath.IsAbs(base) {
				continue
			}
		} else {
			base = string(filepath.Separator)
		}
		for _, dir := range listVersions(base, rest) {
			if info, err := os.Stat(dir); err == nil && info.IsDir() && !slices.Contains(found, dir) {
				found = append(found, dir)
			}
		}
	}
	return found
}

// listVersions returns the folders below base that a pattern names, the newest
// version first.
func listVersions(base, pattern string) []string {
	head, tail, found := strings.Cut(pattern, "*")
	if !found {
		return []string{filepath.Join(base, filepath.FromSlash(pattern))}
	}
	parent, prefix := filepath.Join(base, filepath.FromSlash(head)), ""
	if head != "" && !strings.HasSuffix(head, "/") { // "nvm/v*"
		parent, prefix = filepath.Split(parent)
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return compareVersions(b, a) })
	for i, name := range names {
		names[i] = filepath.Join(parent, name, filepath.FromSlash(tail))
	}
	return names
}

// compareVersions compares versions such as v9.11.2 and v22.3.0 by their numbers.
func compareVersions(a, b string) int {
	numbers := func(name string) []int {
		var list []int
		for field := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < '0' || r > '9' }) {
			n, _ := strconv.Atoi(field)
			list = append(list, n)
		}
		return list
	}
	return cmp.Or(slices.Compare(numbers(a), numbers(b)), strings.Compare(a, b))
}

// environmentOf returns what a program is given, and where it is found in it. A
// PATH that the configuration names is taken as it is. Otherwise the places are
// behind the PATH of this process; a program that was found in one of them, or
// that is named by its path, has its own folder in front: the node that belongs
// to an agent is installed beside it.
func environmentOf(program string, own []string, extra map[string]string, root string) (env []string, path string, err error) {
	env = buildEnvironment(own, extra)
	if isNamed(extra, "PATH") {
		path, err = lookPath(program, env, root)
		return env, path, err
	}
	given := filepath.SplitList(lookUpVariable(env, "PATH"))
	all := slices.Clone(given)
	for _, dir := range findPlaces(systemFamily(), func(name string) string { return lookUpVariable(env, name) }) {
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	env = setVariable(env, "PATH", strings.Join(all, string(filepath.ListSeparator)))
	if path, err = lookPath(program, env, root); err != nil {
		return env, "", err
	}
	// A script that asks env for its interpreter finds none that came with a note.
	all = slices.DeleteFunc(all, func(d string) bool { return !filepath.IsAbs(d) || isWithin(filepath.Join(d, "program"), root) })
	if dir := filepath.Dir(path); !slices.Contains(given, dir) && !isWithin(dir, root) {
		all = append([]string{dir}, slices.DeleteFunc(all, func(d string) bool { return d == dir })...)
	}
	env = setVariable(env, "PATH", strings.Join(all, string(filepath.ListSeparator)))
	return env, path, nil
}

// Find returns where a program is, in the PATH it would run with: the one the
// configuration names among the variables, or this process's with the places of
// package managers behind it. Nothing inside root is found. The error is a
// [*NotFound] when there is no such program.
func Find(program string, extra map[string]string, root string) (string, error) {
	_, path, err := environmentOf(program, os.Environ(), extra, root)
	if errors.Is(err, exec.ErrNotFound) {
		return "", &NotFound{Program: program}
	}
	return path, err
}

func systemFamily() string {
	if runtime.GOOS == "windows" {
		return "windows"
	}
	return "unix"
}

func isNamed(extra map[string]string, name string) bool {
	for key := range extra {
		if isVariable(key+"=", name) {
			return true
		}
	}
	return false
}

// setVariable replaces a variable, or adds it.
func setVariable(env []string, name, value string) []string {
	env = slices.DeleteFunc(env, func(entry string) bool { return isVariable(entry, name) })
	return append(env, name+"="+value)
}
