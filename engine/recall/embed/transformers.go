package embed

import "fmt"

// newTransformers speaks to wiki-transformers, which serves a folder of a
// sentence-transformer on this machine. Its libraries are too many and too large
// for this program, so it is one of its own; see the folder transformers.
func newTransformers(opts Options, p prefixes) (*remote, error) {
	if opts.URL == "" {
		opts.URL = "http://127.0.0.1:11436"
	}
	r, err := newOpenAI(opts, p)
	if err != nil {
		return nil, err
	}
	r.start = fmt.Sprintf("start wiki-transformers --model %s, which is built in engine/recall/embed/transformers", opts.Model)
	r.fetch = fmt.Sprintf("end it and start wiki-transformers --model %s", opts.Model)
	return r, nil
}
