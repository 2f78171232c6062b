package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// tokenizer cuts text into the tokens of a model, as its tokenizer.json says:
// normalise, split, then WordPiece or Unigram. Tokens for unknown text
// are left out, and so are special ones.
type tokenizer struct {
	normalize func(string) string
	split     func([]string) []string
	vocab     map[string]int
	scores    []float64 // of Unigram's pieces; nil for WordPiece
	prefix    string    // of WordPiece's tokens that continue a word
	unknown   int       // token for unknown text, -1 for none
	longest   int       // bytes of the longest token
	maxWord   int       // runes of the longest word that WordPiece looks at
	least     float64   // lowest score
}

// part is one entry of the file: what it is, and its settings.
type part struct {
	Type string
	raw  json.RawMessage
}

func (p *part) UnmarshalJSON(data []byte) error {
	p.raw = append([]byte(nil), data...)
	var named struct{ Type string }
	err := json.Unmarshal(data, &named)
	p.Type = named.Type
	return err
}

func parseTokenizer(data []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   *part
		PreTokenizer *part `json:"pre_tokenizer"`
		Model        *struct {
			Type                    string
			Vocab                   json.RawMessage
			UnkToken                *string `json:"unk_token"`
			UnkID                   *int    `json:"unk_id"`
			ContinuingSubwordPrefix *string `json:"continuing_subword_prefix"`
			MaxInputCharsPerWord    int     `json:"max_input_chars_per_word"`
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("is no tokenizer file (%w)", err)
	}
	if file.Model == nil {
		return nil, errors.New("names no model")
	}
	t := &tokenizer{prefix: "##", unknown: -1, maxWord: 100}
	var err error
	if t.normalize, err = parseNormalizer(file.Normalizer, 0); err != nil {
		return nil, err
	}
	if t.split, err = parseSplitter(file.PreTokenizer, 0); err != nil {
		return nil, err
	}
	m := file.Model
	if m.ContinuingSubwordPrefix != nil {
		t.prefix = *m.ContinuingSubwordPrefix
	}
	if m.MaxInputCharsPerWord > 0 {
		t.maxWord = m.MaxInputCharsPerWord
	}
	switch m.Type {
	case "WordPiece":
		err = t.readWordPieces(m.Vocab, m.UnkToken)
	case "Unigram":
		err = t.readUnigrams(m.Vocab, m.UnkID)
	default:
		err = fmt.Errorf("cuts words by %q, and only WordPiece and Unigram are known here", m.Type)
	}
	return t, err
}

var errVocabulary = errors.New("has a vocabulary that cannot be read")

func (t *tokenizer) readWordPieces(raw json.RawMessage, unknown *string) error {
	if json.Unmarshal(raw, &t.vocab) != nil || len(t.vocab) == 0 {
		return errVocabulary
	}
	for word, id := range t.vocab {
		if id < 0 || id >= 1<<24 {
			return errVocabulary
		}
		t.longest = max(t.longest, len(word))
	}
	if unknown != nil {
		if id, ok := t.vocab[*unknown]; ok {
			t.unknown = id
		}
	}
	return nil
}

func (t *tokenizer) readUnigrams(raw json.RawMessage, unknown *int) error {
	var list [][2]any
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return errVocabulary
	}
	t.vocab = make(map[string]int, len(list))
	t.scores = make([]float64, len(list))
	for i, entry := range list {
		word, isText := entry[0].(string)
		score, isNumber := entry[1].(float64)
		if !isText || !isNumber {
			return errVocabulary
		}
		t.vocab[word], t.scores[i] = i, score
		t.longest, t.least = max(t.longest, len(word)), min(t.least, score)
	}
	if unknown != nil {
		t.unknown = *unknown
	}
	return nil
}

// countTokens is one more than the largest token.
func (t *tokenizer) countTokens() int {
	n := 0
	for _, id := range t.vocab {
		n = max(n, id+1)
	}
	return n
}

// encodeText returns the known tokens of text.
func (t *tokenizer) encodeText(text string) []int {
	var ids []int
	for _, word := range t.split([]string{t.normalize(text)}) {
		if t.scores != nil {
			ids = t.encodeUnigram(ids, word)
		} else {
			ids = t.encodeWordPiece(ids, word)
		}
	}
	return ids
}

// encodeWordPiece takes the longest known beginning of a word, and so on. A word with
// a rest that is not known is not known.
func (t *tokenizer) encodeWordPiece(ids []int, word string) []int {
	if utf8.RuneCountInString(word) > t.maxWord {
		return ids
	}
	n := len(ids)
	for at := 0; at < len(word); {
		prefix := ""
		if at > 0 {
			prefix = t.prefix
		}
		id, end := -1, at
		for cut := min(len(word), at+t.longest); cut > at; cut-- {
			if cut < len(word) && !utf8.RuneStart(word[cut]) {
				continue
			}
			if found, ok := t.vocab[prefix+word[at:cut]]; ok {
				id, end = found, cut
				break
			}
		}
		if id < 0 || id == t.unknown {
			return ids[:n]
		}
		ids, at = append(ids, id), end
	}
	return ids
}

// encodeUnigram finds the way through a word whose pieces are the likeliest together.
// A rune in no piece costs more than any piece.
func (t *tokenizer) encodeUnigram(ids []int, word string) []int {
	best := make([]float64, len(word)+1)
	from, piece := make([]int, len(word)+1), make([]int, len(word)+1)
	for i := range best[1:] {
		best[i+1] = math.Inf(-1)
	}
	for at := 0; at < len(word); {
		_, one := utf8.DecodeRuneInString(word[at:])
		for end := at + one; end <= min(len(word), at+t.longest); end++ {
			if id, ok := t.vocab[word[at:end]]; ok && best[at]+t.scores[id] > best[end] {
				best[end], from[end], piece[end] = best[at]+t.scores[id], at, id
			}
		}
		if score := best[at] + t.least - 10; score > best[at+one] {
			best[at+one], from[at+one], piece[at+one] = score, at, -1
		}
		at += one
	}
	n := len(ids)
	for end := len(word); end > 0; end = from[end] {
		if id := piece[end]; id >= 0 && id != t.unknown {
			ids = append(ids, id)
		}
	}
	for i, j := n, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}
