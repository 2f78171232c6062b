package client

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PortFile is the file in a state folder that says on which port the engine runs that
// uses this folder. It is there while that engine runs, and stays behind after a
// crash; so it is a hint, and nothing is believed before an engine answers.
func PortFile(state string) string { return filepath.Join(state, "port") }

// ReadPortFile returns the port in that file; 0 = none.
func ReadPortFile(state string) int {
	text, err := os.ReadFile(PortFile(state))
	if err != nil {
		return 0
	}
	port, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || port < 1 || port > 65535 {
		return 0
	}
	return port
}
