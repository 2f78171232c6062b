// Package columns is how the journal stores what SQLite has no type for: [Millis] for a time,
// [Digest] for a hash, [Lines] for texts, [Packed] for a long one. Each type reads a column, and the function beside
// it makes what is stored.
package columns

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Millis stores a time as UTC milliseconds, the zero time as 0.
type Millis time.Time

// ToMillis returns what is stored for t.
func ToMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// InMillis cuts a time to what is stored.
func InMillis(t time.Time) (cut time.Time) {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(ToMillis(t)).UTC()
}

// Scan implements sql.Scanner.
func (m *Millis) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("a time is stored as %T", v)
	}
	*m = Millis{}
	if n != 0 {
		*m = Millis(time.UnixMilli(n).UTC())
	}
	return nil
}

// Digest stores a SHA-256, the zero one as no bytes.
type Digest [32]byte

// HashBytes returns what is stored for a hash: no bytes for the zero one.
func HashBytes(h [32]byte) []byte {
	if h == [32]byte{} {
		return []byte{}
	}
	return h[:]
}

// Scan implements sql.Scanner.
func (h *Digest) Scan(v any) error {
	b, ok := v.([]byte)
	if !ok || len(b) != 0 && len(b) != len(h) {
		return errors.New("a hash is stored in another form")
	}
	*h = Digest{}
	copy(h[:], b)
	return nil
}

// Lines are texts of one line each, stored as one text.
type Lines []string

// Scan implements sql.Scanner.
func (l *Lines) Scan(v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("a list is stored as %T", v)
	}
	*l = nil
	if text != "" {
		*l = strings.Split(text, "\n")
	}
	return nil
}

// JoinLines returns what is stored for lines: each once, in order, and none that is empty
// or would be two.
func JoinLines(list []string) string {
	list = slices.DeleteFunc(slices.Sorted(slices.Values(list)), func(s string) bool { return s == "" || strings.Contains(s, "\n") })
	return strings.Join(slices.Compact(list), "\n")
}

// Packed is a long text, stored in fewer bytes.
type Packed string

// mostUnpacked is the length of the longest text that is read.
const mostUnpacked = 64 << 20

// Scan implements sql.Scanner. Where nothing is stored, or what damage has made of it, the text
// is left as it was.
func (p *Packed) Scan(v any) error {
	stored, ok := v.([]byte)
	if !ok && v != nil {
		return fmt.Errorf("a long text is stored as %T", v)
	}
	if len(stored) == 0 {
		return nil
	}
	r, err := takeUnpacker(stored)
	if r != nil {
		defer unpackers.Put(r)
	}
	if err != nil {
		return nil
	}
	if text, err := io.ReadAll(io.LimitReader(r, mostUnpacked)); err == nil {
		*p = Packed(text)
	}
	return nil
}

// Packers are kept, because one takes a megabyte, and unpackers, because each step of a dispatch needs one.
var (
	packers   = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}
	unpackers sync.Pool
)

func takeUnpacker(stored []byte) (io.Reader, error) {
	if r, isKept := unpackers.Get().(zlib.Resetter); isKept {
		return r.(io.Reader), r.Reset(bytes.NewReader(stored), nil)
	}
	return zlib.NewReader(bytes.NewReader(stored))
}

// Pack returns what is stored for a long text.
func Pack(text string) []byte {
	var out bytes.Buffer
	if text == "" {
		return []byte{}
	}
	w := packers.Get().(*zlib.Writer)
	defer packers.Put(w)
	w.Reset(&out)
	_, _ = io.WriteString(w, text) // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// Blob returns what is stored for b: never NULL.
func Blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
