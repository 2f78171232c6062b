package embed

// newTransformers says what this program lacks: inference of transformer models
// is a build of its own.
func newTransformers(opts Options, p prefixes) (Embedder, error) {
	return nil, &Failure{Reason: "the embedding provider transformers is not in this build",
		Next: "serve the model with Ollama or llama.cpp and use the provider ollama or openai", Lasting: true}
}
