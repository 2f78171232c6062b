// Wiki-transformers serves a sentence-transformer model from a folder to the
// engine, on this machine only, with OpenAI's interface for embeddings:
//
//	wiki-transformers --model ~/models/all-MiniLM-L6-v2
//
// and in the configuration of the engine
//
//	wiki:
//	  embedding: {provider: transformers, model: ~/models/all-MiniLM-L6-v2}
//
// The folder holds tokenizer.json and model.onnx, as such models are published.
// Inference is plain Go (hugot on gomlx), without cgo and without a graphics
// card: right for small models, slow for large ones.
//
// It is a module and a program of its own because its libraries are twenty-five
// modules and 15 MB that the engine does not need, and because a model in use
// takes hundreds of megabytes that should go when it is not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/pipelines"
)

func main() {
	model := flag.String("model", "", "`folder` with tokenizer.json and model.onnx")
	port := flag.Int("port", 11436, "`port` to listen on, at 127.0.0.1")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *model, *port); err != nil {
		fmt.Fprintf(os.Stderr, "wiki-transformers: %v\n", err)
		stop()
		os.Exit(1)
	}
}

// run serves the model until ctx ends.
func run(ctx context.Context, folder string, port int) error {
	if err := check(folder); err != nil {
		return err
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	session, err := hugot.NewGoSession()
	if err != nil {
		return fmt.Errorf("start the inference: %w", err)
	}
	pipeline, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: folder, Name: "embeddings"})
	if err != nil {
		return errors.Join(fmt.Errorf("read the model in %s: %w", folder, err), session.Destroy())
	}
	ln, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return errors.Join(err, session.Destroy())
	}
	fmt.Fprintf(os.Stderr, "wiki-transformers: serving %s at http://%s\n", filepath.Base(folder), ln.Addr())
	return errors.Join(serve(ctx, ln, &handler{model: filepath.Base(folder), embed: infer(pipeline)}), session.Destroy())
}

// check says what of a model is missing.
func check(folder string) error {
	if folder == "" {
		return errors.New("--model must name a folder with tokenizer.json and model.onnx")
	}
	for _, name := range []string{"tokenizer.json", "model.onnx"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("%s is missing; --model must name a folder with tokenizer.json and model.onnx", filepath.Join(folder, name))
		}
	}
	return nil
}

// infer makes the function that embeds texts.
func infer(p *pipelines.FeatureExtractionPipeline) func([]string) ([][]float32, error) {
	return func(texts []string) ([][]float32, error) {
		out, err := p.RunPipeline(texts)
		if err != nil {
			return nil, err
		}
		return out.Embeddings, nil
	}
}

// serve answers until ctx ends and everything under way is done.
func serve(ctx context.Context, ln net.Listener, h *handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 2 * time.Second, ReadTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		ended <- server.Shutdown(context.Background())
	}()
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}
