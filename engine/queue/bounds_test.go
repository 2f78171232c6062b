package queue

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vaultdispatcher/engine/agent"
)

// TestWorkersWordsAreBounded reads what a worker sends that means no good.
func TestWorkersWordsAreBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	usage := agent.Usage{Model: strings.Repeat("m", 1000), Input: -1, Output: -2, Cost: -3}
	bad := result{Worker: "b\nox", Reply: agent.Reply{Text: "text", Usage: usage, Sources: []string{"Diary/a.md"}}, Failure: &failure{
		Reason: "one\ntwo\x1b[2J" + strings.Repeat("ä", 2000), Detail: strings.Repeat("ä", 1<<20), Usage: usage, Limited: true, Expiry: now.Add(1e6 * time.Hour)}}
	reply, err := bad.cutToBounds(now).toOutcome()
	f, _ := errors.AsType[*agent.Failure](err)
	limit, _ := errors.AsType[*agent.RateLimited](err)
	if f == nil || limit == nil {
		t.Fatalf("the outcome is %v", err)
	}
	if strings.ContainsAny(f.Reason, "\n\x1b") || utf8.RuneCountInString(f.Reason) > longestLine+20 || len(f.Detail) > longestDetail || !utf8.ValidString(f.Reason+f.Detail) {
		t.Errorf("the reason has %d bytes, the detail %d: %.80q", len(f.Reason), len(f.Detail), f.Reason)
	}
	if limit.Expiry.After(now.Add(longestLimit)) || reply.Sources != nil {
		t.Errorf("limited until %s, sources %v", limit.Expiry, reply.Sources)
	}
	for _, u := range []agent.Usage{reply.Usage, f.Usage} {
		if u.Input != 0 || u.Output != 0 || u.Cost != 0 || len(u.Model) > 4*longestLine {
			t.Errorf("it has cost %+v", u)
		}
	}
	if s := (said{Tell: "a\nb"}).cutToBounds(); s.Tell != "a b" {
		t.Errorf("told is %q", s.Tell)
	}
}

// TestLongResultIsNotUnpacked: a little data says much.
func TestLongResultIsNotUnpacked(t *testing.T) {
	data, err := packValue(result{Reply: agent.Reply{Text: strings.Repeat("a", longestReply)}})
	var r result
	if err != nil || unpackValue(data, &r, longestReply) == nil {
		t.Errorf("%d bytes are unpacked to %d, %v", len(data), len(r.Reply.Text), err)
	}
}

// TestWhyNoHubIsSaidOnce: a worker that waits for its hub says for what, and does not repeat it.
func TestWhyNoHubIsSaidOnce(t *testing.T) {
	var log bytes.Buffer
	say := (&Worker{Log: slog.New(slog.NewTextHandler(&log, nil))}).sayOnce()
	for _, text := range []string{"refused", "refused", "no key", "no key", "refused"} {
		say(nil, errors.New(text))
	}
	if n := strings.Count(log.String(), "\n"); n != 3 {
		t.Errorf("it is said %d times: %s", n, log.String())
	}
}
