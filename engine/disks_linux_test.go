//go:build safety

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests mount file systems and so need root; .ci/safety runs them. Every
// one has an agent at work while its disk fails, and wants that the answer waits
// and is then written, without the agent being asked a second time.

func mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	if err := os.MkdirAll(target, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		t.Fatalf("mount %s: %v; this needs root", target, err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(target, syscall.MNT_DETACH) })
}

// remount makes a tmpfs writable or not.
func remount(t *testing.T, target string, flags uintptr, data string) {
	t.Helper()
	for range 6000 { // busy while a file is open for writing
		err := syscall.Mount("tmpfs", target, "tmpfs", syscall.MS_REMOUNT|flags, data)
		if err == nil {
			return
		}
		if err != syscall.EBUSY {
			t.Fatal(err)
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Fatalf("%s stays busy", target)
}

// fill takes all the room there is and returns what gives it back.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	name := filepath.Join(dir, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
}

// failing plays one failure: a question is with the agent, the disk fails, the
// agent answers, the disk heals.
func failing(t *testing.T, prepare func(t *testing.T, dir string), fails func(r *running) (heal func())) {
	t.Helper()
	dir := t.TempDir()
	prepare(t, dir)
	runner := &gate{open: make(chan struct{})}
	r := startEngine(t, dir, runner)
	r.save("n.md", question(1))
	for runner.runs.Load() == 0 {
		r.pause()
	}
	heal := fails(r)
	close(runner.open)
	<-time.After(3 * time.Second)
	heal()
	if got := r.until("n.md", answer(1)); strings.Count(got, "answer to") != 1 || strings.Contains(got, "@agent-") || !strings.HasSuffix(got, "\n\nend\n") {
		t.Errorf("in the end: %q", got)
	}
	if n := runner.runs.Load(); n != 1 {
		t.Errorf("the agent was asked %d times", n)
	}
	r.save("m.md", question(2))
	r.until("m.md", answer(2))
	r.stop()
	list, err := filepath.Glob(filepath.Join(dir, "vault", "*conflict*"))
	if err != nil || len(list) > 0 {
		t.Errorf("conflict copies: %q, %v", list, err)
	}
}

func TestDisks(t *testing.T) {
	small := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { mount(t, "tmpfs", filepath.Join(dir, name), "tmpfs", 0, "size=2m") }
	}
	t.Run("the journal's disk is full", func(t *testing.T) {
		failing(t, small("state"), func(r *running) func() { return fill(t, r.state) })
	})
	t.Run("the vault's disk is full", func(t *testing.T) {
		failing(t, small("vault"), func(r *running) func() { return fill(t, r.vault) })
	})
	t.Run("the vault is read-only", func(t *testing.T) {
		failing(t, small("vault"), func(r *running) func() {
			remount(t, r.vault, syscall.MS_RDONLY, "size=2m")
			return func() { remount(t, r.vault, 0, "size=2m") }
		})
	})
	t.Run("the vault is unmounted", func(t *testing.T) {
		failing(t, func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, "disk"), 0o700); err != nil {
				t.Fatal(err)
			}
			mount(t, filepath.Join(dir, "disk"), filepath.Join(dir, "vault"), "", syscall.MS_BIND, "")
		}, func(r *running) func() {
			if err := syscall.Unmount(r.vault, syscall.MNT_DETACH); err != nil {
				t.Fatal(err)
			}
			return func() {
				mount(t, filepath.Join(filepath.Dir(r.vault), "disk"), r.vault, "", syscall.MS_BIND, "")
			}
		})
	})
}

// With a journal that cannot be written from the start nobody is asked, and all
// are when it can.
func TestQuestionsWaitForTheJournal(t *testing.T) {
	dir := t.TempDir()
	mount(t, "tmpfs", filepath.Join(dir, "state"), "tmpfs", 0, "size=2m")
	runner := &echoes{}
	r := startEngine(t, dir, runner)
	free := fill(t, r.state)
	for i := range 5 {
		r.save(string(rune('a'+i))+".md", question(i))
	}
	for n := 0; n == 0; n, _ = r.vaults[0].Troubles.Any() { // a look could not be kept, or the meeting of the vault, for which all wait
		r.pause()
	}
	if n := runner.runs.Load(); n > 0 {
		t.Errorf("%d agents were asked that nobody will remember", n)
	}
	free()
	for i := range 5 {
		r.until(string(rune('a'+i))+".md", answer(i))
	}
	if n := runner.runs.Load(); n != 5 {
		t.Errorf("%d runs for 5 questions", n)
	}
}
