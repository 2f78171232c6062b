package recall_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/embed"
)

// topics is an embedder: one number of the vector for each topic that a text names.
// A new kind of model needs these three methods, and a line in models.New.
type topics [][]string

func (t topics) Documents(ctx context.Context, docs []embed.Doc) ([][]float32, error) {
	vectors := make([][]float32, len(docs))
	for i, d := range docs {
		vectors[i], _ = t.Query(ctx, d.Title+" "+d.Text)
	}
	return vectors, nil
}

func (t topics) Query(_ context.Context, text string) ([]float32, error) {
	vector := make([]float32, len(t))
	for i, words := range t {
		for _, w := range words {
			if strings.Contains(strings.ToLower(text), w) {
				vector[i] = 1
			}
		}
	}
	return vector, nil
}

// Fingerprint changes whenever the vectors do, so that old ones are not compared
// with new ones.
func (t topics) Fingerprint() string { return fmt.Sprint("topics ", [][]string(t)) }

// An embedder finds a note that shares no word with the question.
func ExampleMeaning() {
	vault, err := os.MkdirTemp("", "vault-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(vault)
	notes := map[string]string{
		"Garage.md": "The automobile stands in the workshop.\n",
		"Garden.md": "The plums ripen in September.\n",
	}
	for name, text := range notes {
		if err := os.WriteFile(filepath.Join(vault, name), []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	meaning := &recall.Meaning{Embedder: topics{{"car", "automobile"}, {"plum", "garden"}}, Weight: 1}
	index, err := recall.Open(ctx, filepath.Join(vault, ".cache", "index.db"), vault, recall.Options{Meaning: meaning})
	if err != nil {
		panic(err)
	}
	if err := index.Sync(ctx, []string{"Garage.md", "Garden.md"}, nil); err != nil {
		panic(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = index.Embed(ctx) // follows the vault until ctx ends
	}()
	for state, _ := index.Embedding(); state.Vectors < len(notes) && ctx.Err() == nil; state, _ = index.Embedding() {
		<-time.After(time.Millisecond)
	}

	found, err := index.Find(ctx, "where is my car?", recall.SearchOptions{Limit: 1})
	if err != nil {
		panic(err)
	}
	for _, p := range found.Passages {
		fmt.Println(p.Link, p.Text)
	}
	stop()
	<-ended
	if err := index.Close(); err != nil {
		panic(err)
	}
	// Output: [[Garage]] The automobile stands in the workshop.
}
