package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/knights-analytics/hugot"
	"google.golang.org/protobuf/encoding/protowire"
)

// A transformer with no layers: each token's vector is looked up in a table.
// That is all of the way through inference but its arithmetic.

func field(n int, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, protowire.Number(n), protowire.BytesType), data)
}

func text(n int, s string) []byte { return field(n, []byte(s)) }

func whole(n int, x uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, protowire.Number(n), protowire.VarintType), x)
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// value describes an input or output: elements of a type, dimensions by
// name or size.
func value(name string, elem uint64, dims ...string) []byte {
	var shape []byte
	for _, d := range dims {
		size := text(2, d)
		if n, err := strconv.ParseUint(d, 10, 64); err == nil {
			size = whole(1, n)
		}
		shape = append(shape, field(1, size)...)
	}
	return join(text(1, name), field(2, field(1, join(whole(1, elem), field(2, shape)))))
}

// tinyModel writes a folder whose token i has the vector (i, 1).
func tinyModel(t *testing.T) string {
	const tokens, float, int64s = 6, 1, 7
	var numbers []byte
	for i := range tokens {
		for _, x := range []float32{float32(i), 1} {
			numbers = binary.LittleEndian.AppendUint32(numbers, math.Float32bits(x))
		}
	}
	table := join(whole(1, tokens), whole(1, 2), whole(2, float), text(8, "table"), field(9, numbers))
	gather := join(text(1, "table"), text(1, "input_ids"), text(2, "last_hidden_state"), text(3, "look up"), text(4, "Gather"))
	graph := join(field(1, gather), text(2, "tiny"), field(5, table),
		field(11, value("input_ids", int64s, "batch", "sequence")), field(11, value("attention_mask", int64s, "batch", "sequence")),
		field(12, value("last_hidden_state", float, "batch", "sequence", "2")))
	model := join(whole(1, 8), field(7, graph), field(8, join(text(1, ""), whole(2, 13))))
	dir := t.TempDir()
	for name, data := range map[string]string{
		"model.onnx": string(model),
		"tokenizer.json": `{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],
			"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
			"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":{"type":"WordPiece","prefix":"##","cleanup":true},
			"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
			"vocab":{"[PAD]":0,"[UNK]":1,"key":2,"back":3,"##up":4,"spare":5}}}`,
		"config.json": `{"max_position_embeddings":512,"pad_token_id":0}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestInference goes the whole way: text, tokens, the model, the mean of what it
// gives.
func TestInference(t *testing.T) {
	session, err := hugot.NewGoSession()
	if err != nil {
		t.Fatal(err)
	}
	defer session.Destroy()
	p, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: tinyModel(t), Name: "tiny"})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/v1/embeddings", strings.NewReader(`{"model":"tiny","input":["Spare key","backup backup backup"]}`))
	r.Host = "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	(&handler{model: "tiny", embed: infer(p)}).ServeHTTP(w, r)
	var answer struct{ Data []vector }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := fmt.Sprint(answer.Data); got != "[{0 [3.5 1]} {1 [3.5 1]}]" {
		t.Errorf("vectors %s", got)
	}
}
