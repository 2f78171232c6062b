package replies

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/vault/testdata/growth"
)

const (
	oneOf   = `{"responses":[{"request":1,"answer":"a"}]}`
	twoOf   = `{"responses":[{"request":1,"answer":"a"},{"request":2,"answer":"b"}]}`
	example = `{"responses":[{"request":1,"answer":"..."}]}`
)

var replies = []struct {
	name, text string
	n          int
	want       string // answers joined with "|", or "!" and a part of the error
}{
	// One request, plain text.
	{"plain", "Nightly.", 1, "Nightly."},
	{"plain with lines", "One.\n\nTwo.\n", 1, "One.\n\nTwo."},
	{"plain with BOM", "\ufeffNightly.", 1, "Nightly."},
	{"leading blank lines", "\n \nNightly.", 1, "Nightly."},
	{"leading indentation is markdown", "\n    code\n", 1, "    code"},
	{"plain in CRLF", "a\r\nb\r\n", 1, "a\r\nb"},
	{"invalid UTF-8", "a\xffb", 1, "a\uFFFDb"},
	{"a code block stays", "```go\nx := 1\n```", 1, "```go\nx := 1\n```"},
	{"another JSON object is text", `{"a":1}`, 1, `{"a":1}`},
	{"a list is text", `[1,2]`, 1, `[1,2]`},
	{"a lone brace", "{", 1, "{"},
	{"the format in a sentence", "Send " + example + " please.", 1, "Send " + example + " please."},
	{"the format in backticks", "It is:\n`" + example + "`", 1, "It is:\n`" + example + "`"},
	{"the format inside an explanation", "First.\nSecond.\n" + example + "\nThird.", 1, "First.\nSecond.\n" + example + "\nThird."},

	// One request, the document.
	{"document", oneOf, 1, "a"},
	{"document in a fence", "```json\n" + oneOf + "\n```", 1, "a"},
	{"document after a line of talk", "Here it is:\n\n```\n" + oneOf + "\n```\nAnything else?", 1, "a"},
	{"document with BOM", "\ufeff" + oneOf, 1, "a"},
	{"document on several lines", "{\n \"responses\": [\n  {\"request\": 1, \"answer\": \"a\"}\n ]\n}\n", 1, "a"},
	{"document answering the wrong request", `{"responses":[{"request":2,"answer":"a"}]}`, 1, "!request 2, but the requests are 1 to 1"},
	{"document answering more", twoOf, 1, "!request 2, but"},
	{"document cut off", oneOf[:len(oneOf)-5], 1, "!in the middle of its JSON"},
	{"document with an empty answer", `{"responses":[{"request":1,"answer":""}]}`, 1, "!request 1 is empty"},

	// Several requests.
	{"two", twoOf, 2, "a|b"},
	{"two out of order", `{"responses":[{"request":2,"answer":"b"},{"request":1,"answer":"a"}]}`, 2, "a|b"},
	{"two with BOM", "\ufeff" + twoOf, 2, "a|b"},
	{"two in a fence", "```json\n" + twoOf + "\n```", 2, "a|b"},
	{"two in tildes", "~~~\n" + twoOf + "\n~~~", 2, "a|b"},
	{"prose around", "Sure! Here it is: " + twoOf + " Tell me if you need more.", 2, "a|b"},
	{"prose with braces", "I used {curly} and {\"odd\" things}, [brackets] and [\"more. " + "\n" + twoOf + "\n}}] done {", 2, "a|b"},
	{"code before", "```go\nfunc main() { fmt.Println(\"{\") }\n```\n" + twoOf, 2, "a|b"},
	{"numbers as strings", `{"responses":[{"request":"1","answer":"a"},{"request":" 2 ","answer":"b"}]}`, 2, "a|b"},
	{"trailing commas", `{"responses":[{"request":1,"answer":"a",},{"request":2,"answer":"b"},],}`, 2, "a|b"},
	{"raw line ends in strings", "{\"responses\":[{\"request\":1,\"answer\":\"a\nb\"},{\"request\":2,\"answer\":\"\tc\"}]}", 2, "a\nb|\tc"},
	{"stray backslashes", `{"responses":[{"request":1,"answer":"\alpha \_x"},{"request":2,"answer":"\u12"}]}`, 2, `\alpha \_x|\u12`},
	{"escapes", `{"responses":[{"request":1,"answer":"\"\\\/\n\u00e9"},{"request":2,"answer":"\ud83d\ude42"}]}`, 2, "\"\\/\né|🙂"},
	{"comma in a string stays", `{"responses":[{"request":1,"answer":",]"},{"request":2,"answer":",}"},]}`, 2, ",]|,}"},
	{"braces in strings", `{"responses":[{"request":1,"answer":"}]}{"},{"request":2,"answer":"{\"a\":[1,{}]}"}]}`, 2, `}]}{|{"a":[1,{}]}`},
	{"fences in strings", `{"responses":[{"request":1,"answer":"` + "```\\n{}\\n```" + `"},{"request":2,"answer":"b"}]}`, 2, "```\n{}\n```|b"},
	{"a document in an answer", `{"responses":[{"request":1,"answer":"{\"responses\":[]}"},{"request":2,"answer":"b"}]}`, 2, `{"responses":[]}|b`},
	{"other fields", `{"status":"ok","responses":[{"request":1,"answer":"a","score":0.5},{"note":null,"request":2,"answer":"b"}]}`, 2, "a|b"},
	{"wrapped in an object", `{"result":{"data":` + twoOf + `}}`, 2, "a|b"},
	{"the bare list", `[{"request":1,"answer":"a"},{"request":2,"answer":"b"}]`, 2, "a|b"},
	{"the last brace is missing", twoOf[:len(twoOf)-1], 2, "a|b"},
	{"another case", `{"Responses":[{"Request":1,"Answer":"a"},{"request":2,"answer":"b"}]}`, 2, "a|b"},
	{"white space is kept", `{"responses":[{"request":1,"answer":"  a\n"},{"request":2,"answer":"\n b"}]}`, 2, "  a\n|\n b"},
	{"a draft and the last word", twoOf + "\nOn second thought:\n" + strings.ReplaceAll(twoOf, `"a"`, `"c"`), 2, "c|b"},
	{"the format echoed first", "I have to send " + example + "\n" + twoOf, 2, "a|b"},
	{"the format echoed last", twoOf + "\nThat was " + example, 2, "a|b"},
	{"lists in prose", `Options: [{"name":"x"}], ["request"] and {"a":{"b":[]}}.` + twoOf, 2, "a|b"},

	// Other shapes, each with what is near it and has no one meaning.
	{"by number", `{"1":"a","2":"b"}`, 2, "a|b"},
	{"by number, out of order", `{"2":"b","1":"a"}`, 2, "a|b"},
	{"by number, in a fence", "Here:\n```json\n{\n \"1\": \"a\",\n \"2\": \"b\"\n}\n```\nMore?", 2, "a|b"},
	{"by number, after a long talk", "One.\nTwo.\n{\"1\":\"a\",\"2\":\"b\"}", 2, "!no JSON object"},
	{"by number, in the middle of a line", `It is {"1":"a","2":"b"}`, 2, "!no JSON object"},
	{"by number, code in an answer", "Request 1: use\n```\n{\"1\":\"a\",\"2\":\"b\"}\n```\nRequest 2: that\ntoo.", 2, "!no JSON object"},
	{"by number, one missing", `{"1":"a"}`, 2, "!no JSON object"},
	{"by number, one too many", `{"1":"a","2":"b","3":"c"}`, 2, "!no JSON object"},
	{"by number, one twice", `{"1":"a","2":"b","1":"c"}`, 2, "!no JSON object"},
	{"by number, one empty", `{"1":"a","2":""}`, 2, "!no JSON object"},
	{"by number, with more", `{"1":"a","2":"b","note":"c"}`, 2, "!no JSON object"},
	{"by number, one request", `{"1":"a"}`, 1, `{"1":"a"}`},
	{"by name", `{"Request 1":"a","request_2":"b"}`, 2, "a|b"},
	{"by what stands in the prompt", `{"Request 1 (Line 12):":"a","[Request 2]":"b"}`, 2, "a|b"},
	{"by number, entries", `{"1":{"answer":"a"},"2":{"request":2,"text":"b"}}`, 2, "a|b"},
	{"by number, entries of others", `{"responses":{"1":{"request":2,"answer":"a"},"2":{"request":1,"answer":"b"}}}`, 2, "!answer to request 2 under the number 1"},
	{"by number, under responses", `Done. {"responses":{"1":"a","2":"b"}} All of it.`, 2, "a|b"},
	{"by number, under responses, one request", `{"responses":{"1":"a"}}`, 1, "a"},
	{"by number, under responses, one twice", `{"responses":{"1":"a","Request 1":"b"}}`, 2, "!answers request 1 twice"},
	{"by number, under responses, one missing", `{"responses":{"1":"a"}}`, 2, "!no answer to request 2"},
	{"by title, under responses", `{"responses":{"backups":"a","plans":"b"}}`, 2, "!without the number"},
	{"in order, under responses", `{"responses":["a","b"]}`, 2, "a|b"},
	{"in order, one request", `{"responses":["a"]}`, 1, "a"},
	{"in order, too few", `{"responses":["a"]}`, 2, "!no answer to request 2"},
	{"in order, too many", `{"responses":["a","b","c"]}`, 2, "!request 3, but the requests are 1 to 2"},
	{"in order, without responses", `["a","b"]`, 2, "!no JSON object"},
	{"a list by number", `{"responses":[{"1":"a"},{"2":"b"}]}`, 2, "a|b"},
	{"one entry for one request", `{"responses":{"request":1,"answer":"a"}}`, 1, "a"},
	{"numbers as names", `{"responses":[{"request":"Request 1","answer":"a"},{"request":"#2","answer":"b"}]}`, 2, "a|b"},
	{"numbers with a fraction of zero", `{"responses":[{"request":1.0,"answer":"a"},{"request":"2.0","answer":"b"}]}`, 2, "a|b"},
	{"other words", `{"responses":[{"id":1,"response":"a"},{"id":2,"text":"b"}]}`, 2, "a|b"},
	{"other words, the question too", `{"responses":[{"id":1,"request":"why?","answer":"a"},{"id":2,"text":"who?","response":"b"}]}`, 2, "a|b"},
	{"other words, the bare list", `[{"id":1,"text":"a"},{"id":"2","response":"b"}]`, 2, "a|b"},
	{"other words, in prose", `I found [{"id":1,"text":"a"},{"id":2,"text":"b"}] there.`, 2, "!no JSON object"},
	{"an unknown word", `{"responses":[{"request":1,"value":"a"},{"request":2,"value":"b"}]}`, 2, "!answer to request 1 is empty"},
	{"JSON lines", `{"request":1,"answer":"a"}` + "\n" + `{"request":2,"answer":"b"}` + "\n", 2, "a|b"},
	{"JSON lines in a fence", "```jsonl\n" + `{"id":2,"text":"b"}` + "\r\n\r\n" + `{"id":1,"text":"a"}` + "\n```", 2, "a|b"},
	{"JSON lines by number", `{"1":"a"}` + "\n" + `{"2":"b"}`, 2, "a|b"},
	{"JSON lines, cut", `{"request":1,"answer":"a"}` + "\n" + `{"request":2,"answer":"b`, 2, "!no JSON object"},
	{"JSON lines, one twice", strings.Repeat(`{"request":1,"answer":"a"}`+"\n", 2), 2, "!no JSON object"},
	{"JSON lines, more behind", `{"request":1,"answer":"a"}` + "\n" + `{"request":2,"answer":"b"}` + "\n" + `{"request":3,"answer":"c"}`, 2, "!no JSON object"},
	{"another shape inside a broken document", `{"responses":[{"request":1,"answer":"so: ` + "\n" + `{"1":"a","2":"b"}` + "\n" + `"},}`, 2, "!JSON"},

	// What cannot be read.
	{"empty", "", 1, "!is empty"},
	{"blank", " \r\n\t", 2, "!is empty"},
	{"nothing visible", "\ufeff\u200b\n", 1, "!is empty"},
	{"nothing visible of many kinds", "\u200c\u2060\u3164\ufe0f\u00a0\u3000\u2800\u180e\U000e0041\U0001d173", 1, "!is empty"},
	{"blank cells of braille", "\u2800\u2800", 1, "!is empty"},
	{"no requests", "a", 0, "!0 requests"},
	{"no JSON", "I cannot do that.", 2, "!no JSON object with the answers to the 2 requests"},
	{"other JSON", `{"answers":["a","b"]}`, 2, "!no JSON object"},
	{"missing", oneOf, 2, "!no answer to request 2"},
	{"missing in the middle", `{"responses":[{"request":3,"answer":"c"},{"request":1,"answer":"a"}]}`, 3, "!no answer to request 2"},
	{"twice", `{"responses":[{"request":1,"answer":"a"},{"request":1,"answer":"b"}]}`, 2, "!answers request 1 twice"},
	{"unknown", `{"responses":[{"request":1,"answer":"a"},{"request":7,"answer":"b"}]}`, 2, "!request 7, but the requests are 1 to 2"},
	{"zero", `{"responses":[{"request":0,"answer":"a"},{"request":1,"answer":"b"}]}`, 2, "!request 0, but"},
	{"huge number", `{"responses":[{"request":99999999999999999999,"answer":"a"}]}`, 2, "!without the number"},
	{"fraction", `{"responses":[{"request":1.5,"answer":"a"}]}`, 2, "!without the number"},
	{"no number", `{"responses":[{"answer":"a"},{"answer":"b"}]}`, 2, "!without the number"},
	{"null number", `{"responses":[{"request":null,"answer":"a"}]}`, 2, "!without the number"},
	{"empty answer", `{"responses":[{"request":1,"answer":"a"},{"request":2,"answer":" \n"}]}`, 2, "!answer to request 2 is empty"},
	{"invisible answer", `{"responses":[{"request":1,"answer":"\u200b"},{"request":2,"answer":"b"}]}`, 2, "!answer to request 1 is empty"},
	{"no answer", `{"responses":[{"request":1},{"request":2,"answer":"b"}]}`, 2, "!answer to request 1 is empty"},
	{"null answer", `{"responses":[{"request":1,"answer":null}]}`, 2, "!answer to request 1 is empty"},
	{"answer is a number", `{"responses":[{"request":1,"answer":5}]}`, 2, "!answer to request 1 is not text"},
	{"answer is an object", `{"responses":[{"request":1,"answer":{"text":"a"}}]}`, 2, "!answer to request 1 is not text"},
	{"responses are null", `{"responses":null}`, 2, "!responses are not a list"},
	{"responses are empty", `{"responses":[]}`, 2, "!no answer to request 1"},
	{"entries are numbers", `{"responses":[1,2]}`, 2, "!not an object with request and answer"},
	{"cut in a string", twoOf[:len(twoOf)-6], 2, "!in the middle of its JSON"},
	{"cut in the list", twoOf[:40], 2, "!in the middle of its JSON"},
	{"cut at the key", `{"responses"`, 2, "!in the middle of its JSON"},
	{"a whole draft, then cut", twoOf + "\nBetter:\n" + twoOf[:50], 2, "!in the middle of its JSON"},
	{"wrong bracket", `{"responses":[{"request":1,"answer":"a"}}]`, 2, "!JSON is not valid"},
	{"bare words", `{"responses":[{"request":one,"answer":"a"}]}`, 2, "!JSON is not valid"},
	{"open quotes", `{"responses":[{"request":1,"answer":"he said "hi""},{"request":2,"answer":"b"}]}`, 2, "!JSON is not valid"},
	{"too large", strings.Repeat("a", maxReply+1), 1, "!larger than 16 MiB"},
}

