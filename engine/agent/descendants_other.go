//go:build unix && !linux

package agent

const marked = false

// process is one of the system's processes.
type process struct{ pid int }

// findDescendants returns nil: this system cannot name the processes that left the group.
func findDescendants(int, string, []process) []process { return nil }
