// Package wires holds what a runner reads against what it must make of it: each recorded wire is cut at every byte, comes
// in pieces of every size and under every type, and ends in ways that nobody has invented.
//
// [Read] reads the records, [Bend] tries them all. Before the offset from which a wire is whole, its runner must bring no
// reply; from it on the reply is the answer, byte for byte.
//
// A record is a file of a txtar archive. Its first line is the answer as a Go string. The rest is the wire, with two marks
// set by hand: ¦ stands where it is whole, and « and » around the word for its end, if there is one. A record that is never whole has
// no ¦, and the answer "".
package wires

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"vaultdispatcher/engine/testdata/testseed"
)

// Wire is one record.
type Wire struct {
	Name   string
	Body   string
	Whole  int // the offset from which it is whole
	Answer string

	end, endLength int // of the word for the end; 0 = there is none
}

// Read reads the records of an archive.
func Read(t testing.TB, file string) (list []Wire) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		first, body, _ := strings.Cut(string(f.Data), "\n")
		answer, err := strconv.Unquote(first)
		if err != nil || (answer != "") != (strings.Count(body, "¦") == 1) {
			t.Fatalf("the record %q: %v", f.Name, err)
		}
		list = append(list, New(f.Name, answer, body))
	}
	return list
}

// New is a record with marks.
func New(name, answer, body string) Wire {
	w := Wire{Name: name, Answer: answer}
	before, rest, _ := strings.Cut(body, "«")
	if word, after, ok := strings.Cut(rest, "»"); ok {
		w.end, w.endLength = len(before), len(word)
		body = before + word + after
	}
	if w.Whole = strings.Index(body, "¦"); w.Whole < 0 {
		w.Whole = math.MaxInt
	}
	w.Body = strings.Replace(body, "¦", "", 1)
	return w
}

// With returns the record changed, such as with other ends of its lines. The word for its end must stay as it is.
func (w Wire) With(name string, change func(string) string) Wire {
	w.Name += ", " + name
	if w.Whole < math.MaxInt {
		w.Whole = len(change(w.Body[:w.Whole]))
	}
	w.Body, w.end = change(w.Body), len(change(w.Body[:w.end]))
	return w
}

// Bent is a wire as a runner gets it.
type Bent struct {
	Wire
	Text   string // as much of it as comes
	Type   string // what it is called
	pieces uint64 // how it comes
	broken bool   // the connection ends, and not the answer
}

// Reader reads it in its pieces.
func (b Bent) Reader() io.Reader {
	return &reader{text: b.Text, random: rand.New(rand.NewPCG(b.pieces, 1)), broken: b.broken}
}

type reader struct {
	text   string
	random *rand.Rand
	broken bool
}

func (r *reader) Read(p []byte) (int, error) {
	if r.text == "" && r.broken {
		return 0, io.ErrUnexpectedEOF
	}
	if r.text == "" {
		return 0, io.EOF
	}
	n := 1 + r.random.IntN(1<<r.random.IntN(11))
	n = copy(p, r.text[:min(n, len(r.text))])
	r.text = r.text[n:]
	return n, nil
}

// Options are how records are bent.
type Options struct {
	Types  []string // what a wire may be called; none = nothing tells
	Rounds int      // how many ways of coming in pieces each cut has
	Ends   int      // how many invented ends each record gets, and is cut with in Rounds places
	Step   int      // how many bytes are between two cuts that are far from where a wire is whole; 0 = 1
}

// near is how far from where a wire is whole it is always cut at every byte.
const near = 60

// Bend tries every record in every way. run returns the text of the reply, or why there is none.
func Bend(t *testing.T, list []Wire, o Options, run func(Bent) (string, error)) {
	random := rand.New(rand.NewPCG(testseed.Take(t), 7))
	if len(o.Types) == 0 {
		o.Types = []string{""}
	}
	count, wrong := 0, 0
	try := func(b Bent, isWhole bool) {
		count++
		text, err := run(b)
		if isWhole == (err == nil) && (err != nil || text == b.Answer) {
			return
		}
		if wrong++; wrong <= 10 {
			t.Errorf("%s as %q, broken %t, %d of %d bytes, whole from %d:\n%s\nis read as %q, %v", b.Name, b.Type, b.broken, len(b.Text), len(b.Body), b.Whole, b.Text, text, err)
		}
	}
	for _, w := range list {
		for at := range len(w.Body) + 1 {
			if at%max(1, o.Step) != 0 && (at < w.Whole-near || at > w.Whole+near) {
				continue
			}
			for round := range o.Rounds * len(o.Types) {
				b := Bent{Wire: w, Text: w.Body[:at], Type: o.Types[round%len(o.Types)], pieces: random.Uint64(), broken: random.IntN(2) == 0 && at < len(w.Body)}
				try(b, at >= w.Whole)
			}
		}
		if w.endLength == 0 {
			continue
		}
		for range o.Ends {
			word := fmt.Sprintf("%s%x", []string{"", "stop_", "end-", "STOP", "e"}[random.IntN(5)], random.Uint64()>>random.IntN(40))
			bent := w
			bent.Body = w.Body[:w.end] + word + w.Body[w.end+w.endLength:]
			for round := range o.Rounds {
				at := len(bent.Body)
				if round > 0 {
					at = random.IntN(at)
				}
				try(Bent{Wire: bent, Text: bent.Body[:at], Type: o.Types[random.IntN(len(o.Types))], pieces: random.Uint64()}, false)
			}
		}
	}
	t.Logf("count: %d wires in %d ways, %d read wrong", len(list), count, wrong)
}
