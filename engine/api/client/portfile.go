package client

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PortFile returns the file in a state folder that names the port of the engine with this folder. The file exists
// while that engine runs, and remains after a crash. So it is a hint, and only an answer of the engine proves it.
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
