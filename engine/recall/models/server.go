package models

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/secret"
)

// maxVector bounds what is read for one vector, which is held in memory. A vector
// of 4,096 numbers, written out, has 100 KB.
const maxVector = 512 << 10

// remote is a model behind an HTTP server.
type remote struct {
	base, path  string
	label       string // base, for messages
	model       string
	key         string
	keyVariable string
	dim, batch  int
	timeout     time.Duration
	prefixes    prefixes
	print       string
	start       string // advice for a server that does not answer
	fetch       string // advice for a missing model
	client      *modelhttp.Client

	exchange func(ctx context.Context, texts []string) ([][]float32, error) // one request in the dialect of the server
}

func newRemote(opts Options, p prefixes, base string) *remote {
	return &remote{
		base: base, label: secret.RedactAddress(base), model: opts.Model, key: opts.Key, keyVariable: opts.KeyVariable,
		dim: opts.Dim, batch: opts.Batch, timeout: opts.Timeout, prefixes: p,
		print:  fingerprintOf(opts, p, ""),
		client: modelhttp.NewClient(2),
	}
}

func (r *remote) Fingerprint() string { return r.print }

func (r *remote) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := r.requestVectors(ctx, []string{r.prefixes.query + clipText(text, maxText)})
	if err != nil {
		return nil, r.explainError(err)
	}
	return vectors[0], nil
}

func (r *remote) Documents(ctx context.Context, docs []embed.Doc) ([][]float32, error) {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = clipText(r.prefixes.passageText(d), maxText)
	}
	out := make([][]float32, 0, len(docs))
	for len(texts) > 0 {
		n := min(r.batch, len(texts))
		vectors, err := r.embedOrHalve(ctx, texts[:n])
		if err != nil {
			return nil, r.explainError(err)
		}
		out, texts = append(out, vectors...), texts[n:]
	}
	return out, nil
}

// maxText and minText are sizes of a text in bytes: no model reads more than
// maxText, and every model should take minText.
const (
	maxText = 32 << 10
	minText = 200
)

// embedOrHalve asks for vectors, and for half as many, or of half a text, when the
// server says that it was asked for too much.
func (r *remote) embedOrHalve(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := r.requestVectors(ctx, texts)
	switch {
	case !isTooMuch(err):
		return vectors, err
	case len(texts) > 1:
		left, err := r.embedOrHalve(ctx, texts[:len(texts)/2])
		if err != nil {
			return nil, err
		}
		right, err := r.embedOrHalve(ctx, texts[len(texts)/2:])
		return append(left, right...), err
	case len(texts[0]) > minText:
		return r.embedOrHalve(ctx, []string{clipText(texts[0], len(texts[0])/2)})
	}
	if _, other := r.requestVectors(ctx, []string{"text"}); other != nil {
		return nil, err // it is not this text
	}
	return [][]float32{nil}, nil
}

// requestVectors makes one request.
func (r *remote) requestVectors(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := r.exchange(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, r.explainGarbled("gave %d vectors for %d texts", len(vectors), len(texts))
	}
	for _, v := range vectors {
		if err := normalizeVector(v, r.dim); err != nil {
			return nil, err
		}
		if len(v) != len(vectors[0]) {
			return nil, r.explainGarbled("gave vectors of %d and of %d numbers in one answer", len(vectors[0]), len(v))
		}
	}
	return vectors, nil
}

// postJSON sends a question and reads its answer, which may have limit bytes.
func (r *remote) postJSON(ctx context.Context, question any, limit int, answer any) error {
	asking, stop := context.WithTimeout(ctx, r.timeout)
	defer stop()
	resp, err := r.client.Post(asking, r.base+r.path, r.key, question)
	if _, refused := errors.AsType[*modelhttp.Refusal](err); refused {
		return err
	}
	if err != nil {
		return r.explainUnreached(ctx, err)
	}
	err = modelhttp.ReadJSON(resp, limit, answer)
	broken, isBroken := errors.AsType[*modelhttp.BrokenOff](err)
	_, isSyntax := errors.AsType[*json.SyntaxError](err)
	_, isType := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil:
		return nil
	case isBroken:
		return r.explainGarbled("broke its answer off after %d bytes", broken.Bytes)
	case errors.Is(err, modelhttp.ErrTooLong):
		return r.explainGarbled("gave more than %d KB, which is too much for what it was asked", limit>>10)
	case isSyntax || isType:
		return r.explainGarbled("gave an answer that is no list of vectors (%v)", err)
	}
	return r.explainUnreached(ctx, err)
}

// explainError turns a refusal that was not dealt with into its sentence.
func (r *remote) explainError(err error) error {
	if refused, ok := errors.AsType[*modelhttp.Refusal](err); ok {
		return r.explainRefusal(refused)
	}
	return err
}

// clipText keeps at most n bytes of text and cuts no rune.
func clipText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
