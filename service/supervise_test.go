package service

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/files"
)

// newSupervisor returns one for a fake engine with these statuses, and the folder
// where the engine shows that it ran.
func newSupervisor(t *testing.T, statuses ...string) (supervisor, string, *text) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, out := t.TempDir(), new(text)
	spec := Spec{
		Program: program, Args: append([]string{dir}, statuses...), Env: map[string]string{role: "engine"},
		Final: []int{4, 5, 6}, Dir: filepath.Join(dir, "service"),
	}
	return supervisor{spec: spec, dir: spec.Dir, output: out, first: time.Millisecond}, dir, out
}

func (s supervisor) file() string { return filepath.Join(s.dir, supervisorName) }

// text is what a supervisor says, for two goroutines.
type text struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (s *text) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *text) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestSuperviseUntilItEnds(t *testing.T) {
	for _, c := range []struct {
		statuses []string
		runs     int
	}{
		{[]string{"0"}, 1},
		{[]string{"4"}, 1},
		{[]string{"6"}, 1},
		{[]string{"1", "2", "0"}, 3},
		{[]string{"1", "5"}, 2},
	} {
		s, dir, out := newSupervisor(t, c.statuses...)
		if err := s.keepRunning(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := count(dir); got != c.runs {
			t.Errorf("statuses %v: ran %d times, not %d", c.statuses, got, c.runs)
		}
		if got := strings.Count(out.String(), "started again"); got != c.runs-1 {
			t.Errorf("statuses %v: said %d times that it starts again: %s", c.statuses, got, out)
		}
		if exists(s.file()) {
			t.Errorf("statuses %v: the supervisor left its file", c.statuses)
		}
	}
}

func TestSuperviseEnds(t *testing.T) {
	for name, c := range map[string]struct {
		status string
		begun  func(dir string, out *text) bool
		end    func(s supervisor, cancel func()) error
	}{
		"told while it waits": {
			status: "1",
			begun:  func(_ string, out *text) bool { return strings.Contains(out.String(), "started again") },
			end:    func(s supervisor, _ func()) error { return dropFile(s.file()) },
		},
		"told when the engine has just begun": {
			status: "stay",
			begun:  func(dir string, _ *text) bool { return exists(filepath.Join(dir, "alive")) },
			end:    func(s supervisor, _ func()) error { return dropFile(s.file()) },
		},
		"signal": {
			status: "stay",
			begun:  func(dir string, _ *text) bool { return exists(filepath.Join(dir, "alive")) },
			end:    func(_ supervisor, cancel func()) error { cancel(); return nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir, out := newSupervisor(t, c.status)
			s.first = time.Hour
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- s.keepRunning(ctx) }()
			eventually(t, "the supervisor is where it should be", func() bool { return c.begun(dir, out) })
			if err := c.end(s, cancel); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Fatal("the supervisor did not end")
			}
			if exists(s.file()) {
				t.Error("the supervisor left its file")
			}
			if count(dir) != 1 {
				t.Errorf("the engine was started %d times", count(dir))
			}
		})
	}
}

// TestSuperviseOnce holds that there is one supervisor, and that it is seen.
func TestSuperviseOnce(t *testing.T) {
	s, dir, out := newSupervisor(t, "stay")
	seen := supervised{spec: s.spec}
	if seen.supervisorLives() {
		t.Error("a supervisor is seen before there is one")
	}
	if err := s.spec.saveSettings(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- Supervise(t.Context(), s.spec.settingsFile(), out) }()
	eventually(t, "the engine runs", func() bool { return exists(filepath.Join(dir, "alive")) })
	if !seen.supervisorLives() {
		t.Error("the supervisor is not seen")
	}
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // or it waits for the first to end
	defer cancel()
	if err := Supervise(soon, s.spec.settingsFile(), out); err != nil || !strings.Contains(out.String(), "another supervisor is at work") {
		t.Errorf("a second supervisor: %v, %s", err, out)
	}
	if err := dropFile(s.file()); err != nil { // as who ends it does: on Windows it may be read at this moment
		t.Fatal(err)
	}
	if err := <-ended; err != nil || count(dir) != 1 || seen.supervisorLives() {
		t.Errorf("error %v, %d runs, still seen %v", err, count(dir), seen.supervisorLives())
	}
}

// What one process reads another can write and take away.
func TestFilesAreRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "service", supervisorName)
	read := func() {
		t.Helper()
		reader, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Millisecond, func() { reader.Close() })
	}
	for _, step := range []struct {
		what  string
		do    func() error
		there bool
	}{
		{"written", func() error { return files.Write(file, []byte("1\n"), 0o600) }, true},
		{"written anew", func() error { read(); return files.Write(file, []byte("2\n"), 0o600) }, true},
		{"taken away", func() error { read(); return dropFile(file) }, false},
		{"taken away again", func() error { return dropFile(file) }, false},
	} {
		if err := step.do(); err != nil || exists(file) != step.there {
			t.Errorf("%s: %v, it is there: %v", step.what, err, exists(file))
		}
	}
}

func TestSuperviseNeedsSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	if err := Supervise(t.Context(), file, new(text)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without settings: %v", err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Supervise(t.Context(), file, new(text)); err == nil {
		t.Error("with broken settings: no error")
	}
}

func TestNextDelay(t *testing.T) {
	var got []time.Duration
	var delay time.Duration
	for _, lived := range []time.Duration{0, time.Second, 0, 0, 0, 0, 0, time.Hour, 0} {
		delay = nextDelay(delay, 2*time.Second, lived)
		got = append(got, delay/time.Second)
	}
	if want := []time.Duration{2, 4, 8, 16, 32, 60, 60, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("the delays are %d, not %d", got, want)
	}
}
