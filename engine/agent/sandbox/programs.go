package sandbox

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// program is what was measured of one program: where its configuration is, which it
// also writes, such as a login that was renewed. The first folder of a list that a
// variable names counts, else the last.
type program struct {
	folders [][]string // each a list such as "CODEX_HOME", "HOME/.codex"
	files   []string   // of the home folder
}

// programs is the table; what is not in it starts without the sandbox. Those of one name beside a - are the same with another face.
// Measured as .ci/agents-real does: claude 2.1, codex 0.169, gemini 0.61, opencode 1.18,
// pi 0.87, qwen 0.24, claude-agent-acp 0.101, codex-acp 2.6.
var programs = map[string]program{
	"claude":           claude,
	"claude-agent-acp": claude,
	"codex":            codex,
	"codex-acp":        codex,
	"gemini":           {folders: [][]string{{"GEMINI_CLI_HOME/.gemini", "HOME/.gemini"}}},
	"opencode": {folders: [][]string{
		{"XDG_CONFIG_HOME/opencode", "HOME/.config/opencode"}, {"XDG_DATA_HOME/opencode", "HOME/.local/share/opencode"},
		{"XDG_STATE_HOME/opencode", "HOME/.local/state/opencode"}, {"XDG_CACHE_HOME/opencode", "HOME/.cache/opencode"}}},
	"pi": {folders: [][]string{{"PI_CODING_AGENT_DIR", "HOME/.pi"},
		{"XDG_CACHE_HOME/vault-dispatcher/pi", "HOME/.cache/vault-dispatcher/pi"}}}, // what its loader has compiled for pi-subagents
	"qwen": {folders: [][]string{{"HOME/.qwen"}}},
}

var (
	claude = program{folders: [][]string{{"CLAUDE_CONFIG_DIR", "HOME/.claude"}}, files: []string{".claude.json"}}
	codex  = program{folders: [][]string{{"CODEX_HOME", "HOME/.codex"}}}
)

// Knows reports whether the table says what a program needs.
func Knows(name string) bool {
	_, known := programs[name]
	return known
}

// NameOf is what the table calls the program of a command; "" where it is not in it.
func NameOf(command []string) string {
	if len(command) == 0 {
		return ""
	}
	if name := filepath.Base(command[0]); Knows(name) {
		return name
	}
	return ""
}

// starters are the programs that fetch another one and start it, with the words that have them do so.
var starters = map[string][]string{"npx": nil, "bunx": nil, "pnpx": nil, "pnpm": {"dlx", "exec"}, "yarn": {"dlx", "exec"}, "npm": {"exec", "x"}, "bun": {"x"}}

// StartedBy returns the program of the table that another one fetches and starts in a command, such as npx, with the package
// that the command names; nothing for other commands. Such a program starts without the sandbox: what npx and the others
// write and run, a shell among it, would be the agent's too.
func StartedBy(command []string) (name, pack string) {
	if len(command) == 0 {
		return "", ""
	}
	words, known := starters[strings.TrimSuffix(filepath.Base(command[0]), ".cmd")]
	if !known {
		return "", ""
	}
	for _, arg := range command[1:] {
		_, value, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(arg, "-") {
			arg = value // of --package=NAME
		}
		if slices.Contains(words, arg) {
			continue
		}
		pack = arg
		if at := strings.LastIndex(pack, "@"); at > 0 {
			pack = pack[:at]
		}
		if name = pack[strings.LastIndex(pack, "/")+1:]; Knows(name) {
			return name, pack
		}
	}
	return "", ""
}

// What every program reads of the system; of /etc only what says nothing of a person
// but the name of the user. /proc shows no memory and no variables of other processes:
// Landlock refuses that by itself.
var (
	systemRead = []string{"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/local/lib", "/usr/local/share",
		"/lib", "/lib32", "/lib64", "/proc", "/sys", "/nix/store", "/gnu/store",
		"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/crypto-policies", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf",
		"/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/localtime", "/etc/timezone", "/etc/ld.so.cache", "/etc/ld.so.conf",
		"/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/os-release", "/etc/lsb-release", "/etc/debian_version", "/etc/machine-id", "/etc/passwd", "/etc/group",
		"/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"}
	systemRun   = []string{"/usr/bin/env", "/bin/env"}
	systemTouch = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}
	loaders     = []string{"/lib/ld-*", "/lib64/ld-*", "/lib/*/ld-*", "/usr/lib/ld-*", "/usr/lib64/ld-*", "/usr/lib/*/ld-*"}
)

