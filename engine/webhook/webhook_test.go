package webhook

import (
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/sharing"
	"vaultdispatcher/engine/testdata/testseed"
)

// receiver is a server that keeps what it was told, in the order in which it came.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex // guards what follows
	bodies []string
	paths  []string
	tokens []string
}

// receive starts a server that answers each request as told.
func receive(t *testing.T, answer func(w http.ResponseWriter, keep func())) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		answer(w, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.bodies, r.paths, r.tokens = append(r.bodies, string(body)), append(r.paths, req.URL.Path), append(r.tokens, req.Header.Get("Authorization"))
		})
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies)
}

// until waits for a message with such a text.
func (r *receiver) until(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; <-time.After(time.Millisecond) {
		if slices.ContainsFunc(r.got(), func(body string) bool { return strings.Contains(body, text) }) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%q does not come: %q", text, r.got())
		}
	}
}

func rules(c config.Config) *sharing.Rules {
	return sharing.NewRules(c, func(string) bool { return false })
}

// start runs a Sender that tries again at once.
func start(t *testing.T, c config.Webhook) *Sender {
	t.Helper()
	s, err := New(Options{Config: c, Rules: rules(config.Default()), Log: slog.New(slog.DiscardHandler), Changed: func() {}})
	if err != nil {
		t.Fatal(err)
	}
	s.waits = slices.Repeat([]time.Duration{0}, 1000)
	var done sync.WaitGroup
	done.Go(func() { s.Run(t.Context()) })
	t.Cleanup(done.Wait) // the context of a test ends before
	return s
}

func answered(id string) (news.Item, journal.Dispatch) {
	return news.Item{Event: news.Answered, Vault: "Notes"}, journal.Dispatch{ID: id, File: "Work/Open.md", Role: "Miner", Markers: []journal.Marker{{Answer: "Nothing."}}}
}

// Over a line that loses requests and answers each message arrives, in its order, and one that comes twice has the same id.
func TestLossAndDuplicates(t *testing.T) {
	seed := testseed.Take(t)
	fates, r := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 0)) // each of one goroutine at a time
	var mu sync.Mutex
	server := receive(t, func(w http.ResponseWriter, keep func()) {
		mu.Lock()
		fate := fates.IntN(6)
		mu.Unlock()
		switch fate {
		case 0: // the request is lost
			panic(http.ErrAbortHandler)
		case 1: // the answer is lost
			keep()
			panic(http.ErrAbortHandler)
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case 4:
			keep()
			w.WriteHeader(http.StatusNoContent)
		default:
			keep()
		}
	})
	s := start(t, config.Webhook{URL: server.URL, Format: "json", Text: "title"})
	var want []string
	for range 60 {
		id := string(rune('a'+r.IntN(26))) + time.Duration(len(want)).String()
		want = append(want, id+"-done")
		s.Tell(answered(id))
		server.until(t, `"`+id+`-done"`)
	}
	var ids []string
	for _, body := range server.got() {
		var m Message
		if err := json.Unmarshal([]byte(body), &m); err != nil || m.Note != "Work/Open.md" || m.Title != "A question was answered: Open (Miner)" {
			t.Fatalf("seed %d: %s, %v", seed, body, err)
		}
		ids = append(ids, m.ID)
	}
	if got := slices.Compact(slices.Clone(ids)); !slices.Equal(got, want) {
		t.Errorf("seed %d: told %q, want %q", seed, got, want)
	}
	t.Logf("count: %d requests for %d messages", len(ids), len(want))
}

// A server that does not respond keeps nobody waiting; what came meanwhile is counted in one message, and no more waits than may.
func TestSilentServer(t *testing.T) {
	open, come := make(chan struct{}), make(chan struct{}, 10)
	server := receive(t, func(_ http.ResponseWriter, keep func()) { come <- struct{}{}; <-open; keep() })
	s := start(t, config.Webhook{URL: server.URL, Format: "json", Text: "title"})
	s.Tell(answered("first"))
	<-come
	for range 10 * MostWaiting {
		s.Tell(answered("more"))
	}
	if n := s.drops.Load(); n != 9*MostWaiting {
		t.Errorf("%d are dropped", n)
	}
	close(open)
	server.until(t, "100 questions: 100 answered")
	if got := server.got(); len(got) != 2 {
		t.Errorf("told %q", got)
	}
}

// What a server refuses for good is not sent again, nor where it sends its callers, and the next message is.
func TestRefusals(t *testing.T) {
	var mu sync.Mutex
	statuses := []int{http.StatusNotFound, http.StatusFound, http.StatusForbidden}
	calls := 0
	server := receive(t, func(w http.ResponseWriter, keep func()) {
		mu.Lock()
		defer mu.Unlock()
		if calls++; len(statuses) > 0 {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(statuses[0])
			statuses = statuses[1:]
			return
		}
		keep()
	})
	s := start(t, config.Webhook{URL: server.URL, Format: "json", Text: "off"})
	s.waits = nil
	for _, id := range []string{"a", "b", "c", "d"} {
		for len(s.waiting) > 0 { // one by one
			<-time.After(time.Millisecond)
		}
		s.Tell(answered(id))
	}
	server.until(t, `"title":"A question was answered"`)
	if strings.Contains(server.got()[0], "Open") {
		t.Errorf("too much is told: %s", server.got())
	}
}

