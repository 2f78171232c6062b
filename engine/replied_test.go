package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/webhook/testdata/fakentfy"
)

// aloud makes an engine tell an ntfy server all of its proposals, and listen there for replies.
func aloud(t *testing.T, ntfy *fakentfy.Server) func(*config.Config) {
	t.Helper()
	ntfy.Token, ntfy.Replies = "tk_secret", "replies"
	server := httptest.NewServer(ntfy)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return func(c *config.Config) {
		c.Webhook = config.Webhook{URL: server.URL + "/topic", Format: "ntfy", Text: "answer", TokenEnv: "REPLIED_TOKEN", ReplyTopic: "replies"}
	}
}

// button waits for a message about a proposal that is not one of earlier, and returns what its button sends.
func (r *running) button(ntfy *fakentfy.Server, id, label, earlier string) fakentfy.Action {
	r.t.Helper()
	for deadline := time.After(time.Minute); ; {
		events, more := ntfy.Of("topic")
		for _, e := range events {
			for _, a := range e.Actions {
				if a.Label == label && strings.Contains(a.Body, "."+id+".") && a.Body != earlier {
					return a
				}
			}
		}
		select {
		case <-more:
		case <-deadline:
			r.t.Fatalf("no button %s for %s: %+v", label, id, events)
		}
	}
}

func (r *running) press(a fakentfy.Action) {
	r.t.Helper()
	resp, err := http.Post(a.URL, "text/plain", strings.NewReader(a.Body))
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
}

// ignored waits until so many replies did nothing, and returns the notice of it.
func (r *running) ignored(n int) string {
	r.t.Helper()
	for {
		s, err := r.Status(r.t.Context(), false)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, notice := range s.Notices {
			if notice.Code == api.NoticeReplies && notice.Args["count"] == fmt.Sprint(n) {
				return notice.Text
			}
		}
		r.pause()
	}
}

// A proposal is accepted and rejected from the phone. Whatever else comes over the reply topic does nothing; a reply of ours that is in a
// note, or that an agent says, does nothing either; and a note that has changed shows its change again.
func TestRepliesDecide(t *testing.T) {
	t.Setenv("REPLIED_TOKEN", "tk_secret")
	ntfy := new(fakentfy.Server)
	says := make(chan string, 9)
	r := startMet(t, t.TempDir(), scripted(func(context.Context, agent.Task) (agent.Reply, error) { return agent.Reply{Text: <-says}, nil }), aloud(t, ntfy))
	says <- "answer to question 1?"
	r.save("n.md", proposing)
	p := r.awaitProposal()
	accept := r.button(ntfy, p.ID, "Accept", "")
	for _, word := range append(yes, "accept."+p.ID+"."+p.Seen) {
		word = strings.NewReplacer("ID", p.ID, "SEEN", p.Seen).Replace(word)
		ntfy.Add(fakentfy.Event{Topic: "replies", Message: word})
	}
	says <- accept.Body
	r.save("other.md", "> @agent-Miner say it\n\n"+accept.Body+"\n\n<!-- "+accept.Body+" -->\n")
	r.until("other.md", "/agent-response")
	r.ignored(len(yes) + 1)
	(&attack{running: r, p: p}).hold("all of that", proposing)

	r.save("n.md", resaved)
	r.press(accept)
	again := r.button(ntfy, p.ID, "Accept", accept.Body)
	(&attack{running: r, p: p}).hold("the yes to another change", resaved)
	r.save("n.md", proposing)
	r.press(accept) // it would fit, and is used
	r.ignored(len(yes) + 3)
	(&attack{running: r, p: p}).hold("the same yes again", proposing)
	r.save("n.md", resaved)
	r.press(again)
	r.until("n.md", "answer to question 1?")

	says <- "another"
	r.save("m.md", "> @agent-Miner! question 2?\n")
	q := r.awaitProposal()
	r.press(r.button(ntfy, q.ID, "Reject", ""))
	for r.count(journal.Cancelled) != 1 {
		r.pause()
	}
	r.press(r.button(ntfy, q.ID, "Accept", ""))
	if text := r.ignored(len(yes) + 4); !strings.Contains(text, "about what is no proposal any more") {
		t.Error(text)
	}
	if got := r.until("m.md", ""); got != "> @agent-Miner! question 2?\n" {
		t.Errorf("rejected, and written: %q", got)
	}
}

// A reply that was sent while no engine ran counts at its next start, once; the server's list of replies is read anew each time.
func TestRepliesWhileAway(t *testing.T) {
	t.Setenv("REPLIED_TOKEN", "tk_secret")
	ntfy, dir := new(fakentfy.Server), t.TempDir()
	tune := aloud(t, ntfy)
	r := startMet(t, dir, &echoes{}, tune)
	r.save("n.md", proposing)
	p := r.awaitProposal()
	accept := r.button(ntfy, p.ID, "Accept", "")
	r.stop()
	r.press(accept)
	r = startMet(t, dir, &echoes{}, tune)
	r.until("n.md", "/agent-response")
	for r.count(journal.Done) != 1 {
		r.pause()
	}
	if _, err := r.Undo(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	r.until("n.md", proposing)
	for now := time.Now().Unix(); time.Now().Unix() == now; { // the server tells whole seconds
		r.pause()
	}
	r.stop()
	r = startMet(t, dir, &echoes{}, tune)
	ntfy.Add(fakentfy.Event{Topic: "replies", Message: "a mark that all before it was read"})
	if text := r.ignored(1); !strings.Contains(text, "1 not signed here") {
		t.Error(text)
	}
	if got := r.until("n.md", ""); got != proposing {
		t.Errorf("an old yes writes %q", got)
	}
}
