package recall

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/terms"
)

// Chunks are ranked by BM25F: the occurrences of a term in all fields of a chunk are
// added up before they saturate. assets/docs/evidence/measurements.md has the figures behind
// these numbers.
const (
	saturation = 2.0 // k1: how far a term's tenth occurrence still counts
	lengthPart = 0.9 // b: how far long text is held against what it holds
	usualWords = 100 // length of text that is neither short nor long
)

// otherForm is the weight of a word with the stem of a term in another form:
// "questions" where "question" was asked for.
const otherForm = 0.5

// columnWeights are the weights of an occurrence.
var columnWeights = [4]float64{postings.Title: 4, postings.Heading: 2, postings.Body: 1}

// plenty is how many chunks a query reads for its terms, those of the rarest terms
// first. The words that are left out say next to nothing.
const plenty = 50_000

// common is the number of chunks from which on a word is a common one.
const common = 2000

// lengthStep is how many steps a doubling of a text's length has in a chunk's number.
const lengthStep = 16

// lengthOf is the length of a text of so many words in a chunk's number.
func lengthOf(words int) uint8 {
	return uint8(min(math.Round(lengthStep*math.Log2(float64(1+words))), math.MaxUint8))
}

// brevity is the weight of an occurrence in the text, by the length of the text.
var brevity = func() (table [math.MaxUint8 + 1]float64) {
	for i := range table {
		words := math.Exp2(float64(i)/lengthStep) - 1
		table[i] = 1 / (1 - lengthPart + lengthPart*words/usualWords)
	}
	return table
}()

// evidence is what the index has of one term.
type evidence struct {
	term  *terms.Term
	lists []postings.List
	parts []float64 // weight of an occurrence in the text, by list
	limit int       // chunks at most
}

// weightOf is what an occurrence of a word in the text counts for a term.
func weightOf(t terms.Term, word []byte) float64 {
	_, form, _ := strings.Cut(string(word), terms.OtherForm)
	if len(t.Forms) > 1 || t.IsPrefix || form == t.Exact { // for several any form will do
		return 1
	}
	return otherForm
}

// readTerms reads what the index has of the terms of the query.
func (s searcher) readTerms(ctx context.Context) (list []evidence, gone map[postings.Chunk]bool, err error) {
	s.ix.opened.RLock()
	defer s.ix.opened.RUnlock()
	tx, err := s.ix.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, err
	}
	defer tx.Rollback()
	reader := postings.NewReader(tx)
	if gone, err = reader.ReadGone(ctx); err != nil {
		return nil, nil, err
	}
	read := func(some ...int) error { // the terms with these numbers
		var ranges []postings.Range
		var of []int
		for _, i := range some {
			list[i] = evidence{term: &s.q.Terms[i]}
			for _, form := range s.q.Terms[i].Forms {
				ranges, of = append(ranges, rangeOf(form, s.q.Terms[i].IsPrefix)), append(of, i)
			}
		}
		return reader.Read(ctx, ranges, func(i int, word []byte, l postings.List) {
			e := &list[of[i]]
			e.lists = append(e.lists, bytes.Clone(l))
			e.parts = append(e.parts, weightOf(*e.term, word))
			e.limit += l.Len()
		})
	}
	all := make([]int, len(s.q.Terms))
	for i := range all {
		all[i] = i
	}
	list = make([]evidence, len(all))
	if err = read(all...); err != nil {
		return nil, nil, fmt.Errorf("look up words in the index: %w", err)
	}
	for i := range list {
		if len(list[i].lists) > 0 {
			continue
		}
		forms := len(list[i].term.Forms)
		s.q.Part(i, func(form string) (isKnown bool) {
			err = errors.Join(err, reader.Read(ctx, []postings.Range{rangeOf(form, list[i].term.IsPrefix)}, func(int, []byte, postings.List) { isKnown = true }))
			return isKnown
		})
		if err == nil && len(list[i].term.Forms) > forms {
			err = read(i)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("look up %q in the index: %w", list[i].term.Word, err)
		}
	}
	return list, gone, nil
}

// rangeOf is the words of the index with a form.
func rangeOf(form string, isPrefix bool) postings.Range {
	if isPrefix {
		return postings.Range{First: form, Last: form + "\U0010ffff"}
	}
	return postings.Range{First: form, Last: form + terms.OtherForm + "\U0010ffff"}
}

// chunks returns the chunks that hold the term in the order of their numbers, each
// with its weighted occurrences.
func (e evidence) chunks(gone map[postings.Chunk]bool) []postings.Scored {
	var lists [][]postings.Scored
	for i, l := range e.lists {
		list := make([]postings.Scored, 0, l.Len())
		l.Each(func(c postings.Chunk, in postings.Column, times int) {
			value := columnWeights[in] * float64(times)
			if in == postings.Body {
				value *= e.parts[i] * brevity[c.Length()]
			}
			if n := len(list) - 1; n >= 0 && list[n].Chunk == c {
				list[n].Value += value
			} else if len(gone) == 0 || !gone[c] {
				list = append(list, postings.Scored{Chunk: c, Value: value})
			}
		})
		lists = append(lists, list)
	}
	return postings.SumScores(lists)
}

// scoreChunks returns the n best chunks for the query, the best first, and gives each term its weight. With rarest,
// it uses only that many of the terms that occur, the rarest.
func (s searcher) scoreChunks(ctx context.Context, rarest, n int) ([]postings.Scored, error) {
	found, gone, err := s.readTerms(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b evidence) int { return cmp.Compare(a.limit, b.limit) })
	if rarest > 0 {
		found = slices.DeleteFunc(found, func(e evidence) bool { return e.limit == 0 })
		found = found[:min(rarest, len(found))]
	}
	total := float64(s.ix.State().Chunks)
	var lists [][]postings.Scored
	held := make(map[*terms.Term][]postings.Scored)
	var used []terms.Term
	left := plenty
	for _, e := range found {
		have := float64(e.limit)
		if e.limit <= left || len(lists) == 0 {
			left -= e.limit
			list := e.chunks(gone)
			held[e.term] = list
			have = float64(len(list))
			idf := math.Log(1 + max(total-have+0.5, 0.5)/(have+0.5))
			for i, p := range list {
				list[i].Value = idf * p.Value * (saturation + 1) / (p.Value + saturation)
			}
			lists = append(lists, list)
		}
		e.term.Weigh(math.Log(1+(min(total, 50000)+1)/(min(have, common)+0.5)), int(have))
		used = append(used, *e.term)
	}
	if rarest > 0 {
		s.q.Use(used)
	} else {
		s.q.CheckNames(func(a, b *terms.Term) bool {
			return held[a] == nil || held[b] == nil || postings.HaveCommon(held[a], held[b])
		})
	}
	return postings.TopScored(postings.SumScores(lists), n), nil
}

// Weigh returns the terms of a text, each with its weight in this vault; rarest is as in [SearchOptions].
func (ix *Index) Weigh(ctx context.Context, text string, rarest int) (*terms.Query, error) {
	q := terms.Parse(text)
	_, err := searcher{ix, q}.scoreChunks(ctx, rarest, 1)
	return q, err
}
