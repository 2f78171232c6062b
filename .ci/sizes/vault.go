package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// noteName is where a note of the vault is; fifty are in a folder.
func (b *bench) noteName(i int) string {
	return filepath.Join(b.vault, fmt.Sprintf("area %02d", i/50%20), fmt.Sprintf("topic %05d", i/50), fmt.Sprintf("note %06d.md", i))
}

// writeNotes makes a vault, untouched for a day as most notes are. One note in a thousand
// holds something that looks like an address.
func (b *bench) writeNotes() {
	r := rand.New(rand.NewPCG(1, 2))
	old := time.Now().Add(-24 * time.Hour)
	for i := range b.notes {
		text := composeNote(r, i, b.notes, 1024+r.IntN(3072))
		if i%1000 == 999 {
			text += "\nmail to somebody@example.org\n"
		}
		writeNote(b.noteName(i), text)
		check(os.Chtimes(b.noteName(i), old, old))
	}
}

func writeNote(name, text string) {
	check(os.MkdirAll(filepath.Dir(name), 0o755))
	check(os.WriteFile(name, []byte(text), 0o644))
}

// composeNote writes a note of headings, paragraphs, a quote, a list and links.
func composeNote(r *rand.Rand, i, notes, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntags: [t%d]\n---\n# Note %d\n", i%97, i)
	words := func(lead string, n int) {
		b.WriteString(lead)
		for range n {
			b.WriteString(pickWord(r) + " ")
		}
	}
	for b.Len() < size {
		words("\n## ", 3)
		words("\n\n", 40)
		fmt.Fprintf(&b, "see [[note %06d]].\n", r.IntN(notes))
		words("\n> ", 12)
		words("\n\n- ", 8)
		words("\n- ", 8)
		b.WriteString("\n")
	}
	return b.String()
}

// pickWord returns one of 30,000, the first ones often, as in a language.
func pickWord(r *rand.Rand) string {
	n := int(30_000 * r.Float64() * r.Float64() * r.Float64())
	const syllables = "kalomiretusanodevipagu"
	var b strings.Builder
	for n += 11; n > 0; n /= 11 {
		b.WriteString(syllables[n%11*2 : n%11*2+2])
	}
	return b.String()
}

// ask writes a marker into the middle of a note, as an app that saves in place does.
func (b *bench) ask(i int) *question {
	name := b.noteName(i)
	src, err := os.ReadFile(name)
	check(err)
	at := len(src)
	if i := bytes.Index(src[at/2:], []byte("\n\n")); i >= 0 {
		at = at/2 + i
	}
	q := b.agent.newQuestion(name)
	var text bytes.Buffer
	text.Write(src[:at])
	fmt.Fprintf(&text, "\n\n> @agent-Bench q-%d what do we know of %s and %s?\n", q.id, pickWord(b.random), pickWord(b.random))
	text.Write(src[at:])
	q.saved = time.Now()
	check(os.WriteFile(name, text.Bytes(), 0o644))
	return q
}

// writeIn adds a line to some notes, one after the other, as a person who works in them.
func (b *bench) writeIn(n int) (notes []int) {
	for range n {
		i := b.pickNote()
		src, err := os.ReadFile(b.noteName(i))
		check(err)
		check(os.WriteFile(b.noteName(i), append(src, "A line more.\n"...), 0o644))
		time.Sleep(200 * time.Millisecond)
		notes = append(notes, i)
	}
	return notes
}

// isAnswered reports whether the answer to a question is in its note.
func (q *question) isAnswered() bool {
	if !q.answered.IsZero() {
		return true
	}
	src, err := os.ReadFile(q.note)
	if err == nil && bytes.Contains(src, fmt.Appendf(nil, "answer %d.", q.id)) {
		q.answered = time.Now()
	}
	return !q.answered.IsZero()
}

// sizesBelow returns the sizes of the files of a folder.
func sizesBelow(folder string) map[string]int64 {
	sizes := make(map[string]int64)
	check(filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				sizes[name] = info.Size()
			}
		}
		return err
	}))
	return sizes
}
