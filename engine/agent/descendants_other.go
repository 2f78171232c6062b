//go:build unix && !linux

package agent

const marked = false

// process is one of the system's processes.
type process struct{ pid int }

// descendants finds nobody: what has left the group cannot be told here.
func descendants(int, string, []process) []process { return nil }
