// Package clients tells the agents of a person about our server of tools: [Install] writes one
// entry into the configuration of a client, [Uninstall] takes it out again.
//
// # Promises
//
// Nothing else in the file changes, not even its layout: what comes out is read again and
// compared, and a file that cannot be changed so is left alone. It is replaced in one step, a
// link by what it leads to, and what was there is kept beside it. An entry of our name that is
// a person's own is neither replaced nor taken out.
package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"vaultdispatcher/engine/files"
)

// Entry is the name of our entry.
const Entry = "vault-dispatcher"

// Names are the clients there are.
var Names = []string{"claude", "codex", "cursor", "vscode"}

// ErrUnknown says that there is no client of that name.
var ErrUnknown = errors.New("no such client")

// Manual says that a file cannot be changed without changing more.
type Manual struct {
	File string
	Err  error
}

func (m *Manual) Error() string { return fmt.Sprintf("%s cannot be changed safely: %v", m.File, m.Err) }
func (m *Manual) Unwrap() error { return m.Err }

// Done is what became of a client's file.
type Done struct {
	Client  string `json:"client"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Backup  string `json:"backup,omitempty"` // a copy of the file before
}

// fileOf returns the file where a client keeps its servers, and the key above them; without a key it is TOML.
func fileOf(client string) (file, key string, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", "", err
	}
	switch client {
	case "claude": // https://code.claude.com/docs/en/mcp
		return filepath.Join(folderOf("CLAUDE_CONFIG_DIR", home), ".claude.json"), "mcpServers", nil
	case "codex": // https://developers.openai.com/codex/mcp
		return filepath.Join(folderOf("CODEX_HOME", filepath.Join(home, ".codex")), "config.toml"), "", nil
	case "cursor": // https://cursor.com/docs/context/mcp
		return filepath.Join(home, ".cursor", "mcp.json"), "mcpServers", nil
	case "vscode": // https://code.visualstudio.com/docs/copilot/customization/mcp-servers
		config, err := os.UserConfigDir()
		return filepath.Join(config, "Code", "User", "mcp.json"), "servers", err
	}
	return "", "", ErrUnknown
}

func folderOf(variable, usual string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return usual
}

// ownPlaces are the variables that say where our folders are. Clients hand few variables on.
var ownPlaces = []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"}

// placesSet are those that are set, by their names.
func placesSet() map[string]string {
	set := make(map[string]string)
	for _, name := range ownPlaces {
		if value := os.Getenv(name); value != "" {
			set[name] = value
		}
	}
	return set
}

// Install has a client start a command with arguments as its server.
func Install(client, command string, args []string) (Done, error) {
	return changeFile(client, func(key string, text []byte) ([]byte, error) {
		if key == "" {
			return putTable(text, command, args)
		}
		return putEntry(text, key, command, args)
	})
}

// Uninstall takes the entry out.
func Uninstall(client string) (Done, error) {
	return changeFile(client, func(key string, text []byte) ([]byte, error) {
		if len(text) == 0 {
			return nil, nil
		}
		if key == "" {
			return dropTable(text)
		}
		return dropEntry(text, key)
	})
}

// Installed are the clients that have the entry.
func Installed() (names []string) {
	for _, client := range Names {
		file, key, err := fileOf(client)
		if err != nil {
			continue
		}
		text, err := readFile(file)
		if err == nil && hasEntry(text, key) {
			names = append(names, client)
		}
	}
	return names
}

func changeFile(client string, edit func(key string, text []byte) ([]byte, error)) (Done, error) {
	file, key, err := fileOf(client)
	if err != nil {
		return Done{}, err
	}
	file = files.FollowLinks(file)
	done, mode := Done{Client: client, File: file}, fs.FileMode(0o600)
	text, err := readFile(file)
	if err != nil {
		return done, err
	}
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if entry, there := entryOf(text, key); there && !isOurs(entry) {
		return done, &Manual{file, errOwn}
	}
	next, err := edit(key, text)
	if err != nil {
		return done, &Manual{file, err}
	}
	if slices.Equal(next, text) {
		return done, nil
	}
	if len(text) > 0 {
		if done.Backup, err = files.KeepCopy(file, text, mode); err != nil {
			return done, fmt.Errorf("keep a copy of %s: %w", file, err)
		}
	}
	done.Changed = true
	return done, files.Write(file, next, mode)
}

// readFile reads a client's file; one that is not there is empty. What could hang, or is a link
// to something that may come back, is no file to change.
func readFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(file); err == nil {
			return nil, &Manual{file, errors.New("it is a link that leads nowhere")}
		}
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, &Manual{file, errors.New("it is no regular file")}
	case err != nil:
		return nil, err
	}
	return os.ReadFile(file)
}

// hasEntry reports whether a file has our entry, or may have it where the file cannot be read.
func hasEntry(text []byte, key string) bool {
	if _, err := readAll(text, key); err != nil {
		return bytes.Contains(text, []byte(`"`+Entry+`"`)) || bytes.Contains(text, []byte(tomlPlace+"."+Entry))
	}
	entry, _ := entryOf(text, key)
	return isOurs(entry)
}

// errOwn means that the entry of this name was not written by this program.
var errOwn = errors.New("its entry " + Entry + " is your own; give it another name first")

// isOurs reports whether an entry is one that we have written: it starts a command with mcp.
func isOurs(entry any) bool {
	server, _ := entry.(map[string]any)
	command, _ := server["command"].(string)
	args, _ := server["args"].([]any)
	return command != "" && len(args) > 0 && args[0] == "mcp" && server["url"] == nil
}