// plan is what a program may reach that is started from path with these variables for notes of the vault.
func (p program) plan(path string, env []string, scratch, vault string) rules {
	value := func(name string) string { return lookUp(env, name) }
	r := rules{Read: slices.Clone(systemRead), Run: slices.Clone(systemRun), Touch: slices.Clone(systemTouch), Write: []string{scratch}}
	for _, pattern := range loaders {
		found, _ := filepath.Glob(pattern) // the pattern is a good one
		r.Run = append(r.Run, found...)
	}
	r.Run = append(r.Run, findOwnFiles(path, env, vault)...)
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"} {
		if file := value(name); filepath.IsAbs(file) {
			r.Read = append(r.Read, file)
		}
	}
	if dir := value("NODE_COMPILE_CACHE"); filepath.IsAbs(dir) {
		r.Write = append(r.Write, dir)
	}
	for _, list := range p.folders {
		if dir := choosePlace(list, value); dir != "" {
			_ = os.MkdirAll(dir, 0o700) // as the program would; where it cannot, it says so
			r.Write = append(r.Write, dir)
		}
	}
	for _, name := range p.files {
		if home := value("HOME"); filepath.IsAbs(home) {
			r.Write = append(r.Write, filepath.Join(home, name))
		}
	}
	return r
}

// choosePlace is the first of the places whose variable is set.
func choosePlace(list []string, value func(string) string) string {
	for _, place := range list {
		name, rest, _ := strings.Cut(place, "/")
		if base := value(name); filepath.IsAbs(base) {
			return filepath.Join(base, filepath.FromSlash(rest))
		}
	}
	return ""
}

func lookUp(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// managers are the folders in which version managers keep what the programs in their
// own folders are started with.
var managers = []string{".volta", ".asdf", ".nvm", ".fnm", ".bun", ".deno", ".nodenv", "n", ".local/share/mise", ".local/share/fnm", ".local/share/pnpm",
	".local/share/claude", ".nix-profile", "Library/pnpm"}

// findOwnFiles are the files that a program is made of: those it lies among, and its
// interpreter with its own.
func findOwnFiles(path string, env []string, vault string) []string {
	var own []string
	if real, err := filepath.EvalSymlinks(vault); err == nil {
		vault = real
	}
	home := lookUp(env, "HOME")
	for range 4 { // a script, its interpreter, and a shim before each
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return own
		}
		own = append(own, path, findRoot(real, home, vault))
		for _, dir := range managers {
			if root := filepath.Join(home, dir); home != "" && (isBelow(path, root) || isBelow(real, root)) {
				own = append(own, root)
			}
		}
		interpreter := findInterpreter(real, env)
		if interpreter == "" {
			return own
		}
		if shells[filepath.Base(interpreter)] { // it starts other programs
			own = append(own, "/bin", "/usr/bin")
		}
		path = interpreter
	}
	return own
}

var shells = map[string]bool{"sh": true, "bash": true, "dash": true, "zsh": true, "ash": true}

// findRoot is the folder that holds all of a program: the outermost folder of packages
// of npm, the one above a folder bin, or its own. A folder that is the system's, the
// home folder or one above it is none, nor is one in which notes may lie: the vault, one above it, and one in it but for
// packages of npm. Then it is the file alone.
func findRoot(real, home, vault string) string {
	const packages = "/node_modules/"
	dir := filepath.Dir(real)
	if at := strings.Index(real, packages); at >= 0 {
		dir = real[:at+len(packages)-1]
	} else if filepath.Base(dir) == "bin" {
		dir = filepath.Dir(dir)
	}
	above := func(d string) bool {
		return d == "/" || home != "" && (d == home || isBelow(home, d)) || vault != "" && (d == vault || isBelow(vault, d))
	}
	hasNotes := vault != "" && isBelow(dir, vault) && filepath.Base(dir) != "node_modules"
	system := []string{"/bin", "/sbin", "/usr", "/usr/bin", "/usr/local", "/usr/local/bin", "/opt", "/snap/bin", "/tmp", "/var", filepath.Join(home, ".local"), filepath.Join(home, ".config")}
	if above(dir) || hasNotes || slices.Contains(system, dir) {
		return real
	}
	return dir
}

func isBelow(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// findInterpreter is the program that a script is started with; empty for other programs.
func findInterpreter(path string, env []string) string {
	name, byEnv := ReadInterpreter(path)
	if !byEnv {
		return name
	}
	for _, dir := range filepath.SplitList(lookUp(env, "PATH")) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// ReadInterpreter is the program that a script names in its first line, and whether env looks
// it up; empty for other programs.
func ReadInterpreter(path string) (name string, byEnv bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 256).ReadString('\n') // a program that is none has no such line
	rest, ok := strings.CutPrefix(line, "#!")
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 {
		return "", false
	}
	if filepath.Base(fields[0]) != "env" {
		return fields[0], false
	}
	for _, field := range fields[1:] {
		if !strings.HasPrefix(field, "-") && !strings.Contains(field, "=") {
			return field, true
		}
	}
	return "", false
}
