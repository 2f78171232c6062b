package webhook

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/webhook/testdata/fakentfy"
)

// listenTo has a Sender listen to a server that answers the nth subscription as told, and returns what ends it.
func listenTo(t *testing.T, s *Sender, answer func(n int, w http.ResponseWriter, r *http.Request)) (end func()) {
	t.Helper()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(int(calls.Add(1)), w, r) }))
	s.opts.Config.URL = server.URL + "/topic"
	ctx, cancel := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() { s.listen(ctx) })
	t.Cleanup(func() { cancel(); listening.Wait(); server.CloseClientConnections(); server.Close() })
	return func() { cancel(); listening.Wait() }
}

// offered is a reply that decides.
func offered(d *desk, s *Sender) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks["x"+journal.PartOffer] = "mark"
	return reply{"accept", "x", "mark", "seenx", time.Now().Add(offerFor)}.sign(s.secret)
}

// goodReply is a line with one.
func goodReply(d *desk, s *Sender) string {
	text, err := json.Marshal(fakentfy.Event{ID: "abc", Event: "message", Message: offered(d, s)})
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

func (d *desk) until(t *testing.T, want ...string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !slices.Equal(d.all(), want); <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("decided %q, want %q", d.all(), want)
		}
	}
}

// A server that says nothing is given up and asked again, with where the last time had ended; a line without an end and one that is
// no event keep no later one back. The token goes to it alone.
func TestBrokenSubscriptions(t *testing.T) {
	d := newDesk(proposalOf("x", "@@"))
	s, _ := replying(t, &fakentfy.Server{}, d, "answer")
	s.silence = 500 * time.Millisecond
	var sinces atomic.Value
	listenTo(t, s, func(n int, w http.ResponseWriter, r *http.Request) {
		sinces.Store(r.URL.Query().Get("since"))
		if got := r.Header.Get("Authorization"); got != "Bearer tk_secret" || r.URL.Path != "/replies/json" {
			t.Errorf("%s with %q", r.URL, got)
		}
		switch n {
		case 1: // no answer at all
			<-r.Context().Done()
		case 2: // an answer that does not go on
			_, _ = io.WriteString(w, `{"id":"first","event":"message","message":"junk"}`+"\n"+`{"id":"cut`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case 3:
			w.WriteHeader(http.StatusBadGateway)
		default:
			_, _ = io.WriteString(w, "\n\n[]\n\"\"\n"+`{"id":"&since=0","event":"message"}`+"\n"+goodReply(d, s))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
	d.until(t, "accept x")
	if got := sinces.Load(); got != "first" {
		t.Errorf("the last one asks since %q", got)
	}
}

// A line that is too long is none, and the next one is whole; a last one without an end is not read.
func TestReadLine(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("a\n"+strings.Repeat("x", 10<<20)+"\n"+strings.Repeat("y", longestLine-1)+"\nb\r\nno end"), longestLine)
	for _, want := range []int{1, 0, longestLine - 1, 1} {
		if line, err := readLine(r); len(line) != want || err != nil {
			t.Errorf("%d bytes, %v; want %d", len(line), err, want)
		}
	}
	if _, err := readLine(r); err != io.EOF {
		t.Errorf("behind the last line: %v", err)
	}
}

// However a server keeps it waiting, listening ends at once when the engine does.
func TestListeningEnds(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"no answer": func(http.ResponseWriter) {},
		"no line":   func(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() },
		"half a line": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"id":`)
			_ = http.NewResponseController(w).Flush()
		},
		"no end of a line": func(w http.ResponseWriter) {
			for {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := replying(t, &fakentfy.Server{}, newDesk(), "answer")
			come := make(chan struct{}, 1000)
			end := listenTo(t, s, func(_ int, w http.ResponseWriter, r *http.Request) {
				come <- struct{}{}
				answer(w)
				<-r.Context().Done()
			})
			<-come
			end() // a silence would last three minutes
		})
	}
}

// A server that refuses is told of at once, one that is away after a while, until it is heard again; it is asked ever more rarely.
func TestDeaf(t *testing.T) {
	d := newDesk(proposalOf("x", "@@"))
	s, _ := replying(t, &fakentfy.Server{}, d, "answer")
	listenTo(t, s, func(n int, w http.ResponseWriter, r *http.Request) {
		if n < 20 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		for len(s.Notices()) == 0 { // of the refusal before
			<-time.After(time.Millisecond)
		}
		if text := s.Notices()[0].Text; !strings.HasPrefix(text, "replies over wiki.webhook.replyTopic do not arrive: the server answers 403 Forbidden; put a token") {
			t.Error(text)
		}
		_, _ = io.WriteString(w, goodReply(d, s))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	d.until(t, "accept x")
	if told := s.Notices(); len(told) > 0 {
		t.Errorf("it is heard, and told %+v", told)
	}

	synctest.Test(t, func(t *testing.T) {
		away, err := New(Options{Config: config.Webhook{URL: "http://127.0.0.1:1/topic", Format: "ntfy", ReplyTopic: "replies"}, Changed: func() {}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go away.listen(ctx)
		time.Sleep(9 * time.Minute)
		if told := away.Notices(); len(told) > 0 {
			t.Errorf("told at once: %+v", told)
		}
		time.Sleep(time.Hour)
		if told := away.Notices(); len(told) != 1 || !strings.Contains(told[0].Text, "cannot be reached") {
			t.Errorf("%+v", told)
		}
		cancel()
	})
}
