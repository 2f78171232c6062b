package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"

	"vaultdispatcher/engine/wording"
)

const (
	maxLine   = 10 << 20 // the library takes no longer one
	maxQueued = 256      // the library holds 1024 updates and hangs up on one more
	pause     = time.Millisecond
	mostWait  = time.Second
)

// lines passes the messages of an agent on, one line a read, and skips other lines: programs greet, warn, log and
// announce updates on standard output. It keeps the last skipped line, and does not run ahead of the code that
// handles the updates.
type lines struct {
	signal  chan struct{}
	scanner *bufio.Scanner
	rest    []byte
	updates int
	handled func() int
	isHeard func() bool // whether the last response has reached who waits for it
	answers bool        // the last message is a response

	mu    sync.Mutex // guards noise
	noise string
}

func newLines(out io.Reader, handled func() int, isHeard func() bool) *lines {
	in := bufio.NewScanner(out)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	return &lines{signal: make(chan struct{}), scanner: in, handled: handled, isHeard: isHeard}
}

// begin lets the first read go on.
func (l *lines) begin() { close(l.signal) }

// lastNonMessage is the last line that was no message.
func (l *lines) lastNonMessage() string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.noise
}

func (l *lines) Read(p []byte) (int, error) {
	<-l.signal
	for len(l.rest) == 0 {
		if !l.scanner.Scan() {
			l.awaitHearing()
			if err := l.scanner.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		line := bytes.TrimSpace(l.scanner.Bytes())
		switch {
		case isMessage(line):
			l.awaitUpdates(line)
			l.answers = !bytes.Contains(line, []byte(`"method"`))
			l.rest = append(append(l.rest, line...), '\n')
		case len(line) > 0:
			l.answers = l.answers && (line[0] != '{' || json.Valid(line)) // else it is a message that was cut
			l.mu.Lock()
			l.noise = wording.Clip(string(line[:min(len(line), 4096)]))
			l.mu.Unlock()
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// awaitHearing waits, at the end of the agent's output, until the caller has the last response: the library drops the
// response when it sees the end. A response without a waiting caller costs a second.
func (l *lines) awaitHearing() {
	for waited := time.Duration(0); l.answers && !l.isHeard() && waited < mostWait; waited += pause {
		time.Sleep(pause)
	}
}

// isMessage reports whether a line is a message of JSON-RPC 2.0, which says so of itself (https://www.jsonrpc.org/specification). A log
// may be JSON too, with an id of its own (https://github.com/benchflow-ai/benchflow/issues/236).
func isMessage(line []byte) bool {
	var m struct {
		Version string `json:"jsonrpc"`
	}
	return bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &m) == nil && m.Version == "2.0"
}

// awaitUpdates waits while too many updates are on their way, and before a question for leave while any is: what was said before it is
// heard before it. One that is never handled because it cannot be read costs a second once.
func (l *lines) awaitUpdates(line []byte) {
	most := maxQueued
	switch {
	case bytes.Contains(line, []byte(`"session/update"`)):
		l.updates++
	case bytes.Contains(line, []byte(`"session/request_permission"`)):
		most = 0
	default:
		return
	}
	for waited := time.Duration(0); l.updates-l.handled() > most; waited += pause {
		if waited >= mostWait {
			l.updates = l.handled()
			return
		}
		time.Sleep(pause)
	}
}
