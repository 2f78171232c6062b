// Package embed says what a model that turns texts into vectors has to do: the vectors of
// texts that mean the same are near each other. The index asks an [Embedder];
// engine/recall/models has those that a person can configure.
package embed

import (
	"context"
	"time"
)

// Doc is a passage to be found.
type Doc struct {
	Title string // of the note and the headings above; may be empty
	Text  string
}

// Embedder makes vectors. It is safe for concurrent use.
type Embedder interface {
	// Documents returns one vector for each passage. A passage that the model
	// takes in no form, not even cut short, has none: its vector is nil.
	Documents(ctx context.Context, docs []Doc) ([][]float32, error)
	// Query returns the vector of a question or of words looked for.
	Query(ctx context.Context, text string) ([]float32, error)
	// Fingerprint names everything that decides about the vectors. Vectors of
	// two fingerprints cannot be compared.
	Fingerprint() string
}

// Failure is why no vectors came.
type Failure struct {
	Reason  string        // one sentence, lower case, without a full stop
	Remedy  string        // what the reader can do about it
	Lasting bool          // asking again changes nothing before the reader has done that
	Pause   time.Duration // the server wishes to be left alone that long; 0 = it did not say
	Cause   error         // nil = there is no more to say
}

func (f *Failure) Error() string { return f.Reason + "; " + f.Remedy }
func (f *Failure) Unwrap() error { return f.Cause }
