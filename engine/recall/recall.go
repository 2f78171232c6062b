// Package recall is the memory of a vault: a full-text index of its notes, kept
// in one SQLite file that may be thrown away at any time, and the passages it
// finds, each with a quote read afresh from the note and a link that resolves.
//
// Most callers need two calls: [Open], once per vault, and [Index.Find].
// [Index.Related] finds what belongs to a piece of writing.
// [Index.Sync] brings the index up to the vault after a start, [Index.Update]
// follows a single saved, renamed or deleted note. With an embedder,
// [Index.Embed] runs beside them and makes vectors; nothing waits for it.
//
// # Promises
//
// The vault is only ever read. The index is a cache: a file of another version or a
// damaged one is deleted and filled again, which costs time and nothing else.
//
// No call waits for a lock that is held while the disk of the vault is read. State
// and Embedding read memory only. A call that reads notes ends with its context,
// also where a share hangs.
//
// A marker line and a response block are never indexed, so a question is not its
// own best answer and an answer is no source. A quote is read from the note at that
// moment, in whole blocks. Where the note has changed since it was indexed and no
// longer answers, the next passage takes its place.
//
// A quote holds at least one word of the query, unless title and headings hold
// all of them, the query is the note's name, or the passage is near in meaning.
//
// User text is never query syntax: every query string is valid. "Matches n of m
// terms" counts the same words the index was built from, in what is shown.
package recall

import (
	"cmp"
	"log/slog"
)

// Options say how [Open] treats a vault.
type Options struct {
	Log     *slog.Logger          // nil = no log
	Exclude func(rel string) bool // notes that stay out of the index; nil = none
	NoGraph bool                  // links have no part in the ranking
	Meaning *Meaning              // nil = passages are found by their words alone
	Silent  func(rel string) bool // notes that no embedder is told of, nor what is asked in them; nil = none
	Changed func()                // is called when State or Embedding has changed; it must not wait, nor ask for them; nil = none
	Peek    bool                  // the file belongs to another process: it is only read, and has to be there
}

// SearchOptions bound one search.
type SearchOptions struct {
	Limit   int   // passages at most; 0 = 5
	Exclude Lines // text that is not quoted: the asking lines
	Nearby  bool  // also passages whose text has no term: something to name, not to quote
	Rarest  int   // use only that many words of the query, the rarest; 0 = all. For text that is no question

	WordsOnly bool   // meaning takes no part
	Asking    string // the note that asks, whose own links say nothing new

	room   int  // runes of a quote; 0 = page.QuoteRunes
	anyway bool // also a passage that no term matches: a link or its meaning led there
}

// Lines is a range of lines of one note, from 1, both ends included.
type Lines struct {
	Note       string // path in the vault, with slashes
	Start, End int
}

// Passage is one place of the vault that matches a query.
type Passage struct {
	Note     string // path in the vault, with slashes
	Title    string // the title the note gives itself, else its file name
	Heading  string // headings above the text, outermost first, joined by " › "
	Link     string // to the heading, ready to be written into a note of the vault
	NoteLink string // to the note

	Line       int      // of the first quoted line, from 1
	Text       string   // the quote: whole blocks of the note, cut at 400 characters
	Matched    int      // query terms in text, title, headings and tags
	InTitle    int      // terms that the text lacks and the title or an alias has
	InHeading  int      // terms that only a heading above the text has
	InTags     int      // terms that only the note's tags have
	Terms      int      // terms of the query
	Share      float64  // of the query's weight that matched, 0 to 1; rare words weigh more
	Missing    []string // query words found nowhere above, as they were typed
	Score      float64  // for sorting only; larger is better
	Similarity float64  // similarity in meaning where that was compared, 1 at most; 0 = not among the nearest
}

// State says how far the index has come.
type State struct {
	Notes    int // indexed
	Chunks   int
	Bytes    int  // of its file
	Pending  int  // notes a running Sync has still to look at
	Complete bool // the first Sync has ended

	LastError string // why a note or the whole vault could not be indexed; empty after a Sync without errors
}

// CompareRanks orders passages of several indexes by their ranks, each from 0 in its own: the first of each index
// precedes the second of each. At equal rank, the passage with the larger share of the query comes first. Scores are
// not compared, because a word that is rare in one vault is common in the other.
func CompareRanks(rankA int, a Passage, rankB int, b Passage) int {
	return cmp.Or(cmp.Compare(rankA, rankB), cmp.Compare(b.Share, a.Share), cmp.Compare(b.Similarity, a.Similarity))
}