func TestParse(t *testing.T) {
	for _, c := range replies {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse(c.text, c.n)
			if part, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Fatalf("Parse(%.200q, %d) = %q, %v; want an error with %q", c.text, c.n, got, err, part)
				}
				return
			}
			if err != nil || strings.Join(got, "|") != c.want || len(got) != c.n {
				t.Fatalf("Parse(%.200q, %d) = %q, %v; want %q", c.text, c.n, got, err, c.want)
			}
		})
	}
}

// TestParseIsBounded feeds what makes a naive search quadratic.
func TestParseIsBounded(t *testing.T) {
	testmain.Long(t, "it measures what long answers cost")
	size := (1 << 20) / fewer
	if testing.Short() {
		size /= 4
	}
	for _, unit := range []string{"{", "[", `{"`, `{"a":`, `{"a":[`, `[{`, `["`, `{"responses":[`, `{"\`, `"{`, `{"responses":[]}`, "{ ", `{"a" `, `{"1":"a"} `} {
		for _, tail := range []string{"", "}"} {
			growth.Evenly(t, fmt.Sprintf("%q repeated, then %q", unit, tail), size, func(size int) {
				if got, err := Parse(strings.Repeat(unit, size/len(unit))+strings.Repeat(tail, size/8), 2); err == nil {
					t.Errorf("%q repeated is read as %q", unit, got)
				}
			})
		}
	}
}

// FuzzParse checks what every reply may lead to: n answers that say
// something, or one sentence.
func FuzzParse(f *testing.F) {
	for _, c := range replies {
		if len(c.text) < 1000 {
			f.Add(c.text, c.n)
		}
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n > 100 {
			n %= 100
		}
		answers, err := Parse(text, n)
		if err != nil {
			if s := err.Error(); answers != nil || s == "" || len(s) > 200 || strings.ContainsAny(s, "\n\r") || strings.HasSuffix(s, ".") {
				t.Fatalf("answers %q with the error %q", answers, s)
			}
			return
		}
		if len(answers) != n || slices.ContainsFunc(answers, Blank) {
			t.Fatalf("Parse(%q, %d) = %q", text, n, answers)
		}
	})
}

// TestNothingLeft: what the note would strip from an answer to nothing is no answer.
func TestNothingLeft(t *testing.T) {
	for r := rune(0); r < 0xE1000; r++ {
		if r == 0x40000 {
			r = 0xE0000 // no characters in between
		}
		if text := string(r); sanitize.Answer(text, 0) == "" && !Blank(text) {
			t.Errorf("%U counts as an answer and leaves nothing", r)
		}
	}
}
