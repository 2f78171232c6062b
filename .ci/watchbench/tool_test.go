//go:build peers

package watchbench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience is how long a tool may take to become ready, and ours to report a save.
const patience = 3 * time.Minute

// lossLimit returns how long a save may take to be reported before it counts as lost. A lost
// one of ours is a failure, so on a busy machine it is not taken for one too soon.
func lossLimit(name string, others time.Duration) time.Duration {
	if isOurs(name) {
		return patience
	}
	return others
}

// tool is one watcher at work, in a process of its own.
type tool struct {
	cmd   *exec.Cmd
	ready time.Duration
	used  time.Duration // of CPU until then
	began chan struct{} // closed when ready and used are set
	ended chan struct{} // closed when it prints no more

	mu   sync.Mutex // guards seen: when each path was reported
	seen map[string][]time.Time
}

// startTool runs the watcher called name on root and returns when it is ready.
// Interval is that of chokidar when it polls.
func (b *bench) startTool(name, root string, interval time.Duration) (*tool, error) {
	var cmd *exec.Cmd
	script := filepath.Join(b.npm, "watch.js")
	switch name {
	case parcel:
		cmd = exec.Command("node", script, "parcel", root)
	case chokidar:
		cmd = exec.Command("node", script, "chokidar", root)
	case chokidarPol:
		cmd = exec.Command("node", script, "chokidar-poll", root, strconv.FormatInt(interval.Milliseconds(), 10))
	default:
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd = exec.Command(self, "-child", name, root)
	}
	return launchTool(cmd)
}

func launchTool(cmd *exec.Cmd) (*tool, error) {
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t := &tool{cmd: cmd, began: make(chan struct{}), ended: make(chan struct{}), seen: make(map[string][]time.Time)}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go t.readReports(bufio.NewScanner(out))
	select {
	case <-t.began:
		return t, nil
	case <-t.ended:
	case <-time.After(patience):
	}
	t.stop()
	return nil, fmt.Errorf("%s did not become ready", strings.Join(cmd.Args, " "))
}

func (t *tool) readReports(lines *bufio.Scanner) {
	defer close(t.ended)
	for lines.Scan() {
		now, line := time.Now(), lines.Text()
		if ms, ok := strings.CutPrefix(line, "ready "); ok {
			took, used, _ := strings.Cut(ms, " ")
			t.ready, t.used = fromMillis(took), fromMillis(used)
			close(t.began)
			continue
		}
		t.mu.Lock()
		t.seen[line] = append(t.seen[line], now)
		t.mu.Unlock()
	}
}

func fromMillis(s string) time.Duration {
	ms, _ := strconv.ParseFloat(s, 64)
	return time.Duration(ms * float64(time.Millisecond))
}

// stop ends the watcher, also one that is stopped by a signal.
func (t *tool) stop() {
	t.cmd.Process.Kill()
	<-t.ended
	t.cmd.Wait() // it was killed, which is no news
}

func (t *tool) signal(s syscall.Signal) error { return t.cmd.Process.Signal(s) }

// countLost waits until every save was reported after it began, and returns how many
// were not within the time, and when the last of the others was.
func (t *tool) countLost(saves map[string]time.Time, within time.Duration) (n int, last time.Time) {
	for end := time.Now().Add(within); ; time.Sleep(5 * time.Millisecond) {
		n, last = 0, time.Time{}
		t.mu.Lock()
		for path, at := range saves {
			seen := t.firstReport(path, at)
			if seen.IsZero() {
				n++
			} else if seen.After(last) {
				last = seen
			}
		}
		t.mu.Unlock()
		if n == 0 || time.Now().After(end) {
			return n, last
		}
	}
}

// firstReport returns when path was first reported after a time, or zero; the caller holds mu.
func (t *tool) firstReport(path string, at time.Time) time.Time {
	for _, seen := range t.seen[path] {
		if seen.After(at) {
			return seen
		}
	}
	return time.Time{}
}

// listDelays returns how long after each save it was reported, in order; those that
// were not are left out.
func (t *tool) listDelays(saves map[string]time.Time) []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []time.Duration
	for path, at := range saves {
		if seen := t.firstReport(path, at); !seen.IsZero() {
			list = append(list, seen.Sub(at))
		}
	}
	slices.Sort(list)
	return list
}

// readMemory returns the resident set in MB.
func (t *tool) readMemory() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseFloat(kb, 64)
	return n / 1024, err
}

// readCPU returns the CPU time used so far, to 10 ms.
func (t *tool) readCPU() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("cannot read %s", stat)
	}
	return time.Duration(user+system) * 10 * time.Millisecond, nil
}
