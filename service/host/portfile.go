package host

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/files"
)

// writePortFile writes the port file and returns what removes it. Only the engine that
// holds the lock of the state folder does either, but others read the file meanwhile:
// commands that wait for the engine, and the tray.
func writePortFile(state string, port int) (remove func() error, err error) {
	file := client.PortFile(state)
	if err := files.Write(file, []byte(strconv.Itoa(port)+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write the port file: %w", err)
	}
	return func() error {
		if err := files.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the port file: %w", err)
		}
		return nil
	}, nil
}
