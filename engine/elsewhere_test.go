package engine

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// An answer in a note is told elsewhere, one in a private note is not, and a server that does not respond keeps neither back.
func TestToldElsewhere(t *testing.T) {
	t.Parallel()
	told, open := make(chan string, 10), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		<-open
		told <- string(body)
	}))
	defer server.Close()
	r := startMet(t, t.TempDir(), &echoes{}, func(c *config.Config) {
		c.Webhook = config.Webhook{URL: server.URL, Format: "json", Text: "answer"}
		c.Private = []string{"Secret.md"}
	})
	r.save("Secret.md", "> @agent-Miner what is secret?\n")
	r.until("Secret.md", "/agent-response")
	for _, name := range []string{"a.md", "b.md"} {
		r.save(name, "> @agent-Miner what is open?\n")
		r.until(name, "/agent-response")
	}
	close(open)
	for _, name := range []string{"a", "b"} {
		select {
		case body := <-told:
			if !strings.Contains(body, `"title":"A question was answered: `+name+` (Miner)","text":"answer to what is open?"`) {
				t.Errorf("told %s", body)
			}
		case <-time.After(time.Minute):
			t.Error("nothing is told of " + name)
		}
	}
	r.stop()
}

// Where the server refuses what is told, the status says so, and what to do.
func TestToldNowhere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	r := startMet(t, t.TempDir(), &echoes{}, func(c *config.Config) {
		c.Webhook = config.Webhook{URL: server.URL + "/topic", Format: "ntfy", Text: "title"}
	})
	r.save("a.md", "> @agent-Miner what is open?\n")
	for {
		s, err := r.Status(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(s.Notices, func(n api.Notice) bool {
			return n.Text == "wiki.webhook.url gets no messages: the server answers 404 Not Found; copy the address from the service anew into wiki.webhook.url"
		}) {
			break
		}
		r.pause()
	}
	r.until("a.md", "/agent-response")
}
