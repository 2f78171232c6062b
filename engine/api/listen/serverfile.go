package listen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"vaultdispatcher/engine/files"
)

const serverFile = ".vault-mind/server.json"

// serverInfo is what clients find in a vault.
type serverInfo struct {
	Port int `json:"port"`
}

// WriteServerFile tells clients that look into a vault where the server is. A file that
// says so already is left alone, since sync programs carry every write. A vault
// that cannot be written to is no error: such a client then has to learn the port in
// another way.
func WriteServerFile(root string, port int) error {
	if namesPort(root, port) {
		return nil
	}
	text, err := json.Marshal(serverInfo{Port: port})
	if err == nil {
		err = files.WriteInside(root, serverFile, append(text, '\n'), 0o644)
	}
	if err != nil && !isReadOnly(err) {
		return fmt.Errorf("write server.json: %w", err)
	}
	return nil
}

// namesPort reports whether the file in a vault says this port.
func namesPort(root string, port int) bool {
	vault, err := os.OpenRoot(root)
	if err != nil {
		return false
	}
	defer vault.Close()
	if there, err := vault.Lstat(serverFile); err != nil || !there.Mode().IsRegular() {
		return false // a pipe would keep us waiting
	}
	var info serverInfo
	text, err := vault.ReadFile(serverFile)
	return err == nil && json.Unmarshal(text, &info) == nil && info.Port == port
}

// RemoveServerFile takes the file back, unless another engine has written its
// own port there since.
func RemoveServerFile(root string, port int) error {
	vault, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("remove server.json: %w", err)
	}
	defer vault.Close()
	if there, err := vault.Lstat(serverFile); err == nil && !there.Mode().IsRegular() {
		return nil // not ours, and a pipe would keep us waiting
	}
	text, err := vault.ReadFile(serverFile)
	var info serverInfo
	if err == nil && (json.Unmarshal(text, &info) != nil || info.Port != port) {
		return nil
	}
	if err == nil {
		err = vault.Remove(serverFile)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !isReadOnly(err) {
		return fmt.Errorf("remove server.json: %w", err)
	}
	return nil
}

func isReadOnly(err error) bool {
	const writeProtect = syscall.Errno(19) // ERROR_WRITE_PROTECT
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || runtime.GOOS == "windows" && errors.Is(err, writeProtect)
}
