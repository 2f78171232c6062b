package draft

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var passages = []Source{{ID: "S1", Text: "one"}, {ID: "S2", Text: "two"}, {ID: "S12", Text: "twelve"}}

var form = Form{Product: "a list", Item: "a line", Words: 100, Fields: []Field{{Name: "text", Meaning: "the line"}}}

// However ids are written, only those that there are count.
func TestFindSources(t *testing.T) {
	for value, want := range map[any]string{
		"S1": "S1", "s2": "S2", "[S12]": "S12", "S1, S2": "S1 S2", "1": "S1", "S01": "S1", "S1;S1": "S1",
		"S3": ` unknown "S3"`, "Plan.md": ` unknown "Plan.md"`, "S1 S99": `S1 unknown "S99"`, "": "", 3: "", "S0": ` unknown "S0"`,
	} {
		found, unknown := findSources(value, passages)
		var ids []string
		for _, s := range found {
			ids = append(ids, s.ID)
		}
		got := strings.Join(ids, " ")
		if unknown != "" {
			got += " unknown " + unknown
		}
		if got != want {
			t.Errorf("%v: %q, want %q", value, got, want)
		}
	}
}

// The document is found wherever it stands.
func TestFindList(t *testing.T) {
	const one = `{"items":[{"text":"a","cite":["S1"]}]}`
	for reply, want := range map[string]int{
		one: 1, "```json\n" + one + "\n```": 1, "So {this} is [it]: " + one + " and {more}": 1, "<think>" + one + "</think>" + one: 1,
		"thoughts whose beginning is gone {\"items\":[{},{}]}</think>" + one: 1, `[{"text":"a"},{"text":"b"}]`: 2,
		`{"items":[]} ` + one: 1, "": 0, "{": 0, "<think>" + one: 0, `{"items":[{"text":"a"`: 0, `{"items":"a"}`: 0, `{"items":["a"]}`: 0,
		strings.Repeat("[", 100_000): 0,
	} {
		if got := len(findList(reply, "items")); got != want {
			t.Errorf("%.80q: %d rows, want %d", reply, got, want)
		}
	}
}

// A length is kept: what is too long is cut at the end, and segments make good for what came before.
func TestLength(t *testing.T) {
	line := strings.TrimSpace(strings.Repeat("word ", 20))
	rows := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"text":"%d %s","cite":["S1"]}`, i, line))
		}
		return `{"items":[` + strings.Join(list, ",") + `]}`
	}
	w := Writer{Ask: func(context.Context, Question) (string, error) { return rows(12), nil }}
	d, err := w.Write(t.Context(), Work{Form: form, Sources: passages})
	if err != nil || d.Words > 115 || d.Words < 85 || d.Items != len(d.Parts[0].Items) {
		t.Errorf("%d words, %d items, %v", d.Words, d.Items, err)
	}
	long := form
	long.IsLong = true
	var asked []string
	w.Ask = func(_ context.Context, q Question) (string, error) {
		asked = append(asked, q.After)
		if q.Step == "plan" {
			return `{"segments":[{"title":"A","sources":["S1"],"words":50},{"title":"B","sources":["S1","S2"],"words":50},{"title":"C","sources":["S7"],"words":9}]}`, nil
		}
		return strings.ReplaceAll(rows(1), "0 word", fmt.Sprint(len(asked), " word")), nil
	}
	if d, err = w.Write(t.Context(), Work{Form: long, Sources: passages, Words: 200}); err != nil || len(d.Parts) != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	if n := len(asked); n != 4 || !strings.Contains(asked[2], "of about 100 words") || !strings.Contains(asked[3], "of about 179 words") || !strings.Contains(asked[3], "Said already") {
		t.Errorf("%d questions: %q", n, asked)
	}
}

// What says the same twice says it once.
func TestNothingTwice(t *testing.T) {
	w := Writer{Ask: func(context.Context, Question) (string, error) {
		return `{"items":[{"text":"The same (S1).","cite":"S1"},{"text":"the SAME.","cite":["S2"]}]}`, nil
	}}
	d, err := w.Write(t.Context(), Work{Form: form, Sources: passages})
	if err != nil || d.Items != 1 || d.Parts[0].Items[0].Text["text"] != "The same." {
		t.Errorf("%+v, %v", d, err)
	}
}

// The second question says what was wrong with the first reply, and has its schema.
func TestRepair(t *testing.T) {
	var asked []Question
	w := Writer{Ask: func(_ context.Context, q Question) (string, error) {
		asked = append(asked, q)
		return `{"items":[{"text":"a"}]}`, nil
	}}
	_, err := w.Write(t.Context(), Work{Form: form, Sources: passages})
	if !isUnusable(err) || len(asked) != 2 || asked[0].Problem != "" || asked[1].Problem != `item 1 names no passage in "cite"` || asked[1].Bad == "" {
		t.Errorf("%+v, %v", asked, err)
	}
	if !slices.Equal([]string{asked[0].Schema}, []string{`{"additionalProperties":false,"properties":{"items":{"items":{"additionalProperties":false,"properties":{"cite":{"items":{"type":"string"},"type":"array"},"text":{"type":"string"}},"required":["cite","text"],"type":"object"},"type":"array"}},"required":["items"],"type":"object"}`}) {
		t.Errorf("the schema is %s", asked[0].Schema)
	}
}

// How far it is, is told in grammar.
func TestTold(t *testing.T) {
	told := ""
	w := Writer{Tell: func(text string) { told = text }, Ask: func(context.Context, Question) (string, error) { return `{"items":[{"text":"a","cite":"S1"}]}`, nil }}
	for n, want := range map[int]string{1: "x: 1 passage read", 2: "x: 2 passages read"} {
		form := form
		form.Product = "x"
		if _, err := w.Write(t.Context(), Work{Form: form, Sources: passages[:n]}); err != nil || told != want {
			t.Errorf("%q, want %q: %v", told, want, err)
		}
	}
}
