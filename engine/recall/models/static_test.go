package models

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/testdata/testseed"
)

// wordPieceFile is a tokenizer of a few words, set up as those of BERT's models.
const wordPieceFile = `{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":20,
"vocab":{"[PAD]":0,"[UNK]":1,"key":2,"back":3,"##up":4,"##s":5,"cafe":6,"!":7,"山":8,"spare":9}}}`

const unigramFile = `{"normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled","precompiled_charsmap":"AA=="},{"type":"Lowercase"},
{"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "}]},
"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁key",-2],["▁ke",-3],["y",-3],["▁",-4],["back",-3],["up",-3],["backup",-7],["s",-2]]}}`

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []int
	}{
		{wordPieceFile, "Spare KEY!", []int{9, 2, 7}},
		{wordPieceFile, "backups, back-up", []int{3, 4, 5, 3}}, // "," and "up" are in no vocabulary
		{wordPieceFile, "café cafe\u0301", []int{6, 6}},
		{wordPieceFile, "key山key", []int{2, 8, 2}},
		{wordPieceFile, "keyx backx " + strings.Repeat("key", 10), nil},
		{wordPieceFile, "", nil},
		{unigramFile, "KEY", []int{1}},
		{unigramFile, "keys", []int{1, 8}},
		{unigramFile, "ｋｅｙ", []int{1}},
		{unigramFile, "backups", []int{4, 5, 6, 8}}, // two pieces at -6 beat one at -7
		{unigramFile, "key  Ωkey", []int{1, 4, 3}},
		{unigramFile, "", []int{4}},
	} {
		tok, err := parseTokenizer([]byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		if got := tok.encodeText(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: tokens %v, want %v", c.text, got, c.want)
		}
	}
}

func TestSplitters(t *testing.T) {
	for _, c := range []struct{ config, want string }{
		{`{"type":"Whitespace"}`, "it|'|s|2024|-|01|now|!?"},
		{`{"type":"WhitespaceSplit"}`, "it's|2024-01|now!?"},
		{`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Punctuation"}]}`, "it|'|s|2024|-|01|now|!|?"},
		{`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Digits","individual_digits":true}]}`, "it's|2|0|2|4|-|0|1|now!?"},
		{`{"type":"Split","pattern":{"String":" "},"behavior":"Removed","invert":false}`, "it's|2024-01|now!?"},
		{`null`, "it's 2024-01 now!?"},
	} {
		var p *part
		if err := json.Unmarshal([]byte(c.config), &p); err != nil {
			t.Fatal(err)
		}
		split, err := parseSplitter(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(split([]string{"it's 2024-01 now!?"}), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.config, got, c.want)
		}
	}
}

