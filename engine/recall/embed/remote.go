package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// What is read of a server's answer is bounded, for it is held in memory: a
// vector of 4,096 numbers, written out, has 100 KB, and a complaint is short.
const (
	maxVector    = 512 << 10
	maxComplaint = 64 << 10
)

var errRedirect = errors.New("redirect")

// remote is a model behind an HTTP server. Its dialect makes the body of a
// request and reads the vectors of an answer.
type remote struct {
	base, path  string
	seen        string // base, for messages
	model       string
	key         string
	keyVariable string
	dim, batch  int
	timeout     time.Duration
	prefixes    prefixes
	print       string
	start       string // what to do when nothing answers
	fetch       string // what to do when the model is missing
	client      *http.Client

	ask  func(texts []string) any
	read func(body []byte, n int) ([][]float32, error)
}

func newRemote(opts Options, p prefixes, base string) *remote {
	return &remote{
		base: base, seen: Shown(base), model: opts.Model, key: opts.Key, keyVariable: opts.KeyVariable,
		dim: opts.Dim, batch: opts.Batch, timeout: opts.Timeout, prefixes: p,
		print: fingerprint(opts, p, ""),
		client: &http.Client{
			Timeout:       opts.Timeout,
			Transport:     &http.Transport{MaxIdleConns: 2, IdleConnTimeout: 30 * time.Second}, // no proxy
			CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
		},
	}
}

// Shown is an address as it may be seen, in logs and on pages: one that was written by
// hand may hold a name, a password or a key. One without any of these stays as it is.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "its address"
	}
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return address
	}
	if u.User != nil {
		u.User = url.User("xxxxx")
	}
	if u.RawQuery != "" {
		u.RawQuery = "xxxxx"
	}
	if u.Fragment != "" {
		u.Fragment, u.RawFragment = "xxxxx", ""
	}
	return u.String()
}

func (r *remote) Fingerprint() string { return r.print }

func (r *remote) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := r.vectors(ctx, []string{r.prefixes.query + clip(text, maxText)})
	if err != nil {
		return nil, r.explain(err)
	}
	return vectors[0], nil
}

func (r *remote) Documents(ctx context.Context, docs []Doc) ([][]float32, error) {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = clip(r.prefixes.passage(d), maxText)
	}
	out := make([][]float32, 0, len(docs))
	for len(texts) > 0 {
		n := min(r.batch, len(texts))
		vectors, err := r.halving(ctx, texts[:n])
		if err != nil {
			return nil, r.explain(err)
		}
		out, texts = append(out, vectors...), texts[n:]
	}
	return out, nil
}

// maxText and minText bound a text in bytes: what no model reads to the end,
// and what every model should take.
const (
	maxText = 32 << 10
	minText = 200
)

// halving asks for vectors, and for half as many, or of half a text, when the
// server says that it was asked for too much.
func (r *remote) halving(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := r.vectors(ctx, texts)
	switch {
	case !tooMuch(err):
		return vectors, err
	case len(texts) > 1:
		left, err := r.halving(ctx, texts[:len(texts)/2])
		if err != nil {
			return nil, err
		}
		right, err := r.halving(ctx, texts[len(texts)/2:])
		return append(left, right...), err
	case len(texts[0]) > minText:
		return r.halving(ctx, []string{clip(texts[0], len(texts[0])/2)})
	}
	if _, other := r.vectors(ctx, []string{"text"}); other != nil {
		return nil, err // it is not this text
	}
	return [][]float32{nil}, nil
}

// vectors makes one request.
func (r *remote) vectors(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := r.post(ctx, r.ask(texts), len(texts)*maxVector)
	if err != nil {
		return nil, err
	}
	vectors, err := r.read(body, len(texts))
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, r.garbled("gave %d vectors for %d texts", len(vectors), len(texts))
	}
	for _, v := range vectors {
		if err := unit(v, r.dim); err != nil {
			return nil, err
		}
		if len(v) != len(vectors[0]) {
			return nil, r.garbled("gave vectors of %d and of %d numbers in one answer", len(vectors[0]), len(v))
		}
	}
	return vectors, nil
}

// post returns the body of an answer, which may have limit bytes.
func (r *remote) post(ctx context.Context, question any, limit int) ([]byte, error) {
	data, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.base+r.path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, r.unreached(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		limit = maxComplaint
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case resp.StatusCode != http.StatusOK:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return nil, &refusal{resp.StatusCode, complaint(body), time.Duration(max(0, min(seconds, 3600))) * time.Second}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, r.garbled("broke its answer off after %d bytes", len(body))
	case err != nil:
		return nil, r.unreached(ctx, err)
	case len(body) > limit:
		return nil, r.garbled("gave more than %d KB, which is too much for what it was asked", limit>>10)
	}
	return body, nil
}

// decode reads a body of JSON.
func (r *remote) decode(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok && wrong.Offset >= int64(len(body)) {
		return r.garbled("broke its answer off after %d bytes", len(body))
	}
	if err != nil {
		return r.garbled("gave an answer that is no list of vectors (%v)", err)
	}
	return nil
}

// explain gives a refusal that was not dealt with its sentence.
func (r *remote) explain(err error) error {
	if refused, ok := errors.AsType[*refusal](err); ok {
		return r.refused(refused)
	}
	return err
}

// complaint is what a server says of its failure: {"error":"..."},
// {"error":{"message":"..."}} or plain text, in one line of 200 characters that
// no terminal takes for commands.
func complaint(body []byte) string {
	var plain struct{ Error string }
	var nested struct{ Error struct{ Message string } }
	text := string(body)
	if json.Unmarshal(body, &plain) == nil && plain.Error != "" {
		text = plain.Error
	} else if json.Unmarshal(body, &nested) == nil && nested.Error.Message != "" {
		text = nested.Error.Message
	} else if strings.HasPrefix(strings.TrimSpace(text), "<") { // a page
		text = ""
	}
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	return strings.TrimSuffix(clip(text, 200), ".")
}

// clip keeps at most n bytes of text and cuts no rune.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
