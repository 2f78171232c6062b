package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/recall"
)

var update = flag.Bool("update", false, "write the golden files anew")

const golden = "testdata/answers.txtar"

// miner returns a Miner over the vault of an archive, which its root holds.
func miner(t *testing.T, file string) (m *Miner, root string, archive *txtar.Archive) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root = t.TempDir()
	var rels []string
	for _, f := range archive.Files {
		rel, ok := strings.CutPrefix(f.Name, "vault/")
		if !ok {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		rels = append(rels, rel)
	}
	ix, err := recall.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), root, recall.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	if err := ix.Sync(t.Context(), rels, nil); err != nil {
		t.Fatal(err)
	}
	return New(func(string) (*recall.Index, error) { return ix, nil }), root, archive
}

func request(question string) agent.Request {
	return agent.Request{Line: 1, Instruction: question, Context: "[Request 1]\n\nText around: the tram in Lisbon."}
}

func TestAnswers(t *testing.T) {
	m, root, archive := miner(t, golden)
	changed := false
	for i, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "ask/") {
			continue
		}
		task := agent.Task{Root: root, Note: "Journal.md", Requests: []agent.Request{request(strings.TrimSpace(string(f.Data)))}}
		reply, err := m.Run(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if refused := strings.HasPrefix(reply.Text, "**No note has") || strings.HasPrefix(reply.Text, "**No note answers"); (reply.NoResult == 1) != refused {
			t.Errorf("%s: no result: %v\n%s", f.Name, reply.NoResult, reply.Text)
		}
		want := &archive.Files[i+1]
		got := reply.Text + "\n"
		switch {
		case strings.Contains(got, "decided by a walrus") || strings.Contains(got, "@agent-"):
			t.Errorf("%s: an old answer or a marker is quoted:\n%s", f.Name, got)
		case got == string(want.Data):
		case *update:
			want.Data, changed = []byte(got), true
		default:
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, want.Data)
		}
	}
	if changed {
		if err := os.WriteFile(golden, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSeveralRequests(t *testing.T) {
	m, root, _ := miner(t, golden)
	reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Journal.md", Requests: []agent.Request{
		request("what did we decide about <backups> & \"restic\"?"), {Line: 9, Instruction: "summarise this", See: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Responses []struct {
			Request int
			Answer  string
		}
	}
	if err := json.Unmarshal([]byte(reply.Text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Responses) != 2 || got.Responses[0].Request != 1 || got.Responses[1].Request != 2 {
		t.Fatalf("%+v", got)
	}
	if !strings.Contains(got.Responses[0].Answer, "We decided to back up") || !strings.Contains(got.Responses[1].Answer, "tram 28") {
		t.Errorf("%+v", got)
	}
}

func TestFailures(t *testing.T) {
	m, root, _ := miner(t, golden)
	task := agent.Task{Root: root, Requests: []agent.Request{request("tram")}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Run(ctx, task); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	broken := New(func(string) (*recall.Index, error) { return nil, errors.New("no space left") })
	var f *agent.Failure
	if _, err := broken.Run(t.Context(), task); !errors.As(err, &f) || f.Kind != agent.Transient || f.Detail != "no space left" {
		t.Errorf("no index: %v", err)
	}
	if _, err := m.Run(t.Context(), agent.Task{}); !errors.As(err, &f) || f.Kind != agent.Permanent {
		t.Errorf("no request: %v", err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(t.Context(), task); !errors.As(err, &f) || f.Kind != agent.Transient {
		t.Errorf("vault gone: %v", err)
	}
}

func TestUnreadIsSaid(t *testing.T) {
	if got := indexProgress(recall.State{Notes: 1200, Pending: 800}); !strings.Contains(got, "1,200 of 2,000 notes") {
		t.Errorf("%q", got)
	}
	if got := indexProgress(recall.State{Notes: 3, Complete: true}); got != "" {
		t.Errorf("%q", got)
	}
}

// No model wrote this: that is said where no other answer says it.
func TestSigned(t *testing.T) {
	m, root, _ := miner(t, golden)
	const marker, other = "> @agent-Miner where is the tram?\n", "> @agent-Miner and the bus?\n"
	block := "<!-- agent-response -->\nBy the river.\n\n" + signature + "\n<!-- /agent-response -->\n"
	for name, c := range map[string]struct {
		note   string
		signed bool
	}{
		"a first answer":                  {marker, true},
		"a further one":                   {block + "\n" + marker, false},
		"one made anew":                   {block, true},
		"one made anew beside a question": {block + "\n" + other, true},
		"below a text about it":           {signature + "\n\n" + marker, true},
		"a note that is gone":             {"", true},
	} {
		path := filepath.Join(root, "Asked.md")
		if err := os.WriteFile(path, []byte(c.note), 0o644); err != nil {
			t.Fatal(err)
		}
		if c.note == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Asked.md", Requests: []agent.Request{{Line: 1, Instruction: "where is the tram?"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.HasSuffix(reply.Text, signature); got != c.signed {
			t.Errorf("%s: signed is %v\n%s", name, got, reply.Text)
		}
	}
}

// What a person wrote below an unfinished question is asked too, and does not decide which note answers.
func TestOwnSentenceFirst(t *testing.T) {
	m, root, _ := miner(t, golden)
	const own = "where is the restic backup"
	for _, below := range []string{"", "\nThe tram 28 leaves from Martim Moniz before nine."} {
		req := request(own + below)
		req.Own = own
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Journal.md", Requests: []agent.Request{req}})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(reply.Text, "[[Backups#") {
			t.Errorf("%q: %s", below, reply.Text)
		}
	}
}
