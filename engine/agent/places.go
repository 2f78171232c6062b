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

// place is where one package manager puts programs.
type place struct {
	source  string // that says so
	folders []string
}

// places are those of each system, in the order in which they are looked in. A folder is below the one that the variable in
// front names; an unset variable leaves it out. A star is a version; the newest comes first. {program} is what is looked for.
var places = map[string][]place{
	"unix": {
		{"https://specifications.freedesktop.org/basedir-spec/latest/", []string{"HOME/.local/bin", "HOME/bin"}},
		{"https://docs.npmjs.com/resolving-eacces-permissions-errors-when-installing-packages-globally", []string{"HOME/.npm-global/bin", "HOME/.npm-packages/bin"}},
		{"https://code.claude.com/docs/en/setup", []string{"HOME/.claude/local"}},
		{"https://opencode.ai/docs/", []string{"HOME/.opencode/bin"}},
		{"https://bun.com/docs/installation", []string{"BUN_INSTALL/bin", "HOME/.bun/bin"}},
		{"https://docs.volta.sh/advanced/installers", []string{"VOLTA_HOME/bin", "HOME/.volta/bin"}},
		{"https://docs.deno.com/runtime/reference/cli/install/", []string{"DENO_INSTALL_ROOT/bin", "HOME/.deno/bin"}},
		{"https://doc.rust-lang.org/cargo/guide/cargo-home.html", []string{"CARGO_HOME/bin", "HOME/.cargo/bin"}},
		{"https://pnpm.io/cli/setup", []string{"PNPM_HOME/bin", "PNPM_HOME", "XDG_DATA_HOME/pnpm/bin", "XDG_DATA_HOME/pnpm",
			"HOME/.local/share/pnpm/bin", "HOME/.local/share/pnpm", "HOME/Library/pnpm/bin", "HOME/Library/pnpm"}},
		{"https://classic.yarnpkg.com/en/docs/cli/global", []string{"HOME/.yarn/bin", "HOME/.config/yarn/global/node_modules/.bin"}},
		{"https://github.com/nvm-sh/nvm#readme", []string{"NVM_DIR/versions/node/*/bin", "HOME/.nvm/versions/node/*/bin", "HOME/.config/nvm/versions/node/*/bin"}},
		{"https://github.com/jorgebucaran/nvm.fish/blob/main/conf.d/nvm.fish", []string{"XDG_DATA_HOME/nvm/v*/bin", "HOME/.local/share/nvm/v*/bin"}},
		{"https://github.com/Schniz/fnm/blob/master/docs/configuration.md", []string{"FNM_DIR/node-versions/*/installation/bin", "HOME/.local/share/fnm/node-versions/*/installation/bin",
			"HOME/Library/Application Support/fnm/node-versions/*/installation/bin", "HOME/.fnm/node-versions/*/installation/bin"}},
		{"https://asdf-vm.com/manage/configuration.html", []string{"ASDF_DATA_DIR/shims", "HOME/.asdf/shims", "HOME/.asdf/installs/{program}/*/bin", "HOME/.asdf/installs/nodejs/*/bin"}},
		{"https://mise.jdx.dev/directories.html", []string{"MISE_DATA_DIR/shims", "HOME/.local/share/mise/shims", "HOME/.local/share/mise/installs/{program}/*/bin",
			"HOME/.local/share/mise/installs/{program}/*", "HOME/.local/share/mise/installs/node/*/bin"}},
		{"https://moonrepo.dev/docs/proto/workflows", []string{"PROTO_HOME/shims", "PROTO_HOME/bin", "HOME/.proto/shims", "HOME/.proto/bin"}},
		{"https://github.com/nodenv/nodenv#readme", []string{"NODENV_ROOT/shims", "HOME/.nodenv/shims"}},
		{"https://github.com/tj/n#readme", []string{"N_PREFIX/bin", "HOME/n/bin"}},
		{"https://github.com/hokaccha/nodebrew#readme", []string{"HOME/.nodebrew/current/bin"}},
		{"https://nix.dev/manual/nix/stable/command-ref/files/profiles", []string{"HOME/.nix-profile/bin", "XDG_STATE_HOME/nix/profile/bin",
			"HOME/.local/state/nix/profile/bin", "/etc/profiles/per-user/{user}/bin", "/nix/var/nix/profiles/default/bin", "/run/current-system/sw/bin"}},
		{"https://guix.gnu.org/manual/en/html_node/Invoking-guix-package.html", []string{"HOME/.guix-profile/bin"}},
		{"https://docs.brew.sh/Installation", []string{"/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"}},
		{"https://guide.macports.org/", []string{"/opt/local/bin"}},
		{"https://snapcraft.io/docs/", []string{"/snap/bin"}},
	},
	"windows": {
		{"https://docs.npmjs.com/cli/v11/configuring-npm/folders", []string{"APPDATA/npm"}},
		{"https://code.claude.com/docs/en/setup", []string{"USERPROFILE/.local/bin"}},
		{"https://opencode.ai/docs/", []string{"USERPROFILE/.opencode/bin"}},
		{"https://bun.com/docs/installation", []string{"BUN_INSTALL/bin", "USERPROFILE/.bun/bin"}},
		{"https://docs.volta.sh/advanced/installers", []string{"LOCALAPPDATA/Volta/bin", "PROGRAMFILES/Volta"}},
		{"https://pnpm.io/cli/setup", []string{"PNPM_HOME/bin", "PNPM_HOME", "LOCALAPPDATA/pnpm/bin", "LOCALAPPDATA/pnpm"}},
		{"https://classic.yarnpkg.com/en/docs/cli/global", []string{"LOCALAPPDATA/Yarn/bin"}},
		{"https://github.com/ScoopInstaller/Scoop/wiki/Scoop-Folder-Layout", []string{"USERPROFILE/scoop/shims"}},
		{"https://github.com/coreybutler/nvm-windows/wiki", []string{"APPDATA/nvm/v*", "NVM_HOME/v*", "NVM_SYMLINK"}},
		{"https://github.com/Schniz/fnm/blob/master/docs/configuration.md", []string{"APPDATA/fnm/node-versions/*/installation"}},
		{"https://mise.jdx.dev/directories.html", []string{"LOCALAPPDATA/mise/shims"}},
		{"https://moonrepo.dev/docs/proto/workflows", []string{"PROTO_HOME/shims", "PROTO_HOME/bin", "USERPROFILE/.proto/shims", "USERPROFILE/.proto/bin"}},
		{"https://learn.microsoft.com/en-us/windows/package-manager/winget/", []string{"LOCALAPPDATA/Microsoft/WinGet/Links"}},
		{"https://nodejs.org/en/download", []string{"PROGRAMFILES/nodejs"}},
		{"https://docs.chocolatey.org/en-us/choco/setup/", []string{"PROGRAMDATA/chocolatey/bin"}},
	},
}

// foldersFor are a system's folders for a program, with the variable in front.
func foldersFor(system, program, user string) (folders []string) {
	fill := strings.NewReplacer("{program}", program, "{user}", user)
	for _, p := range places[system] {
		for _, folder := range p.folders {
			if (user != "" || !strings.Contains(folder, "{user}")) && (filepath.Base(program) == program || !strings.Contains(folder, "{program}")) {
				folders = append(folders, fill.Replace(folder))
			}
		}
	}
	return folders
}

// findPlaces returns the folders of a system that are there and may hold a program, in their
// order, each once.
func findPlaces(system, program string, variable func(string) string) []string {
	var found []string
	for _, pattern := range foldersFor(system, program, variable("USER")) {
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
	known := slices.Concat(own, env) // a program is told less than where it is installed
	for _, dir := range findPlaces(systemFamily(), program, func(name string) string { return lookUpVariable(known, name) }) {
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
