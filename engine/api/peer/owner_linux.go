package peer

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Owner finds the process that listens at an address: the socket's inode from
// sock_diag, then the process that holds it. The processes of other users can be
// seen by root only.
func Owner(addr netip.AddrPort) (int, string) {
	s, err := lookUpSocket(addr, netip.AddrPort{})
	if err != nil || s.inode == 0 {
		return 0, ""
	}
	want := fmt.Sprintf("socket:[%d]", s.inode)
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != want {
			continue
		}
		dir := filepath.Dir(filepath.Dir(link))
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		name, err := os.ReadFile(filepath.Join(dir, "comm"))
		if err != nil {
			return pid, fmt.Sprintf("process %d", pid)
		}
		return pid, fmt.Sprintf("%s (pid %d)", strings.TrimSpace(string(name)), pid)
	}
	return 0, fmt.Sprintf("a process of user %d", s.uid)
}
