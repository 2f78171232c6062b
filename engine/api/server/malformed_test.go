package server

import (
	"flag"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/testdata/testseed"
)

var (
	malformedCount = flag.Int("api.malformed", 1000, "random malformed requests")
)

var statusLine = regexp.MustCompile(`(?m)^HTTP/1\.[01] (\d{3}) `)

// Requests with bytes written over, lost, doubled and out of place: the server
// fails at none, hangs on none, and goes on serving.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	seed := testseed.Take(t)
	r := start(t, func(s *Server) { s.limits.header, s.limits.read = 3*time.Second, 3*time.Second })
	valid := []string{
		apitest.Request("GET", "/vault-mind/status", nil, ""),
		apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`),
		apitest.Request("POST", "/vault-mind/scan", apitest.AsForm, "file=note.md"),
		apitest.Request("POST", "/vault-mind/watcher", apitest.Joined(apitest.Bearer, apitest.AsJSON), `{"running":true,"for":"1h"}`),
		apitest.Request("GET", "/vault-mind/search?q=words&limit=3", apitest.Bearer, ""),
		apitest.Request("GET", "/vault-mind/dispatches/d1", apitest.Bearer, ""),
		apitest.Request("POST", "/vault-mind/dispatches/d1/retry", apitest.Bearer, ""),
		"POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n12\r\n{\"file\":\"note.md\"}\r\n0\r\n\r\n",
	}
	answered := map[string]int{}
	for i := range *malformedCount {
		dice := rand.New(rand.NewPCG(seed, uint64(i)))
		text := strings.ReplaceAll(valid[dice.IntN(len(valid))], "PORT", r.PortText())
		request := mangled(dice, []byte(text))
		for _, code := range r.shout(t, request) {
			answered[code[:1]+"xx"]++
			// 501 and 505 are net/http's own, for a transfer coding and a version of HTTP.
			if n, _ := strconv.Atoi(code); n >= 500 && n != http.StatusNotImplemented && n != http.StatusHTTPVersionNotSupported {
				t.Errorf("request %d: %s to %q", i, code, request)
			}
		}
	}
	if a := r.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")); a.Status != 200 {
		t.Errorf("afterwards: %d", a.Status)
	}
	t.Logf("count: %d malformed requests, answered %v", *malformedCount, answered)
}

// mangled changes a request in one to three places.
func mangled(dice *rand.Rand, b []byte) []byte {
	odd := []string{"\x00", "\r\n", "\n", "\r", " ", "\t", ":", "%00", "%zz", "\xff", "{", "}", `"`, `\`, "../", "HTTP/1.1", "Host: x\r\n", "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: upgrade\r\nUpgrade: websocket\r\n", strings.Repeat("A", 5000)}
	for range 1 + dice.IntN(3) {
		at := dice.IntN(len(b) + 1)
		to := min(len(b), at+dice.IntN(12))
		switch dice.IntN(4) {
		case 0:
			b = append(append(append([]byte{}, b[:at]...), odd[dice.IntN(len(odd))]...), b[at:]...)
		case 1:
			b = append(append([]byte{}, b[:at]...), b[to:]...)
		case 2:
			b = append(append([]byte{}, b[:to]...), b[at:]...)
		case 3:
			if at < len(b) {
				b[at] = byte(dice.IntN(256))
			}
		}
		if len(b) == 0 {
			b = []byte("\r\n")
		}
	}
	return b
}

// shout sends a request, says that this was all, and returns the status of every
// answer.
func (r *running) shout(t *testing.T, request []byte) (codes []string) {
	t.Helper()
	conn, err := net.Dial("tcp4", r.Host())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(apitest.Patience))
	_, _ = conn.Write(request) // the server may have hung up already
	_ = conn.(*net.TCPConn).CloseWrite()
	all, err := io.ReadAll(conn)
	if err, ok := err.(net.Error); ok && err.Timeout() {
		t.Errorf("no end: %q", request)
	}
	for _, m := range statusLine.FindAllSubmatch(all, -1) {
		codes = append(codes, string(m[1]))
	}
	return codes
}
