package builtin

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/embed"
)

// thinker knows that a physician is a doctor; it puts all other texts far from those.
type thinker struct{}

func (thinker) Documents(_ context.Context, docs []embed.Doc) (list [][]float32, err error) {
	for _, d := range docs {
		list = append(list, vectorOf(d.Text))
	}
	return list, nil
}
func (thinker) Query(_ context.Context, text string) ([]float32, error) { return vectorOf(text), nil }
func (thinker) Fingerprint() string                                     { return "thinker" }

func vectorOf(text string) []float32 {
	if text = strings.ToLower(text); strings.Contains(text, "physician") || strings.Contains(text, "doctor") {
		return []float32{1, 0}
	}
	return []float32{0, 1}
}

// A question that shares no word with its note is answered by what is near in meaning, as the closest there is.
func TestMeaningAnswers(t *testing.T) {
	root := t.TempDir()
	var rels []string
	for name, text := range map[string]string{"Ada.md": "The physician has her rooms on Elm Street.\n", "Bob.md": "Bob repairs bicycles.\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rels = append(rels, name)
	}
	answers := func(options recall.Options) string {
		ix, err := recall.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), root, options)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		if err := ix.Sync(t.Context(), rels, nil); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- ix.Embed(ctx) }()
		defer func() { stop(); <-ended }()
		m := New(func(string) (*recall.Index, error) { return ix, nil })
		deadline := time.Now().Add(time.Minute)
		for { // until all texts have their vectors
			state, is := ix.Embedding()
			if !is || state.Vectors == len(rels) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("no vectors")
			}
			runtime.Gosched()
		}
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Inbox.md", Requests: []agent.Request{{Line: 1, Instruction: "where does my doctor work?"}}})
		if err != nil {
			t.Fatal(err)
		}
		return reply.Text
	}
	if text := answers(recall.Options{}); strings.Contains(text, "physician") {
		t.Errorf("without a model:\n%s", text)
	}
	if text := answers(recall.Options{Meaning: &recall.Meaning{Embedder: thinker{}, Weight: 1}}); !strings.Contains(text, "; closest:**") || !strings.Contains(text, "The physician has her rooms") {
		t.Errorf("with a model:\n%s", text)
	}
}
