package agent

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// playDaemon is an agent that starts a child outside its group. Its arguments
// are the file for the child's process id, the way out, and what the agent does
// then.
func playDaemon() int {
	file, way, how := os.Args[1], os.Args[2], os.Args[3]
	attr := &syscall.SysProcAttr{Setsid: way == "a session of its own", Setpgid: way == "a group of its own"}
	role := "ignores TERM"
	if strings.Contains(how, "orphan") && len(os.Args) == 4 {
		// Once more, by a child that ends at once.
		again := exec.Command(os.Args[0], file, way, how, "between")
		if again.Run() != nil {
			return 9
		}
		fmt.Print("answer")
		return 0
	}
	child := exec.Command(os.Args[0], file)
	child.Env = append(os.Environ(), fake+"="+role)
	if strings.Contains(how, "without variables") {
		child.Env = []string{fake + "=" + role}
	}
	child.SysProcAttr = attr
	if child.Start() != nil {
		return 9
	}
	if strings.HasPrefix(how, "is cancelled") {
		<-time.After(time.Hour)
	}
	for data := []byte(nil); len(data) == 0; data, _ = os.ReadFile(file) {
		<-time.After(5 * time.Millisecond)
	}
	fmt.Print("answer")
	return 0
}
