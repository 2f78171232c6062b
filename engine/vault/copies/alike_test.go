package copies

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

func TestShorten(t *testing.T) {
	for rel, want := range map[string][]string{
		"x/Plan (from another device 2026-09-30).md": {"x/Plan (from another device 2026-09-30.md", "x/Plan (from another device 2026.md", "x/Plan (from another device.md", "x/Plan (from another.md", "x/Plan (from.md", "x/Plan.md"},
		"Plan~.md":                {"Plan.md"},
		"Plan 2.md":               {"Plan.md"},
		"Plan_old.md":             {"Plan.md"},
		"Plan-hilap.md":           {"Plan.md"},
		"Plan.orig.MD":            {"Plan.MD"},
		"Planning.md":             nil,
		"Meeting 10.md":           nil,
		"Meeting1.md":             nil,
		"Weekly 48.md":            nil,
		"2026-01-02.md":           {"2026.md"},
		"Weekly 2026-W05.md":      {"Weekly 2026.md"},
		"Plan 2026-01-02.md":      {"Plan 2026.md"},
		"Plan-20260102120000.md":  nil,
		"Plan 2026-01-02 1200.md": {"Plan 2026-01.md", "Plan 2026.md", "Plan.md"},
		"(draft).md":              {"(draft.md"},
		"Cafe\u0301s.md":          nil,
		"計画（競合）.md":               {"計画（競合.md", "計画.md"},
		"a b/Plan.md":             nil,
		"Plan (1).md":             {"Plan (1.md", "Plan.md"},
	} {
		if got := shorten(rel); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", rel, got, want)
		}
	}
}

// alikeBody is a note with a question.
const alikeBody = "# Plan\n\none\n\ntwo\n\n> @agent-Miner ask\n\nthree\n\nfour\n\nfive\n"

// alikeRow is a note that may be a copy of that one.
type alikeRow struct {
	name  string
	rel   string // of the copy
	src   string
	was   bool          // there before
	ended time.Duration // when the question was answered; 0 = it is open
	other string        // what the original is now; "" = what it was, or its answer
	alike bool
	since bool   // it came before the question of the original was accepted
	later string // what it is when it is looked at once more; its question is still that of the original
}

// A note is a copy by the rule behind the names where each part of the rule holds, and by no part less.
func TestFindAlike(t *testing.T) {
	const body = alikeBody
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		for _, tt := range []alikeRow{
			{name: "another version", rel: "Plan (from another device).md", src: body + "six\n", alike: true},
			{name: "of an answered note", rel: "Plan_old.md", src: body, ended: time.Hour, alike: true},
			{name: "one line of six is another", rel: "Plan~.md", src: strings.Replace(body, "one", "1", 1), alike: true},
			{name: "with other properties", rel: "Plan~.md", src: "---\na: 1\nb: 2\nc: 3\n---\n" + body, alike: true},
			{name: "with other line ends", rel: "Plan~.md", src: strings.ReplaceAll(body, "\n", "\r\n"), alike: true},
			{name: "the original went on", rel: "Plan~.md", src: body, other: body + "much\n\nmore\n", alike: true},
			{name: "its other lines were edited since", rel: "Plan~.md", src: body, alike: true, later: "# Plan\n\n1\n\n2\n\n> @agent-Miner ask\n\n3\n"},
			{name: "it came first", rel: "Plan~.md", src: body, since: true},
			{name: "it came before the answer", rel: "Plan~.md", src: body, ended: time.Second, since: true},
			{name: "answered long ago", rel: "Plan_old.md", src: body, ended: 31 * 24 * time.Hour},
			{name: "it was there before", rel: "Plan~.md", src: body, was: true},
			{name: "the line was edited", rel: "Plan~.md", src: strings.Replace(body, "ask", "ask more", 1)},
			{name: "the neighbour was edited", rel: "Plan~.md", src: strings.Replace(body, "two", "2", 1) + "> @agent-Miner ask\n", alike: false},
			{name: "another folder", rel: "x/Plan~.md", src: body},
			{name: "another name", rel: "Copy.md", src: body},
			{name: "a longer word", rel: "Planning.md", src: body},
			{name: "a higher number", rel: "Plan 48.md", src: body},
			{name: "few lines", rel: "Plan~.md", src: "two\n\n> @agent-Miner ask\n\nthree\n"},
			{name: "other lines", rel: "Plan~.md", src: body + "a\n\nb\n"},
			{name: "the original is another note by now", rel: "Plan~.md", src: body, other: "something else\n"},
		} {
			checkAlike(t, j, tt)
		}
	})
}

