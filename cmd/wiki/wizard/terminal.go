package wizard

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync/atomic"
)

// terminal is standard input line by line, which ends when its context does: a read
// of a terminal cannot be cancelled, so it happens elsewhere and is left behind.
type terminal struct {
	ctx   context.Context
	file  *os.File
	lines chan string
	rest  string
	dead  atomic.Bool
}

func newTerminal(ctx context.Context, file *os.File) *terminal {
	return &terminal{ctx: ctx, file: file}
}

// hasEnded reports whether the person at the terminal has left.
func (t *terminal) hasEnded() bool { return t.dead.Load() || t.ctx.Err() != nil }

// Read implements [io.Reader]; it returns one line at most.
func (t *terminal) Read(p []byte) (int, error) {
	if t.lines == nil { // only now: the other forms read the terminal themselves
		t.lines = make(chan string)
		go t.readLines()
	}
	if t.rest == "" {
		select {
		case <-t.ctx.Done():
			return 0, io.EOF
		case line, ok := <-t.lines:
			if !ok {
				t.dead.Store(true)
				return 0, io.EOF
			}
			t.rest = line
		}
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// readLines ends with the input, or with the program.
func (t *terminal) readLines() {
	defer close(t.lines)
	in := bufio.NewReader(t.file)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			select {
			case t.lines <- line:
			case <-t.ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}
