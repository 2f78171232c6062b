package webhook

import (
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
)

// A person is told why a server takes nothing, with the next step, until it takes a message; nothing is said of the address and of what was sent.
func TestTrouble(t *testing.T) {
	var status, changes atomic.Int64
	server := receive(t, func(w http.ResponseWriter, _ func()) {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(int(status.Load()))
		_, _ = w.Write([]byte("Open.md is unknown here"))
	})
	s, err := New(Options{Config: config.Webhook{URL: server.URL + "/a-secret-topic", Format: "ntfy", Text: "answer"}, Rules: rules(config.Default()),
		Log: slog.New(slog.DiscardHandler), Changed: func() { changes.Add(1) }})
	if err != nil {
		t.Fatal(err)
	}
	s.waits = nil
	for _, test := range []struct {
		status int
		want   string // "" = it is well
	}{
		{404, "404 Not Found; copy the address from the service anew into wiki.webhook.url"},
		{404, "404 Not Found; copy the address from the service anew into wiki.webhook.url"},
		{200, ""},
		{401, "401 Unauthorized; put a token that is allowed there into the variable that wiki.webhook.tokenEnv names, then wiki service restart"},
		{429, "429 Too Many Requests; the next message tries it again"},
		{302, "the server sends callers to another address; put that one into wiki.webhook.url"},
		{204, ""},
		{503, "503 Service Unavailable; the next message tries it again"},
	} {
		status.Store(int64(test.status))
		n, d := answered("x")
		m, _ := Compose(n, d, "answer", s.opts.Rules)
		s.deliver(t.Context(), m)
		told := s.Notices()
		if len(told) > 0 != (test.want != "") || len(told) > 0 && !strings.HasSuffix(told[0].Text, test.want) {
			t.Errorf("%d: %+v", test.status, told)
		}
		for _, n := range told {
			if strings.Contains(n.Text, "Open") || strings.Contains(n.Text, "Nothing") || strings.Contains(n.Text, "127.0.0.1") || strings.Contains(n.Text, "secret-topic") {
				t.Errorf("too much is told: %s", n.Text)
			}
		}
	}
	if n := changes.Load(); n != 7 {
		t.Errorf("told %d times that it is another", n)
	}
}

// A server that cannot be reached is no news for ten minutes.
func TestUnreachable(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Options{Config: config.Webhook{URL: "http://" + address + "/t", Format: "ntfy", Text: "off"}, Rules: rules(config.Default()),
			Log: slog.New(slog.DiscardHandler), Changed: func() {}})
		if err != nil {
			t.Fatal(err)
		}
		go s.Run(t.Context())
		s.Tell(answered("x"))
		time.Sleep(9 * time.Minute)
		if told := s.Notices(); len(told) > 0 {
			t.Errorf("told at once: %+v", told)
		}
		time.Sleep(time.Hour)
		if told := s.Notices(); len(told) != 1 || !strings.Contains(told[0].Text, "cannot be reached") || !strings.HasSuffix(told[0].Text, "; check that address and the network") {
			t.Errorf("%+v", told)
		}
	})
}
