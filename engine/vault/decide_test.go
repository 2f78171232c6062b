package vault

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/vault/register"
)

// A line is one that a person has just saved also where a busy machine looks at it much later, and is none where its note is older
// than its news.
func TestIsTyped(t *testing.T) {
	p := &starting{}
	v := New(Options{Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for name, c := range map[string]struct {
		told, seen time.Time
		trigger    string
		want       bool
	}{
		"at once":           {now, now, "watch", true},
		"looked at late":    {now, now.Add(time.Minute), "watch", true},
		"told of late":      {now.Add(time.Minute), now.Add(time.Minute), "watch", false},
		"of a later time":   {now.Add(-time.Minute), now.Add(-time.Minute), "watch", false},
		"nobody watched it": {now, now, "reconcile", false},
	} {
		if got := v.isTyped(Save{Rel: "n.md", Time: c.seen, Trigger: c.trigger}, nil, c.told); got != c.want {
			t.Errorf("%s: typed %v", name, got)
		}
	}
}
