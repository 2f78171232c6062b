package agent

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"
)

// programOf is the program of a fake agent.
func programOf(t *testing.T, role string, args ...string) Program {
	t.Helper()
	c := fakeAgent(t, role, args...)
	return Program{Path: c.Argv[0], Args: c.Argv[1:], Dir: t.TempDir(), Env: c.Env, Timeout: c.Timeout}
}

// everything says a line and reads until the program says no more.
func everything(text *string) func(context.Context, io.WriteCloser, io.Reader) error {
	return func(_ context.Context, in io.WriteCloser, out io.Reader) error {
		_, err := io.WriteString(in, "hello\n")
		if err == nil {
			err = in.Close()
		}
		if err == nil {
			var data []byte
			data, err = io.ReadAll(out)
			*text = string(data)
		}
		return err
	}
}

func TestTalk(t *testing.T) {
	t.Parallel()
	var text string
	if _, err := programOf(t, "echo").Talk(t.Context(), everything(&text)); err != nil || text != "hello\n" {
		t.Errorf("%q, %v", text, err)
	}
	wrong := errors.New("not what was expected")
	talk := func(context.Context, io.WriteCloser, io.Reader) error { return wrong }
	if _, err := programOf(t, "hang").Talk(t.Context(), talk); err != wrong {
		t.Errorf("a talk that fails: %v", err)
	}
	if ended, err := programOf(t, "exit 3").Talk(t.Context(), everything(&text)); ended.Status != 3 || ended.Detail() != "the last line" {
		t.Errorf("status %d %q, %v", ended.Status, ended.Detail(), err)
	}
	_, err := Program{Path: "no-such-agent", Dir: t.TempDir()}.Talk(t.Context(), talk)
	if missing, ok := errors.AsType[*NotFound](err); !ok || missing.Program != "no-such-agent" {
		t.Errorf("a program that is not there: %v", err)
	}
}

// A program whose conversation was cancelled is given no time to go on. No other test may run
// meanwhile.
func TestTalkCancelled(t *testing.T) {
	usual := lastWords
	defer func() { lastWords = usual }()
	lastWords = 24 * time.Hour
	_, err := programOf(t, "hang").Talk(t.Context(), func(context.Context, io.WriteCloser, io.Reader) error { return context.Canceled })
	if err != context.Canceled {
		t.Error(err)
	}
}

// TestTooLateToBegin: a machine so slow that the time is over before the program has
// begun is no program that cannot be started.
func TestTooLateToBegin(t *testing.T) {
	t.Parallel()
	late := programOf(t, "hang")
	late.Timeout = time.Nanosecond
	for range 20 {
		_, err := late.Talk(t.Context(), func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
			_, err := io.Copy(io.Discard, out)
			return err
		})
		if f, ok := errors.AsType[*Failure](err); !ok || f.Kind != Transient || !errors.Is(err, errTimeout) {
			t.Fatal(err)
		}
	}
}

// TestTalkEnds ends conversations from outside while they wait for a word: also
// where a child of the program holds its output and will not end.
func TestTalkEnds(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"hang", "ignores TERM", "leaves a child and hangs"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			listen := func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
				_, err := io.Copy(io.Discard, bufio.NewReader(out))
				return err
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				_, err := programOf(t, role, file).Talk(ctx, listen)
				done <- err
			}()
			pid := pidIn(t, file)
			cancel()
			if err := <-done; err != context.Canceled {
				t.Errorf("cancelled: %v", err)
			}
			gone(t, pid)

			late := programOf(t, role)
			late.Timeout = 200 * time.Millisecond
			_, err := late.Talk(t.Context(), listen)
			if f, ok := errors.AsType[*Failure](err); !ok || f.Kind != Transient || !errors.Is(err, errTimeout) {
				t.Errorf("too late: %v", err)
			}
		})
	}
}
