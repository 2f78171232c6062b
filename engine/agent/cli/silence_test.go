package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
)

// names are a resolver: hosts that are found, and those whose answer never comes.
type names struct {
	found, hanging []string

	mu    sync.Mutex // guards asked
	asked []string
}

func (n *names) lookUp(ctx context.Context, host string) ([]string, error) {
	n.mu.Lock()
	n.asked = append(n.asked, host)
	n.mu.Unlock()
	switch {
	case slices.Contains(n.found, host):
		return []string{"192.0.2.1"}, nil
	case slices.Contains(n.hanging, host):
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, errors.New("no such host")
}

func (n *names) use(t *testing.T) {
	before := lookUpHost
	lookUpHost = n.lookUp
	t.Cleanup(func() { lookUpHost = before })
}

// A silent program is given up within 20 s where none of its servers is found, and has its whole time where one is.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		found, hanging, servers string
		says                    []time.Duration // when the program says something
		after                   time.Duration   // it is given up; 0 = never
	}{
		{"", "", "a.example", nil, 12 * time.Second},
		{"", "", "a.example b.example", nil, 12 * time.Second},
		{"", "a.example", "a.example b.example", nil, 17 * time.Second},
		{"a.example", "", "a.example", nil, 0},
		{"b.example", "", "a.example b.example", nil, 0},
		{"b.example", "a.example", "a.example b.example", nil, 0},
		{"", "", "a.example", []time.Duration{time.Second}, 12 * time.Second},
		{"", "", "a.example", []time.Duration{time.Second, 6 * time.Second}, 14 * time.Second},
		{"", "", "a.example", []time.Duration{7 * time.Second, 14 * time.Second, 21 * time.Second}, 29 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := &names{found: strings.Fields(c.found), hanging: strings.Fields(c.hanging)}
			n.use(t)
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			s := silence{servers: strings.Fields(c.servers), heard: make(chan struct{}, 1)}
			start := time.Now()
			for _, at := range c.says {
				time.AfterFunc(at, s.hear)
			}
			said, after := s.await(ctx), time.Since(start)
			if (said != "") != (c.after > 0) || c.after > 0 && after != c.after {
				t.Errorf("%+v: %q after %v", c, said, after)
			}
			if len(n.asked) != len(s.servers) {
				t.Errorf("%s: %s were looked up", c.servers, n.asked)
			}
			if said != "" && ifUnreachable("qwen", said) == "" {
				t.Errorf("%q is not known to mean a server that is not reached", said)
			}
		})
	}
}

// Nobody's name is looked up while a program speaks, or once it has ended.
func TestSilenceEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &names{}
		n.use(t)
		ctx, stop := context.WithTimeout(t.Context(), askedBy-time.Nanosecond)
		defer stop()
		if said := (silence{servers: []string{"a.example"}, heard: make(chan struct{}, 1)}).await(ctx); said != "" || n.asked != nil {
			t.Errorf("%q, %s looked up", said, n.asked)
		}
	})
}

// A program that says nothing, and whose server is not found, is ended and says so; one whose server is found is left alone.
func TestServerNotFound(t *testing.T) {
	before := askedBy
	askedBy = time.Millisecond
	t.Cleanup(func() { askedBy = before })
	t.Setenv("HTTPS_PROXY", "")
	n := &names{found: []string{"there.example"}}
	n.use(t)
	ask := func(server string) error {
		r, _ := play(t, "qwen", "hang", agent.Settings{Timeout: time.Second, Env: map[string]string{"OPENAI_BASE_URL": "https://" + server + "/v1"}})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		return err
	}
	wantFailure(t, "away", ask("away.example"), agent.Transient, "qwen cannot reach its server; check the network: name resolution failed for away.example")
	wantFailure(t, "there", ask("there.example"), agent.Transient, "qwen was still running after 1s and was ended")
}
