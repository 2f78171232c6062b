package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// folder is the name of our folder in each of the user's places.
const folder = "vault-dispatcher"

// Path returns where the configuration is when nobody says otherwise:
// config.yaml in $XDG_CONFIG_HOME/vault-dispatcher. Without that variable the
// system's own place is taken: ~/.config, ~/Library/Application Support on
// macOS, %AppData% on Windows.
//
// Here and below a variable that holds no absolute path is ignored, as its
// specification demands, and the folder may not exist: who writes creates it.
func Path() (string, error) {
	dir, err := place("XDG_CONFIG_HOME", configHome)
	if err != nil {
		return "", fmt.Errorf("finding the configuration folder: %w", err)
	}
	return filepath.Join(dir, "config.yaml"), nil
}

// StateDir returns where the engine keeps what must not be lost, such as the
// journal and the token: $XDG_STATE_HOME/vault-dispatcher, or ~/.local/state,
// ~/Library/Application Support on macOS, %LocalAppData% on Windows.
func StateDir() (string, error) {
	dir, err := place("XDG_STATE_HOME", stateHome)
	if err != nil {
		return "", fmt.Errorf("finding the state folder: %w", err)
	}
	return dir, nil
}

// CacheDir returns where the index of a vault is kept, one folder per vault:
// $XDG_CACHE_HOME/vault-dispatcher, or ~/.cache, ~/Library/Caches on macOS,
// %LocalAppData% on Windows. All of it may be deleted at any time.
func CacheDir(vaultPath string) (string, error) {
	dir, err := place("XDG_CACHE_HOME", cacheHome)
	if err != nil {
		return "", fmt.Errorf("finding the cache folder: %w", err)
	}
	sum := sha256.Sum256([]byte(filepath.Clean(vaultPath)))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])), nil
}

func place(variable string, own func() (string, error)) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, folder), nil
	}
	dir, err := own()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, folder), nil
}

// inHome returns a folder of the user's home.
func inHome(elem ...string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{home}, elem...)...), nil
}