// tensors writes a safetensors file.
func tensors(t *testing.T, file, header string, data []byte) {
	t.Helper()
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	if err := os.WriteFile(file, append(append(out, header...), data...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// folder makes a model whose token i has the vector (i, 1).
func folder(t *testing.T, dtype string) string {
	t.Helper()
	dir := t.TempDir()
	var data []byte
	put := func(x float64) {
		bits := math.Float32bits(float32(x))
		switch dtype {
		case "F64":
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		case "F32":
			data = binary.LittleEndian.AppendUint32(data, bits)
		case "BF16":
			data = binary.LittleEndian.AppendUint16(data, uint16(bits>>16))
		case "F16":
			data = binary.LittleEndian.AppendUint16(data, halfBits(x))
		case "I8":
			data = append(data, byte(int8(x)))
		}
	}
	for i := range 10 {
		put(float64(i))
		put(1)
	}
	header := fmt.Sprintf(`{"__metadata__":{"format":"pt"},"embeddings":{"dtype":%q,"shape":[10,2],"data_offsets":[0,%d]}}`, dtype, len(data))
	tensors(t, filepath.Join(dir, "model.safetensors"), header, data)
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(wordPieceFile), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// halfBits writes the small whole numbers of these tests as 16 bits.
func halfBits(x float64) uint16 {
	if x == 0 {
		return 0
	}
	frac, exp := math.Frexp(x)
	return uint16(exp+14)<<10 | uint16((frac*2-1)*1024)
}

func TestStatic(t *testing.T) {
	for _, dtype := range []string{"F64", "F32", "F16", "BF16", "I8"} {
		e := embedder(t, Options{Provider: "static", Model: folder(t, dtype)})
		got, err := e.Documents(t.Context(), []embed.Doc{{Title: "spare", Text: "key"}, {Text: "nothing known"}})
		if err != nil {
			t.Fatal(err)
		}
		want := []float32{11, 2} // of 9 and 2
		if err := normalizeVector(want, 2); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got[0]) != fmt.Sprint(want) || got[1] != nil {
			t.Errorf("%s: %v, want %v and nil", dtype, got, want)
		}
		if q, err := e.Query(t.Context(), "Key, spare"); err != nil || fmt.Sprint(q) != fmt.Sprint(want) {
			t.Errorf("%s: query %v, %v", dtype, q, err)
		}
		_, err = e.Query(t.Context(), "xyzzy")
		failsWith(t, err, "knows no word of the query", true)
	}
}

// TestStaticWeights reads a model whose tokens share vectors and have weights.
func TestStaticWeights(t *testing.T) {
	dir := folder(t, "F32")
	var data []byte
	for _, x := range []float32{1, 0, 0, 1} { // two vectors
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	for i := range 10 {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(i)))
	}
	for i := range 10 {
		data = binary.LittleEndian.AppendUint64(data, uint64(i%2))
	}
	tensors(t, filepath.Join(dir, "model.safetensors"), `{"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},
		"weights":{"dtype":"F64","shape":[10],"data_offsets":[16,96]},"mapping":{"dtype":"I64","shape":[10],"data_offsets":[96,176]}}`, data)
	got, err := embedder(t, Options{Provider: "static", Model: dir}).Query(t.Context(), "key spare") // 2 and 9
	if err != nil {
		t.Fatal(err)
	}
	if ratio := float64(got[1] / got[0]); math.Abs(ratio-4.5) > 1e-5 {
		t.Errorf("%v is not weighted 2 to 9", got)
	}
}

func TestStaticRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(dir string) error
		want string
	}{
		{"no folder", os.RemoveAll, "tokenizer.json is missing; wiki.embedding.model must be a model2vec folder"},
		{"no model", func(dir string) error { return os.Remove(filepath.Join(dir, "model.safetensors")) }, "model.safetensors is missing"},
		{"rubbish", put("tokenizer.json", "rubbish"), "tokenizer.json is no tokenizer file"},
		{"another kind", put("tokenizer.json", `{"model":{"type":"BPE","vocab":{}}}`), `cuts words by "BPE", and only WordPiece and Unigram are known`},
		{"normalizer", put("tokenizer.json", `{"normalizer":{"type":"Odd"},"model":{"type":"WordPiece","vocab":{"a":1}}}`), `normalizes by "Odd"`},
		{"splitter", put("tokenizer.json", `{"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"WordPiece","vocab":{"a":1}}}`), `splits text by "ByteLevel"`},
		{"deep", put("tokenizer.json", `{"normalizer":`+strings.Repeat(`{"type":"Sequence","normalizers":[`, 20)+strings.Repeat(`]}`, 20)+`,"model":{"type":"WordPiece","vocab":{"a":1}}}`), "nested too deeply"},
		{"short", put("model.safetensors", "abc"), "is too short for a safetensors file"},
		{"huge header", put("model.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}"), "header would be longer"},
		{"no table", put("model.safetensors", "\x02\x00\x00\x00\x00\x00\x00\x00{}"), `has no table called "embeddings"`},
		{"beyond the end", put("model.safetensors", header(`{"embeddings":{"dtype":"F32","shape":[10,2],"data_offsets":[0,80]}}`)), "does not lie within the file"},
		{"overflow", put("model.safetensors", header(`{"embeddings":{"dtype":"F32","shape":[99999999999,99999999999],"data_offsets":[0,80]}}`)), "rows and"},
		{"type", put("model.safetensors", header(`{"embeddings":{"dtype":"F8_E4M3","shape":[10,2],"data_offsets":[0,20]}}`)), "numbers of the type F8_E4M3"},
		{"too few", put("model.safetensors", header(`{"embeddings":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]}}`)+"1234"), "fewer vectors than tokenizer.json has tokens, 10"},
	} {
		dir := folder(t, "F32")
		if err := c.do(dir); err != nil {
			t.Fatal(err)
		}
		_, err := New(Options{Provider: "static", Model: dir})
		t.Run(c.name, func(t *testing.T) { failsWith(t, err, c.want, true) })
	}
	_, err := New(Options{Provider: "static", Model: folder(t, "F32"), Dim: 384})
	failsWith(t, err, "vectors of 2 numbers, and 384 are configured; set wiki.embedding.dim to 2", true)
}

func put(name, text string) func(string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
}

func header(s string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(s)))) + s
}

// TestStaticChanged tells a model that was exchanged in its folder, and one that
// is taken away while in use.
func TestStaticChanged(t *testing.T) {
	dir := folder(t, "F32")
	e := embedder(t, Options{Provider: "static", Model: dir})
	if err := put("tokenizer.json", strings.Replace(wordPieceFile, "spare", "other", 1))(dir); err != nil {
		t.Fatal(err)
	}
	if embedder(t, Options{Provider: "static", Model: dir}).Fingerprint() == e.Fingerprint() {
		t.Error("another tokenizer has the same fingerprint")
	}
	if err := os.Remove(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	_, err := e.Query(t.Context(), "key")
	failsWith(t, err, "model.safetensors is missing; put the model back", false)
}

// TestStaticRubbish damages the files of a model at random: it is refused, or
// works, and never panics.
func TestStaticRubbish(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := folder(t, "F16")
	refused := 0
	for range 500 {
		name := []string{"tokenizer.json", "model.safetensors"}[r.IntN(2)]
		file := filepath.Join(dir, name)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		broken := slices.Clone(whole)
		for range 1 + r.IntN(3) {
			broken[r.IntN(len(broken))] = byte(r.Uint32())
		}
		if err := put(name, string(broken[:len(broken)-r.IntN(2)*r.IntN(len(broken))]))(dir); err != nil {
			t.Fatal(err)
		}
		e, err := New(Options{Provider: "static", Model: dir})
		if err == nil {
			_, err = e.Documents(t.Context(), []embed.Doc{{Title: "spare", Text: "key backups café 山!"}})
		}
		if err != nil {
			refused++
			if _, ok := errors.AsType[*embed.Failure](err); !ok {
				t.Errorf("%v is no Failure", err)
			}
		}
		if err := put(name, string(whole))(dir); err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 || refused == 500 {
		t.Errorf("%d of 500 damaged models were refused", refused)
	}
}
