// Package place tells where a person's configuration, state and cache are: in the places that the system or the XDG variables
// name. It makes no folder.
package place

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// folder is our folder's name in each of the user's places.
const folder = "vault-dispatcher"

// ConfigFile returns the default place of the configuration: config.yaml in
// $XDG_CONFIG_HOME/vault-dispatcher. Without that variable it is in the system's
// own place: ~/.config, ~/Library/Application Support on macOS, %AppData% on
// Windows.
//
// Here and below, a variable that holds no absolute path is ignored, as the XDG
// specification demands (https://specifications.freedesktop.org/basedir/latest/).
// The folder may be missing: the first write creates it.
func ConfigFile() (string, error) {
	dir, err := findPlace("configuration", "XDG_CONFIG_HOME", os.UserConfigDir, ".config")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "config.yaml"), nil
}

// StateDir returns where the engine keeps what must not be lost, such as the
// journal and the token: $XDG_STATE_HOME/vault-dispatcher, or ~/.local/state,
// ~/Library/Application Support on macOS, %LocalAppData% on Windows.
func StateDir() (string, error) {
	system := os.UserCacheDir // of Windows
	if runtime.GOOS == "darwin" {
		system = os.UserConfigDir
	}
	return findPlace("state", "XDG_STATE_HOME", system, ".local", "state")
}

// CacheDir returns where the index of a vault is kept, one folder per vault:
// $XDG_CACHE_HOME/vault-dispatcher, or ~/.cache, ~/Library/Caches on macOS,
// %LocalAppData% on Windows. All of it may be deleted at any time.
func CacheDir(vaultPath string) (string, error) {
	dir, err := findPlace("cache", "XDG_CACHE_HOME", os.UserCacheDir, ".cache")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(filepath.Clean(vaultPath)))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])), nil
}

// findPlace returns our folder in the place that a variable names. Without the
// variable the system names it on macOS and Windows, and elsewhere it is a folder
// of the home.
func findPlace(what, variable string, system func() (string, error), elem ...string) (string, error) {
	dir, err := os.Getenv(variable), error(nil)
	switch {
	case filepath.IsAbs(dir):
	case runtime.GOOS == "darwin" || runtime.GOOS == "windows":
		dir, err = system()
	default:
		dir, err = InHome(elem...)
	}
	if err == nil && !filepath.IsAbs(dir) { // it would be another one in each folder that a command is typed in
		err = errRelative
	}
	if err != nil {
		return "", &NoPlace{name: what, cause: err}
	}
	return filepath.Join(dir, folder), nil
}

// NoPlace says that the environment does not tell where one of our folders is.
type NoPlace struct {
	name  string
	cause error
}

func (n *NoPlace) Error() string {
	why := "is not set"
	if errors.Is(n.cause, errRelative) {
		why = "is no absolute path"
	}
	return fmt.Sprintf("nothing says where the %s folder is: %s %s", n.name, strings.ReplaceAll(homeVariables(), ", ", " or "), why)
}

var errRelative = errors.New("the folder is not an absolute path")

func (n *NoPlace) Unwrap() error { return n.cause }

// Hint is the next step.
func (n *NoPlace) Hint() string {
	return "set " + homeVariables() + " as a login does, or XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME to folders of yours (absolute paths)"
}

// homeVariables are what says where a user's folders are.
func homeVariables() string {
	if runtime.GOOS == "windows" {
		return "AppData, LocalAppData"
	}
	return "HOME"
}

// InHome returns a folder of the user's home.
func InHome(elem ...string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{home}, elem...)...), nil
}
