package engine

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/testmain"
)

// scrape asks for the metrics as Prometheus does, and parses them as it does.
func scrape(t *testing.T, r *running, header ...string) (status int, numbers map[string]float64) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1:"+strconv.Itoa(r.port)+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, nil
	}
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Errorf("the content type is %q", kind)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	numbers = make(map[string]float64)
	for name, f := range families {
		for _, one := range f.Metric {
			for _, l := range one.Label {
				name += " " + l.GetValue()
			}
			numbers[name] = one.GetCounter().GetValue() + one.GetGauge().GetValue() + float64(one.GetHistogram().GetSampleCount())
			name = f.GetName()
		}
	}
	return resp.StatusCode, numbers
}

// TestMetrics: a whole engine tells what it has done, to those who have the token.
func TestMetrics(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	miner := scripted(func(context.Context, agent.Task) (agent.Reply, error) {
		return agent.Reply{Text: "Weekly.", Usage: agent.Usage{Input: 40, Output: 2, Cost: 0.25}}, nil
	})
	r := startEngine(t, t.TempDir(), miner)
	r.save("a.md", "> @agent-Miner how often?\n")
	r.until("a.md", "Weekly.")
	token := "Bearer " + strings.Repeat("a", 64)
	if status, _ := scrape(t, r); status != http.StatusUnauthorized {
		t.Errorf("without the token: %d", status)
	}
	if status, _ := scrape(t, r, "Authorization", token, "Origin", "https://evil.example"); status != http.StatusForbidden {
		t.Errorf("a web page: %d", status)
	}
	want := map[string]float64{
		"wiki_dispatches_total Miner done": 1, "wiki_dispatches done": 1, "wiki_dispatches queued": 0, "wiki_dispatches settling": 0,
		"wiki_answer_seconds Miner": 1, "wiki_dispatch_seconds Miner": 1, "wiki_rewrites_total written": 1, "wiki_index_notes v": 1,
		"wiki_refused_requests_total unauthorized": 1, "wiki_refused_requests_total origin_not_allowed": 1,
		"wiki_agent_tokens_total input Miner": 40, "wiki_agent_tokens_total output Miner": 2, "wiki_agent_cost_usd_total Miner": 0.25,
	}
	var got map[string]float64
	isThere := func() bool {
		_, got = scrape(t, r, "Authorization", token)
		for name, value := range want {
			if is, ok := got[name]; !ok || is != value {
				return false
			}
		}
		told := got["wiki_watcher_hints_total v"]+got["wiki_watcher_misses_total v"] > 0
		return got["wiki_index_bytes v"] > 0 && (told || r.vaults[0].Watcher.Stats().Source == "poll") // where nothing tells of changes
	}
	for begun := time.Now(); !isThere(); time.Sleep(20 * time.Millisecond) { // the journal is asked every five seconds
		if time.Since(begun) > time.Minute {
			t.Fatalf("got %v\nwant %v, bytes, and hints or misses", got, want)
		}
	}
}

// TestOpenMetrics: without the token they are open to programs, not to pages.
func TestOpenMetrics(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), agent.Runner(nil), func(c *config.Config) { c.Metrics = "open" })
	if status, got := scrape(t, r); status != http.StatusOK || len(got) == 0 {
		t.Errorf("%d %v", status, got)
	}
	for header, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		if status, _ := scrape(t, r, header, value); status != http.StatusForbidden {
			t.Errorf("%s %s: %d", header, value, status)
		}
	}
}