func checkAlike(t *testing.T, j *journal.Journal, tt alikeRow) {
	t.Helper()
	ctx, root := t.Context(), t.TempDir()
	path := func(rel string) string { return filepath.Join(root, filepath.FromSlash(rel)) }
	write := func(rel, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path(rel)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(rel), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := &Memory{Journal: j, Root: root,
		Read: func(rel string) ([]byte, error) { return os.ReadFile(path(rel)) },
		Stat: func(rel string) (os.FileInfo, error) { return os.Lstat(path(rel)) },
	}
	var birth time.Time
	m.Birth = func(string) time.Time { return birth }
	if tt.since {
		birth = time.Now()
		time.Sleep(time.Second)
	}
	askIn(ctx, t, j, root, "Plan.md", alikeBody, tt.ended)
	original := alikeBody
	if tt.ended > 0 {
		original = strings.Replace(alikeBody, "> @agent-Miner ask\n", "<!-- agent-response -->\nan answer\n<!-- /agent-response -->\n", 1)
	}
	if tt.other != "" {
		original = tt.other
	}
	write("Plan.md", original)
	write(tt.rel, tt.src)
	if !tt.was && !tt.since {
		birth = time.Now()
	}
	find := func() []note.Marker {
		t.Helper()
		original, alike, err := m.FindAlike(ctx, tt.rel, []byte(tt.src), note.Parse([]byte(tt.src)).Markers)
		if err != nil || (original == "Plan.md") != (len(alike) > 0) {
			t.Fatalf("%d alike, of %q, %v", len(alike), original, err)
		}
		return alike
	}
	if alike := find(); len(alike) > 0 != tt.alike {
		t.Errorf("%s: alike: %v", tt.name, alike)
		return
	}
	if !tt.alike {
		return
	}
	m = &Memory{Journal: j, Root: root, Read: m.Read, Stat: m.Stat, Birth: func(string) time.Time { return time.Time{} }} // the next engine's
	if tt.later != "" {
		tt.src = tt.later
		write("Plan.md", "something else\n")
	}
	if len(find()) == 0 {
		t.Error(tt.name + ": the next engine does not know it")
	}
	if err := os.Remove(path("Plan.md")); err != nil {
		t.Fatal(err)
	}
	if len(find()) > 0 {
		t.Error(tt.name + ": it is a copy of nothing")
	}
}

// askIn has the question of a note accepted, and answered so long ago; 0 = not yet.
func askIn(ctx context.Context, t *testing.T, j *journal.Journal, root, rel, src string, ago time.Duration) {
	t.Helper()
	marker := note.Parse([]byte(src)).Markers[0]
	d := journal.Dispatch{
		ID: root, Vault: root, File: rel, Key: "agent-miner", Role: "Miner", Agent: "a", Trigger: "watch", Status: journal.Queued, Created: time.Now(),
		Markers: []journal.Marker{{Trace: marker.Trace(), Instruction: "ask"}},
	}
	if _, ok, err := j.Accept(ctx, d, map[string]int{marker.Text: 1}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if ago == 0 {
		return
	}
	if _, err := j.Start(ctx, d.ID, "r", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := j.RecordAnswers(ctx, d.ID, []string{"an answer"}); err != nil {
		t.Fatal(err)
	}
	if err := j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(ago)
}
