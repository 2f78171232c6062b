// Package rolefile copies the definition of a built-in role to where a person may change it: [Copy] is what
// `wiki agents add ROLE` does.
package rolefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoRole says that no role of that name is built in.
var ErrNoRole = errors.New("no such role is built in")

// Copy writes the built-in definition of a role into the folder agents beside the configuration file and returns where. It
// replaces nothing: the error is fs.ErrExist where a file is there already.
func Copy(builtin fs.FS, configFile, role string) (path string, err error) {
	name := "vault-mind-" + strings.ToLower(role) + ".md"
	text, err := fs.ReadFile(builtin, name)
	if err != nil || !fs.ValidPath(name) || strings.Contains(name, "/") {
		return "", ErrNoRole
	}
	folder := filepath.Join(filepath.Dir(configFile), "agents")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of roles: %w", err)
	}
	path = filepath.Join(folder, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return path, fmt.Errorf("copy the role: %w", err)
	}
	_, err = f.Write(text)
	return path, errors.Join(err, f.Close())
}

// Names returns the built-in roles, as they are spelled in a question.
func Names(builtin fs.FS) (names []string) {
	files, _ := fs.Glob(builtin, "vault-mind-*.md") // the pattern is right
	for _, f := range files {
		words := strings.Split(strings.TrimSuffix(strings.TrimPrefix(f, "vault-mind-"), ".md"), "-")
		for i, w := range words {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
		if name := strings.Join(words, "-"); name != "General" {
			names = append(names, name)
		}
	}
	return names
}
