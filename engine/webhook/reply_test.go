package webhook

import (
	"context"
	"database/sql"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/webhook/testdata/fakentfy"
)

// desk has proposals, and keeps who decided about them how.
type desk struct {
	mu      sync.Mutex // guards what follows
	open    map[string]api.Proposal
	marks   map[string]string
	decided []string
	away    time.Time // until when its vault does not respond
	kill    func()    // ends the engine before it has accepted anything; nil = it lives
}

func newDesk(all ...api.Proposal) *desk {
	d := &desk{open: make(map[string]api.Proposal), marks: make(map[string]string)}
	for _, p := range all {
		d.open[p.ID] = p
	}
	return d
}

func proposalOf(id, diff string) api.Proposal {
	return api.Proposal{Dispatch: api.Dispatch{ID: id, File: "Work/Open.md", Role: "Miner"}, Diff: diff, Seen: "seen" + id}
}

func (d *desk) Proposed(context.Context) (list []api.Proposal, _ error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.open {
		list = append(list, p)
	}
	return list, nil
}

func (d *desk) Accept(_ context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.open[id]
	switch {
	case d.kill != nil:
		d.kill()
		return api.Dispatch{}, context.Canceled
	case time.Now().Before(d.away):
		return api.Dispatch{}, &api.StatusError{Code: "offline"}
	case !ok:
		return api.Dispatch{}, &api.Conflict{Reason: "It is done."}
	case p.Seen != req.Seen:
		return api.Dispatch{}, api.Changed(p.Diff, p.Seen)
	}
	return d.decide("accept", p)
}

// decide uses up what was offered, as a journal does in the step in which a person decides.
func (d *desk) decide(act string, p api.Proposal) (api.Dispatch, error) {
	delete(d.open, p.ID)
	delete(d.marks, p.ID+journal.PartOffer)
	d.decided = append(d.decided, act+" "+p.ID)
	return p.Dispatch, nil
}

func (d *desk) Reject(_ context.Context, id, _ string) (api.Dispatch, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.open[id]
	if !ok {
		return api.Dispatch{}, &api.Conflict{Reason: "It is done."}
	}
	return d.decide("reject", p)
}

func (d *desk) Get(_ context.Context, id string) (journal.Dispatch, error) {
	return journal.Dispatch{ID: id, File: "Work/Open.md", Role: "Miner"}, nil
}

func (d *desk) KeepPart(_ context.Context, id, key, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks[id+key] = text
	return nil
}

func (d *desk) Part(_ context.Context, id, key string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text, ok := d.marks[id+key]; ok {
		return text, nil
	}
	return "", sql.ErrNoRows
}

func (d *desk) all() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.decided)
}

// replying makes a Sender with replies to a server of ntfy, which does not run.
func replying(t *testing.T, ntfy *fakentfy.Server, d *desk, text string) (*Sender, *httptest.Server) {
	t.Helper()
	t.Setenv("A_TOKEN", "tk_secret")
	ntfy.Replies = "replies"
	server := httptest.NewServer(ntfy)
	t.Cleanup(server.Close)
	s, err := New(Options{Config: config.Webhook{URL: server.URL + "/topic", Format: "ntfy", Text: text, TokenEnv: "A_TOKEN", ReplyTopic: "replies"}, Rules: rules(config.Default()),
		Log: slog.New(slog.DiscardHandler), Changed: func() {}, Replies: Replies{Secret: "of the state folder", Dashboard: "http://127.0.0.1:1/proposed", Offers: d, Decisions: d}})
	if err != nil {
		t.Fatal(err)
	}
	s.waits = slices.Repeat([]time.Duration{0}, 1000)
	return s, server
}

// proposed is what a Sender is told of a proposal.
func proposed(id string) (news.Item, journal.Dispatch) {
	return news.Item{Event: news.Proposed, Vault: "Notes"}, journal.Dispatch{ID: id, File: "Work/Open.md", Role: "Miner", Markers: []journal.Marker{{Answer: "Nothing."}}}
}

// told returns the message about a proposal, as the phone shows it.
func told(t *testing.T, ntfy *fakentfy.Server, id string) fakentfy.Event {
	t.Helper()
	for deadline := time.After(time.Minute); ; {
		events, more := ntfy.Of("topic")
		for _, e := range slices.Backward(events) {
			if len(e.Actions) > 0 && strings.Contains(e.Actions[0].Body, "."+id+".") {
				return e
			}
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("nothing is told of %s: %+v", id, events)
		}
	}
}

