package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/recall/embed"
)

// static is a model2vec folder (https://github.com/MinishLab/model2vec): a vector
// for each token. The vector of a text is the mean of its tokens'.
// It needs no server and no graphics card, and embeds tens of thousands of passages in
// a second or two.
//
// The table remains in its file; the operating system caches the rows in use.
type static struct {
	file     string
	table    tensor
	weights  []float64 // of the tokens; nil = all alike
	rows     []float64 // row of each token; nil = its number
	tokens   *tokenizer
	dim      int
	prefixes prefixes
	print    string
}

// maxTokenizer bounds tokenizer.json; that of a model for 101 languages has 40 MB.
const maxTokenizer = 128 << 20

// maxTokens is how much of a text is read, as model2vec does it.
const maxTokens = 512

func newStatic(opts Options, p prefixes) (*static, error) {
	unusable := func(name string, err error) error {
		return &embed.Failure{Reason: fmt.Sprintf("%s %v", filepath.Join(opts.Model, name), describeFileError(err)), Cause: err, Lasting: true,
			Remedy: "wiki.embedding.model must be a model2vec folder with tokenizer.json and model.safetensors"}
	}
	data, err := readLimited(filepath.Join(opts.Model, "tokenizer.json"), maxTokenizer)
	if err != nil {
		return nil, unusable("tokenizer.json", err)
	}
	s := &static{file: filepath.Join(opts.Model, "model.safetensors"), prefixes: p}
	if s.tokens, err = parseTokenizer(data); err != nil {
		return nil, unusable("tokenizer.json", err)
	}
	sum := sha256.Sum256(data)
	if err := s.openTensors(); err != nil {
		return nil, unusable("model.safetensors", err)
	}
	if opts.Dim > 0 && opts.Dim != s.dim {
		return nil, normalizeVector(make([]float32, s.dim), opts.Dim)
	}
	info, err := os.Stat(s.file)
	if err != nil {
		return nil, unusable("model.safetensors", err)
	}
	s.print = fingerprintOf(opts, p, fmt.Sprintf("%x %d %d", sum[:8], info.Size(), info.ModTime().UnixNano()))
	return s, nil
}

// openTensors reads the tensors that are kept in memory.
func (s *static) openTensors() error {
	f, err := os.Open(s.file)
	if err != nil {
		return err
	}
	defer f.Close()
	tensors, err := readTensors(f)
	if err != nil {
		return err
	}
	for _, name := range []string{"embeddings", "embedding.weight"} {
		s.table = cmp.Or(s.table, tensors[name])
	}
	if s.table.cols < 2 {
		return errors.New(`has no table called "embeddings"`)
	}
	s.dim = s.table.cols
	if t, ok := tensors["weights"]; ok {
		if s.weights, err = t.readList(f); err != nil {
			return err
		}
	}
	if t, ok := tensors["mapping"]; ok {
		if s.rows, err = t.readList(f); err != nil {
			return err
		}
	}
	return s.checkSizes()
}

// checkSizes checks that every token of the tokenizer has its numbers.
func (s *static) checkSizes() error {
	n := s.tokens.countTokens()
	if s.rows == nil && s.table.rows < n || s.rows != nil && len(s.rows) < n || s.weights != nil && len(s.weights) < n {
		return fmt.Errorf("has fewer vectors than tokenizer.json has tokens, %d", n)
	}
	for _, row := range s.rows {
		if row < 0 || int(row) >= s.table.rows {
			return errors.New("maps a token to a vector it does not have")
		}
	}
	return nil
}

func (s *static) Fingerprint() string { return s.print }

func (s *static) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := s.embedTexts(ctx, []string{s.prefixes.query + text})
	if err == nil && vectors[0] == nil {
		err = &embed.Failure{Reason: "the embedding model knows no word of the query", Remedy: "use other words", Lasting: true}
	}
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (s *static) Documents(ctx context.Context, docs []embed.Doc) ([][]float32, error) {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = s.prefixes.passageText(d)
	}
	return s.embedTexts(ctx, texts)
}

// embedTexts returns the vectors of texts, nil for one without a known token.
func (s *static) embedTexts(ctx context.Context, texts []string) ([][]float32, error) {
	f, err := os.Open(s.file)
	if err != nil {
		return nil, &embed.Failure{Reason: fmt.Sprintf("%s %v", s.file, describeFileError(err)), Cause: err,
			Remedy: "put the model back, or set wiki.embedding.provider to none"}
	}
	defer f.Close()
	out := make([][]float32, len(texts))
	row := make([]float32, s.dim)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[i], err = s.meanVector(f, clipText(text, maxText), row); err != nil {
			return nil, fmt.Errorf("read %s: %w", s.file, err)
		}
	}
	return out, nil
}

func (s *static) meanVector(f io.ReaderAt, text string, row []float32) ([]float32, error) {
	ids := s.tokens.encodeText(text)
	sum := make([]float32, s.dim)
	for _, id := range ids[:min(len(ids), maxTokens)] {
		at, weight := id, float32(1)
		if s.rows != nil {
			at = int(s.rows[id])
		}
		if s.weights != nil {
			weight = float32(s.weights[id])
		}
		if err := s.table.readRow(f, at, row); err != nil {
			return nil, err
		}
		for c, x := range row {
			sum[c] += weight * x
		}
	}
	if normalizeVector(sum, 0) != nil {
		return nil, nil
	}
	return sum, nil
}

func readLimited(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, isWhole, err := files.ReadLimited(f, limit)
	if err == nil && !isWhole {
		err = fmt.Errorf("is larger than %d MB", limit>>20)
	}
	return data, err
}

// describeFileError puts an error of the file system into a sentence that begins with the
// file.
func describeFileError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("is missing")
	}
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("cannot be read (%w)", bad.Err)
	}
	return err
}
