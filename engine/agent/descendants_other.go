//go:build unix && !linux

package agent

const marked = false

// process is one of the system's processes.
type process struct{ pid int }

// findDescendants finds nobody: what has left the group cannot be told here.
func findDescendants(int, string, []process) []process { return nil }