func press(t *testing.T, e fakentfy.Event, label string) {
	t.Helper()
	i := slices.IndexFunc(e.Actions, func(a fakentfy.Action) bool { return a.Label == label })
	if i < 0 || e.Actions[i].Action != "http" || !e.Actions[i].Clear {
		t.Fatalf("no %s in %+v", label, e)
	}
	resp, err := http.Post(e.Actions[i].URL, "text/plain", strings.NewReader(e.Actions[i].Body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the reply is answered %d", resp.StatusCode)
	}
}

// To accept, a person sees the whole change, and nobody without a token may read along; else the message opens the dashboard.
func TestWhatIsOffered(t *testing.T) {
	diff := "@@ -1 +1 @@\n-> @agent-Miner! ask\n+Nothing.\n"
	for name, test := range map[string]struct {
		token, text, diff string
		want              string // the buttons
	}{
		"all":                   {"tk_secret", "answer", diff, "Accept, Reject, Open the dashboard"},
		"an open topic":         {"", "answer", diff, "Open the dashboard"},
		"nobody is let in":      {"another", "answer", diff, "Open the dashboard"},
		"titles alone":          {"tk_secret", "title", diff, "Reject, Open the dashboard"},
		"no words":              {"tk_secret", "off", diff, ""},
		"a long change":         {"tk_secret", "answer", diff + strings.Repeat("+x\n", 1400), "Reject, Open the dashboard"},
		"much JSON":             {"tk_secret", "answer", diff + "+" + strings.Repeat("<", 1400) + "\n", "Reject, Open the dashboard"},
		"what no eye sees":      {"tk_secret", "answer", diff + "+a\u200bb\n", "Reject, Open the dashboard"},
		"another direction":     {"tk_secret", "answer", diff + "+\u202eא\n", "Reject, Open the dashboard"},
		"control characters":    {"tk_secret", "answer", diff + "+\x1b[8m\n", "Reject, Open the dashboard"},
		"nothing to show":       {"tk_secret", "answer", "", "Reject, Open the dashboard"},
		"lines as in Windows":   {"tk_secret", "answer", "@@ -1 +1 @@\r\n-a\r\n+b\r\n", "Accept, Reject, Open the dashboard"},
		"it is decided already": {"tk_secret", "answer", "-", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(proposalOf("x", test.diff))
			if test.diff == "-" {
				d = newDesk()
			}
			s, server := replying(t, &fakentfy.Server{Token: test.token}, d, test.text)
			s.opts.Config.URL = strings.Replace(server.URL, "//", "//me:p4ssw0rd@", 1) + "/topic?auth=s3cret" // which no button has
			n, dispatch := proposed("x")
			m, ok := Compose(n, dispatch, test.text, s.opts.Rules)
			if m = s.offer(t.Context(), m); !ok {
				t.Fatal("it is not told")
			}
			var labels []string
			for _, a := range m.actions {
				labels = append(labels, a.Label)
				if strings.Contains(a.URL, "s3cret") || strings.Contains(a.URL, "p4ssw0rd") || a.Action == "http" && a.URL != server.URL+"/replies" {
					t.Errorf("a button goes to %s", a.URL)
				}
			}
			if got := strings.Join(labels, ", "); got != test.want {
				t.Errorf("offers %q, want %q", got, test.want)
			}
			if strings.HasPrefix(test.want, "Accept") != (m.Text == test.diff) && test.diff != "" {
				t.Errorf("shows %q", m.Text)
			}
		})
	}
	s, _ := replying(t, &fakentfy.Server{Token: "tk_secret"}, newDesk(proposalOf("x", diff)), "answer")
	s.opts.Replies.Secret = ""
	if m := s.offer(t.Context(), Message{dispatch: "x", showsAnswer: true}); len(m.actions) > 0 {
		t.Errorf("without a secret: %+v", m.actions)
	}
}

// Over a line that loses replies, doubles them and breaks, each proposal is decided at most once, as the first reply says that
// arrived. What was pressed twice, sent again later, or changed on its way does nothing and is counted.
func TestRepliesOverABadLine(t *testing.T) {
	seed := testseed.Take(t)
	r, fates := rand.New(rand.NewPCG(seed, 0)), rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	ntfy := &fakentfy.Server{Token: "tk_secret", Fate: func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		return 1 + fates.IntN(2), fates.IntN(3) == 0
	}}
	d := newDesk()
	s, _ := replying(t, ntfy, d, "answer")
	var running sync.WaitGroup
	running.Go(func() { s.Run(t.Context()) })
	t.Cleanup(running.Wait)
	var want, sent []string
	for i := range 40 {
		id := "d" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		d.mu.Lock()
		d.open[id] = proposalOf(id, "@@ -1 +1 @@\n-a\n+"+id+"\n")
		d.mu.Unlock()
		s.Tell(proposed(id))
		e := told(t, ntfy, id)
		first, second := "Accept", "Reject"
		if r.IntN(2) == 0 {
			first, second = second, first
		}
		if r.IntN(4) == 0 {
			continue // the reply is lost
		}
		ntfy.Add(fakentfy.Event{Topic: "replies", Message: spoil(r, e.Actions[0].Body)})
		press(t, e, first)
		press(t, e, first)
		press(t, e, second)
		for _, text := range sent {
			if r.IntN(8) == 0 {
				ntfy.Add(fakentfy.Event{Topic: "replies", Message: text})
			}
		}
		sent = append(sent, e.Actions[0].Body, e.Actions[1].Body)
		want = append(want, strings.ToLower(first)+" "+id)
		for deadline := time.Now().Add(time.Minute); len(d.all()) < len(want) && time.Now().Before(deadline); {
			<-time.After(time.Millisecond)
		}
	}
	if got := d.all(); !slices.Equal(got, want) {
		t.Errorf("seed %d: decided %q, want %q", seed, got, want)
	}
	counts := s.Notices()
	if len(counts) != 1 || !strings.Contains(counts[0].Text, isForged) || !strings.Contains(counts[0].Text, isUsed) {
		t.Errorf("seed %d: %+v", seed, counts)
	}
	t.Logf("count: %d decided; %s", len(want), counts[0].Text)
}
