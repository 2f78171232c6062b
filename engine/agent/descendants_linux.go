package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// marked says that a run's processes can be told by a variable they inherit.
const marked = true

// process is one of the system's processes. The time it was started tells it from
// a later one with its number.
type process struct {
	pid     int
	started string
}

// findDescendants returns the processes that belong to a run: those with its mark, those known already, the living
// descendants of the leader unless it is 0, and their descendants. The mark finds a process that left the group and
// lost its parent. The parents find one that dropped its variables.
//
// The alternative is to have this process adopt orphans. That is a property of the whole engine: it could not tell
// the orphans of three agents apart, and it would have to collect all of them.
func findDescendants(leader int, mark string, known []process) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []process
	own, parents, member := os.Getpid(), make(map[int]int), make(map[int]bool)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == own {
			continue
		}
		p, parent, alive := readProcess(pid)
		if !alive {
			continue
		}
		variables, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		parents[pid], all = parent, append(all, p)
		member[pid] = pid == leader || slices.Contains(known, p) || bytes.Contains(variables, []byte(mark))
	}
	for grown := true; grown; {
		grown = false
		for pid, parent := range parents {
			if !member[pid] && member[parent] {
				member[pid], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(all, func(p process) bool { return !member[p.pid] || p.pid == leader })
}

// readProcess reads what a process is, and who it was started by or belongs to since;
// false when it has ended.
func readProcess(pid int) (p process, parent int, alive bool) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	// The name in front may hold anything, parentheses too.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	const state, ppid, start = 0, 1, 19
	if err != nil || len(fields) <= start || fields[state] == "Z" || fields[state] == "X" {
		return process{}, 0, false
	}
	parent, err = strconv.Atoi(fields[ppid])
	return process{pid, fields[start]}, parent, err == nil
}
