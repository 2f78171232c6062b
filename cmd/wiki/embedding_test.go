package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
)

// fakeOllama serves the model "tiny" at the address in $EMBEDDER, with vectors
// in which words of one meaning are one. Each request is logged to $LOG.ollama.
// While the file $LOG.down exists it fails.
func fakeOllama() {
	http.HandleFunc("POST /api/embed", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Input) == 0 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if _, err := os.Stat(os.Getenv("LOG") + ".down"); err == nil {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, `{"error":"the model crashed"}`)
			return
		}
		if q.Model != "tiny" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"error":"model %q not found, try pulling it first"}`, q.Model)
			return
		}
		f, err := os.OpenFile(os.Getenv("LOG")+".ollama", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			fmt.Fprintf(f, "%d texts\n", len(q.Input))
			f.Close()
		}
		var vectors [][]float32
		for _, text := range q.Input {
			vectors = append(vectors, meaningOf(text))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
	})
	serveScript()
}

// serveScript serves at the address in $EMBEDDER until the script ends it, which
// it does by an interrupt. A shell that runs the tests in the background has them
// and all they start ignore that, so it is asked for.
func serveScript() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() { <-interrupted; os.Exit(0) }()
	fmt.Fprintln(os.Stderr, http.ListenAndServe(os.Getenv("EMBEDDER"), nil))
	os.Exit(1)
}

// meaningOf is the vector of a text.
func meaningOf(text string) []float32 {
	same := map[string]string{"car": "vehicle", "automobile": "vehicle", "doctor": "medicine", "clinic": "medicine"}
	v := make([]float32, 64)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		weight := float32(0.2)
		if m := same[word]; m != "" {
			word, weight = m, 3
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		v[h.Sum32()%64] += weight
	}
	return v
}

// embedded N waits until N passages have their vectors and none lacks one.
func embedded(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	eventually(ts, "embedded "+args[0], func() bool {
		s, err := engineStatus(ts)
		e := s.Index.Embedding
		return err == nil && e.Vectors == n && e.Pending == 0
	})
}

// embedFails TEXT waits until the status says so of the embedder.
func embedFails(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, "embedder failing", func() bool {
		s, err := engineStatus(ts)
		return err == nil && strings.Contains(s.Index.Embedding.LastError, args[0])
	})
}
