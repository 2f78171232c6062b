package host

import (
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"vaultdispatcher/engine/api"
)

// While the start waits, each call is told why at once; the port is the engine's as soon as it is there.
func TestCallsWhileTheStartWaits(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	shared := &sharedListener{current: ln}
	engines := shared.next() // its engine accepts nothing before it has started
	end := shared.answerWaiting("another program holds the journal locked", slog.New(slog.DiscardHandler))
	for range 3 {
		resp, err := http.Get("http://" + ln.Addr().String() + "/vault-mind/status")
		if err != nil {
			t.Fatal(err)
		}
		var p api.Problem
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil || resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Server") != api.Product || p.Code != "busy" ||
			p.Error != "The engine is starting, and waits: another program holds the journal locked." {
			t.Errorf("%s: %+v, %v", resp.Status, p, err)
		}
		resp.Body.Close()
	}
	end()
	caller, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer caller.Close()
	conn, err := engines.Accept()
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if err := shared.shutdown(); err != nil {
		t.Error(err)
	}
}
