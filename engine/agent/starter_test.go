//go:build linux || windows

package agent

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// starter is the variable that names the folder of the process to be killed.
const starter = "AGENT_TEST_STARTER"

// A process that is killed without a last word takes its agent with it, on Windows
// with all that the agent has started; and not before: threads that come and go
// while the agent runs do it no harm.
func TestAgentEndsWithItsStarter(t *testing.T) {
	if dir := os.Getenv(starter); dir != "" {
		start(t, dir)
		return
	}
	dir := t.TempDir()
	parent := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	// What the killed process cannot tidy up lies in our folder.
	parent.Env = append(os.Environ(), starter+"="+dir, "TMPDIR="+dir, "TMP="+dir)
	parent.Stdout, parent.Stderr = os.Stderr, os.Stderr
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	agent := pidIn(t, filepath.Join(dir, "agent"))
	pidIn(t, filepath.Join(dir, "churned"))
	if !alive(agent) {
		t.Error("the agent has ended before its starter")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	gone(t, agent)
}

// start runs an agent until this process is killed, and ends a few hundred
// threads meanwhile: a goroutine that ends while it has a thread ends that too.
func start(t *testing.T, dir string) {
	file, role := filepath.Join(dir, "agent"), "hang"
	if runtime.GOOS == "windows" {
		role = "leaves a child and hangs" // whose process id it is
	}
	var up sync.WaitGroup
	up.Go(func() { _, _ = fakeAgent(t, role, file).Run(t.Context(), Task{Root: dir}) })
	pidIn(t, file)
	for range 20 {
		var threads sync.WaitGroup
		for range 20 {
			threads.Go(runtime.LockOSThread)
		}
		threads.Wait()
	}
	leave(filepath.Join(dir, "churned"), os.Getpid())
	up.Wait()
}