// Each service gets what it reads, with the token from the environment.
func TestFormats(t *testing.T) {
	t.Setenv("A_TOKEN", " tk_secret\n")
	for format, want := range map[string]string{
		"ntfy":  `{"message":"<Nothing> & more.","sequence_id":"x-done","title":"A question was answered: Open (Miner)","topic":"my-topic"}`,
		"slack": `{"text":"A question was answered: Open (Miner)\n&lt;Nothing&gt; &amp; more."}`,
		"json":  `{"id":"x-done","what":"done","vault":"Notes","note":"Work/Open.md","role":"Miner","title":"A question was answered: Open (Miner)","text":"<Nothing> & more."}`,
	} {
		server := receive(t, func(_ http.ResponseWriter, keep func()) { keep() })
		s := start(t, config.Webhook{URL: server.URL + "/base/my-topic", Format: format, Text: "answer", TokenEnv: "A_TOKEN"})
		n, d := answered("x")
		d.Markers[0].Answer = "<Nothing> & more."
		s.Tell(n, d)
		server.until(t, "answered")
		var got, wanted any
		if err := json.Unmarshal([]byte(server.got()[0]), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(wanted)
		path := map[string]string{"ntfy": "/base/"}[format]
		if path == "" {
			path = "/base/my-topic"
		}
		if string(a) != string(b) || server.tokens[0] != "Bearer tk_secret" || server.paths[0] != path {
			t.Errorf("%s: %s to %s with %q", format, a, server.paths[0], server.tokens[0])
		}
	}
	t.Setenv("A_TOKEN", "Bearer x")
	if _, err := New(Options{Config: config.Webhook{URL: "http://x", TokenEnv: "A_TOKEN"}}); err == nil {
		t.Error("what is no token is taken")
	}
	var nobody *Sender
	nobody.Tell(answered("x"))
	nobody.Run(t.Context())
}

// Of private notes and roles nothing is told but that something waits; an answer goes along only where it may leave this machine.
func TestPrivateIsNotTold(t *testing.T) {
	c := config.Default()
	c.Private = []string{"Journal/**"}
	c.Agents = map[string]config.Agent{"Doctor": {Runner: "command", Private: true}, "Miner": {Runner: "builtin"}, "*": {Runner: "claude"}}
	r := rules(c)
	for _, what := range []news.What{news.TakenUp, news.Answered, news.NoResult, news.Failed, news.Delayed, news.Held, news.Proposed, news.Kept, news.Withdrawn, news.NotTaken, news.Working} {
		for _, text := range []string{"off", "title", "answer"} {
			for _, where := range []struct{ file, role string }{{"Journal/Secret.md", "Miner"}, {"Secret.md", "Doctor"}} {
				n := news.Item{Event: what, Vault: "Secret", File: where.file, Role: where.role, Reason: "Secret"}
				m, ok := Compose(n, journal.Dispatch{ID: "x", File: where.file, Role: where.role, Markers: []journal.Marker{{Instruction: "Secret", Answer: "Secret"}}}, text, r)
				waits := what == news.Held || what == news.Proposed
				all, err := json.Marshal(m)
				if ok != waits || err != nil || ok && strings.Contains(string(all), "Secret") || ok && (m.Note != "" || m.Role != "" || m.Vault != "") {
					t.Errorf("%s of %s, %s: %v, %s", what, where.file, text, ok, all)
				}
			}
		}
	}
	for name, test := range map[string]struct {
		made journal.Made
		role string
		want string
	}{
		"open":           {journal.Made{}, "Miner", "Open words"},
		"of a private":   {journal.Made{Sources: []string{"Journal/a.md"}}, "Miner", ""},
		"of a local one": {journal.Made{Local: true}, "Editor", ""},
	} {
		d := journal.Dispatch{ID: "x", File: "a.md", Role: test.role, Recipe: test.made, Markers: []journal.Marker{{Answer: "Open words"}}}
		if m, ok := Compose(news.Item{Event: news.Answered}, d, "answer", r); !ok || m.Text != test.want {
			t.Errorf("%s: %+v", name, m)
		}
		if m, ok := Compose(news.Item{Event: news.Answered}, d, "title", r); !ok || m.Text != "" {
			t.Errorf("%s: %+v", name, m)
		}
	}
	long := journal.Dispatch{ID: "x", File: "a.md", Role: "Miner", Markers: []journal.Marker{{Answer: strings.Repeat("€", 5000)}}}
	if m, _ := Compose(news.Item{Event: news.Answered}, long, "answer", r); len(m.Text) > 4096 {
		t.Errorf("%d bytes", len(m.Text))
	}
}
