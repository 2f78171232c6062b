package watch

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testmain"
)

var savesFlag = flag.Int("saves", 12_000, "how many saves are made while the watching process is stopped")

// childRoot names the vault for a process that only watches it.
const childRoot = "VAULT_WATCHED_BY_CHILD"

func TestMain(m *testing.M) {
	if root := os.Getenv(childRoot); root != "" {
		flag.Parse()
		if err := child(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(testmain.Run(m))
}

// child watches a vault and prints what it is told, with what it read, until its
// input ends.
func child(root string) error {
	w, err := New(Options{Root: root, Rescan: time.Hour})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-w.Ready()
		fmt.Println("ready")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // the end of the input is the message
		fmt.Println("overflows", w.Stats().Overflows)
		cancel()
	}()
	return w.Run(ctx, func(e Event) {
		text, err := os.ReadFile(filepath.Join(root, e.Path))
		if e.Kind == Removed || err != nil {
			fmt.Println("gone", e.Path)
			return
		}
		fmt.Printf("note %s %q\n", e.Path, text)
	})
}

// A process that is stopped cannot empty the kernel's queue, which overflows after
// some ten thousand saves. When it goes on, every one of them is found, and it is
// not deaf to folders that were made meanwhile.
func TestOverflowOfAStoppedProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("it saves more notes than a queue of the kernel holds; TestOverflowReported is its core")
	}
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "goes.md"), "before")
	for i := range 7 { // what is not watched fills no queue
		must(t, os.Mkdir(filepath.Join(root, fmt.Sprint("area ", i)), 0o755))
	}
	far := startChild(t, root)
	far.until(t, "ready", func() bool { return far.ready })

	must(t, far.cmd.Process.Signal(syscall.SIGSTOP))
	for i := range *savesFlag {
		write(t, filepath.Join(root, fmt.Sprintf("area %d/n%d.md", i%7, i%5000)), fmt.Sprint("during ", i))
	}
	write(t, filepath.Join(root, "made/sub/n.md"), "during")
	must(t, os.Remove(filepath.Join(root, "goes.md")))
	must(t, far.cmd.Process.Signal(syscall.SIGCONT))
	start := time.Now()
	far.mirrors(t, root)
	t.Logf("%d saves found %v after going on", *savesFlag, time.Since(start))

	write(t, filepath.Join(root, "made/sub/n.md"), "after")
	write(t, filepath.Join(root, "made/sub/m.md"), "after")
	far.mirrors(t, root)
	must(t, far.stdin.Close())
	<-far.read
	if err := far.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if far.overflows == 0 {
		t.Error("the queue did not overflow, so this proved nothing")
	}
}

// farVault is a vault as another process sees it.
type farVault struct {
	cmd   *exec.Cmd
	stdin io.Closer
	read  chan struct{} // closed at the end of the output

	mu        sync.Mutex // guards the fields below
	ready     bool
	seen      map[string]string
	overflows int
}

func startChild(t *testing.T, root string) *farVault {
	t.Helper()
	far := &farVault{cmd: exec.Command(os.Args[0]), read: make(chan struct{}), seen: make(map[string]string)}
	far.cmd.Env = append(os.Environ(), childRoot+"="+root)
	far.cmd.Stderr = os.Stderr
	stdin, err := far.cmd.StdinPipe()
	must(t, err)
	stdout, err := far.cmd.StdoutPipe()
	must(t, err)
	far.stdin = stdin
	must(t, far.cmd.Start())
	t.Cleanup(func() { far.cmd.Process.Kill() })
	go func() {
		defer close(far.read)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			far.heard(lines.Text())
		}
	}()
	return far
}

func (far *farVault) heard(line string) {
	far.mu.Lock()
	defer far.mu.Unlock()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "ready":
		far.ready = true
	case "gone":
		delete(far.seen, rest)
	case "overflows":
		fmt.Sscan(rest, &far.overflows)
	case "note":
		i := strings.LastIndex(rest, ` "`)
		var text string
		fmt.Sscanf(rest[i+1:], "%q", &text)
		far.seen[rest[:i]] = text
	}
}

func (far *farVault) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		far.mu.Lock()
		done := ok()
		far.mu.Unlock()
		if done {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not after %v", what, patience)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// mirrors waits until the other process has seen the vault as it is on disk.
func (far *farVault) mirrors(t *testing.T, root string) {
	t.Helper()
	disk := onDisk(t, root)
	far.until(t, fmt.Sprintf("%d notes as on disk", len(disk)), func() bool { return maps.Equal(disk, far.seen) })
}
