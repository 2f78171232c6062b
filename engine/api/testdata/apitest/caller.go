package apitest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const Token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func RealDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func WriteNote(t testing.TB, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Caller asks the server of a port.
type Caller struct{ Port int }

// Serve runs a server on a free port until the test ends.
func Serve(t testing.TB, run func(context.Context, net.Listener) error) (c *Caller, stop func() error) {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, ln) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return &Caller{ln.Addr().(*net.TCPAddr).Port}, stop
}

// Reply is a response taken apart.
type Reply struct {
	Status int
	Header http.Header
	Code   string
	Body   map[string]any
}

// Raw sends bytes as they are, PORT replaced, and reads one answer.
func (r *Caller) Raw(t testing.TB, request string) Reply {
	t.Helper()
	conn, err := net.Dial("tcp4", r.Host())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(Patience))
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "PORT", r.PortText())); err != nil {
		t.Logf("write: %v", err) // the server may have hung up already
	}
	return ReadReply(t, conn)
}

func ReadReply(t testing.TB, conn net.Conn) Reply {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("read the answer: %v", err)
	}
	defer resp.Body.Close()
	a := Reply{Status: resp.StatusCode, Header: resp.Header}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	if len(text) > 0 && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") {
		if err := json.Unmarshal(text, &a.Body); err != nil {
			t.Fatalf("status %d: body is not JSON: %q", a.Status, text)
		}
		a.Code, _ = a.Body["code"].(string)
	}
	return a
}

func (r *Caller) Base() string     { return "http://" + r.Host() }
func (r *Caller) Host() string     { return "127.0.0.1:" + r.PortText() }
func (r *Caller) PortText() string { return strconv.Itoa(r.Port) }

// Patience is how long a test waits for what takes milliseconds on an idle
// machine: others may have this one.
const Patience = time.Minute

// WaitFor polls until a condition holds, for as long as patience lasts.
func WaitFor(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
		<-time.After(time.Millisecond)
	}
}

// Follow opens a stream with the headers of a call.
func (r *Caller) Follow(t *testing.T, headers map[string]string) (*bufio.Reader, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp4", r.Host())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(Patience))
	if _, err := io.WriteString(conn, strings.ReplaceAll(Request("GET", "/vault-mind/events", headers, ""), "PORT", r.PortText())); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(resp.Body), resp
}

// NextEvent reads one event; its name is empty for what has none.
func NextEvent(t *testing.T, stream *bufio.Reader) (name, data string) {
	t.Helper()
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatalf("read the stream: %v", err)
		}
		if line == "\n" {
			return name, data
		}
		if value, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(value)
		}
		if value, ok := strings.CutPrefix(line, "data: "); ok {
			data += value
		}
	}
}

var (
	AsJSON = map[string]string{"Content-Type": "application/json"}
	AsForm = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	AsText = map[string]string{"Content-Type": "text/plain"}
	Bearer = map[string]string{"Authorization": "Bearer " + Token}
)

// Request writes a request; a header with an empty value is left out.
func Request(method, path string, headers map[string]string, body string) string {
	all := map[string]string{"Host": "127.0.0.1:PORT"}
	maps.Copy(all, headers)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	for name, value := range all {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	return b.String() + "\r\n" + body
}

// Joined puts the headers of several groups together; the later ones win.
func Joined(groups ...map[string]string) map[string]string {
	all := make(map[string]string)
	for _, g := range groups {
		maps.Copy(all, g)
	}
	return all
}
