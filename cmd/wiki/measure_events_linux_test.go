package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
)

var idle = flag.Duration("wiki.idle", 20*time.Second, "how long BenchmarkListener lets nothing happen")

// BenchmarkListener reports what one follower of the events, such as an open page
// of the dashboard, costs the real binary while nothing happens, and how long after
// a save it hears of it. The debounce is part of that.
func BenchmarkListener(b *testing.B) {
	m := newMachine(b, 1_000)
	m.start(b)
	m.until(b, "index", func(s api.Status) bool {
		return len(s.Vaults) == 1 && s.Vaults[0].State == "watching" && s.Index.Pending == 0
	})
	for i := range 50 { // so that a look at the state is as long as it gets
		m.ask(b, fmt.Sprintf("q%d.md", i))
	}
	for b.Loop() {
		time.Sleep(5 * time.Second) // what the answers have left to do
		ticks := m.ticks(b)
		time.Sleep(*idle)
		b.ReportMetric(float64(m.ticks(b)-ticks)/idle.Minutes(), "ticks-a-minute-alone")

		heard := m.listen(b)
		time.Sleep(5 * time.Second)
		ticks = m.ticks(b)
		time.Sleep(*idle)
		b.ReportMetric(float64(m.ticks(b)-ticks)/idle.Minutes(), "ticks-a-minute-with-a-listener")

		var took []time.Duration
		for i := range 20 {
			time.Sleep(time.Second + rand.N(time.Second)) // at no particular time
			name, saved := fmt.Sprintf("e%d.md", i), time.Now()
			if err := os.WriteFile(filepath.Join(m.vault, name), []byte("> @agent-Echo heard?\n"), 0o644); err != nil {
				b.Fatal(err)
			}
			for line := range heard {
				if strings.Contains(line, `"`+name+`"`) {
					break
				}
			}
			took = append(took, time.Since(saved))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "ms-save-to-event-p50")
		b.ReportMetric(float64(took[len(took)-1].Milliseconds()), "ms-save-to-event-max")
	}
	m.stop(b)
}

// listen follows the events of the engine and hands on their lines.
func (m *measured) listen(b *testing.B) <-chan string {
	b.Helper()
	token, err := os.ReadFile(filepath.Join(m.dir, ".local", "state", "vault-dispatcher", "token"))
	if err != nil {
		b.Fatal(err)
	}
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/vault-mind/events", m.port), nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatalf("follow the events: %v, %v", resp, err)
	}
	lines := make(chan string, 1000)
	go func() {
		defer resp.Body.Close()
		defer close(lines)
		for r := bufio.NewReader(resp.Body); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}()
	return lines
}
