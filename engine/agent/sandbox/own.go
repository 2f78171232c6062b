package sandbox

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file finds the files that a program is made of.

// managers are the folders in which version managers keep what the programs in their
// own folders are started with.
var managers = []string{".volta", ".asdf", ".nvm", ".fnm", ".bun", ".deno", ".nodenv", "n", ".local/share/mise", ".local/share/fnm", ".local/share/pnpm",
	".local/share/claude", ".nix-profile", "Library/pnpm"}

// findOwnFiles returns the paths of a program: its own, the folder of its files, that of its package manager, and the
// same of its interpreter.
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

// findRoot returns the folder that holds all of a program: the outermost folder of packages of npm, the folder above
// a folder bin, or its own folder. It returns the file alone if that folder is the system's, the home folder or one
// above it, or may contain notes: the vault, a folder above it, and one in it except for packages of npm.
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
	return findInPath(name, env)
}

// findInPath is where a program of this name is; "" = nowhere.
func findInPath(name string, env []string) string {
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
	line, _ := bufio.NewReaderSize(f, 256).ReadString('\n') // other programs have no such line
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
