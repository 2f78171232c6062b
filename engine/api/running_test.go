package api

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/assets"
)

const testToken = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// running is a server on a real port.
type running struct {
	*Server
	backend *fake
	port    int
	stop    func() error
}

// start runs a server with one vault of two notes until the test ends.
func start(t testing.TB, change ...func(*Server)) *running {
	t.Helper()
	vault := realDir(t)
	for _, name := range []string{"note.md", "sub/other.md"} {
		write(t, filepath.Join(vault, name))
	}
	backend := &fake{roots: []Root{{Name: "v", Path: vault}}, down: make(chan struct{})}
	s := NewServer(backend, testToken, slog.New(slog.DiscardHandler))
	s.scans = limiter{perSecond: 1e6, burst: 1e6}
	s.UsePages(assets.Web(), nil)
	s.UseTools(toolsOf("plain"))
	// A busy machine may stop a test for seconds; tests of time set their own.
	s.limits.header, s.limits.read, s.limits.write = 30*time.Second, 30*time.Second, 30*time.Second
	for _, c := range change {
		c(s)
	}
	ln, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, ln) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return &running{s, backend, ln.Addr().(*net.TCPAddr).Port, stop}
}

func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t testing.TB, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// answer is a response taken apart.
type answer struct {
	status int
	header http.Header
	code   string
	body   map[string]any
}

// raw sends bytes as they are, PORT replaced, and reads one answer.
func (r *running) raw(t testing.TB, request string) answer {
	t.Helper()
	conn, err := net.Dial("tcp4", r.host())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "PORT", r.portText())); err != nil {
		t.Logf("write: %v", err) // the server may have hung up already
	}
	return readAnswer(t, conn)
}

func readAnswer(t testing.TB, conn net.Conn) answer {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("read the answer: %v", err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &a.body); err != nil {
			t.Fatalf("status %d: body is not JSON: %q", a.status, text)
		}
		a.code, _ = a.body["code"].(string)
	}
	return a
}

func (r *running) host() string     { return "127.0.0.1:" + r.portText() }
func (r *running) portText() string { return strconv.Itoa(r.port) }

// patience is how long a test waits for what takes milliseconds on an idle
// machine: others may have this one.
const patience = time.Minute

// waitFor polls until a condition holds, for as long as patience lasts.
func waitFor(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
		<-time.After(time.Millisecond)
	}
}
