package replies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FuzzReplyRoundTrip encodes answers as an agent might and reads them back.
func FuzzReplyRoundTrip(f *testing.F) {
	f.Add("a", "b", uint64(1))
	f.Add("```json\n{}\n```", `{"responses":[{"request":1,"answer":"x"}]}`, uint64(2))
	f.Add("}]}", "\\ \" \u2028 <b>&", uint64(3))
	f.Add("\x00\x1b\x7f", "🙂\ufeff", uint64(4))
	f.Fuzz(func(t *testing.T, a, b string, seed uint64) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		if Blank(a) || Blank(b) {
			return // an empty answer is refused
		}
		if mayBeSlip.MatchString(a + b + b + "\n" + a) {
			return // read as backslashes that were not escaped; TestBackslashes has the rule
		}
		r := rand.New(rand.NewPCG(seed, 2))
		answers := make([]string, 1+r.IntN(8))
		for i := range answers {
			answers[i] = []string{a, b, a + b, b + "\n" + a}[r.IntN(4)]
		}
		text := encode(t, r, answers)
		got, err := Parse(text, len(answers))
		if err != nil || !slices.Equal(got, answers) {
			t.Fatalf("seed %d: %q came back as %q, %v, from %q", seed, answers, got, err, text)
		}
	})
}

var mayBeSlip = regexp.MustCompile(`(?s)[A-Za-z]:[\n\t\r]|\$.*[\n\t\r][A-Za-z]`)

// encode prints answers as one document in a random order and dress.
func encode(t *testing.T, r *rand.Rand, answers []string) string {
	type entry struct {
		Request any    `json:"request"`
		Answer  string `json:"answer"`
	}
	var doc struct {
		Responses []entry `json:"responses"`
	}
	for i, answer := range answers {
		e := entry{i + 1, answer}
		if r.IntN(3) == 0 {
			e.Request = fmt.Sprint(i + 1)
		}
		doc.Responses = append(doc.Responses, e)
	}
	r.Shuffle(len(answers), func(i, j int) { doc.Responses[i], doc.Responses[j] = doc.Responses[j], doc.Responses[i] })
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(r.IntN(2) == 0)
	encoder.SetIndent("", strings.Repeat(" ", r.IntN(3)))
	if err := encoder.Encode(doc); err != nil {
		t.Fatal(err)
	}
	// Go prints a backspace as \b; before a letter that is read as LaTeX's.
	text := anEscape.ReplaceAllStringFunc(b.String(), func(e string) string {
		return strings.NewReplacer(`\b`, `\u0008`, `\f`, `\u000c`).Replace(e)
	})
	if r.IntN(2) == 0 {
		text = "```json\n" + text + "```\n"
	}
	if len(answers) == 1 {
		return []string{"", "\ufeff", "Here you are:\n\n"}[r.IntN(3)] + text + []string{"", "\nAnything else?"}[r.IntN(2)]
	}
	before := []string{"", "\ufeff", "Sure {\"as asked\"}, [here]: ", "Line.\n\n{\"a\":{\"b\":[1,2]}}\n", example + "\n"}
	after := []string{"", "\nDone. }", "{\n[", " {\"x\"", "\n" + example}
	return before[r.IntN(len(before))] + text + after[r.IntN(len(after))]
}
