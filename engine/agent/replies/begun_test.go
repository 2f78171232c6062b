package replies

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// TestBegun: what is shown of a reply, byte by byte, is always how its answer begins, and never JSON.
func TestBegun(t *testing.T) {
	const answer = `{"responses":[{"request":1,"answer":"On Friday."}]}`
	for _, reply := range []string{
		answer, "```json\n" + answer + "\n```", "Here it is:\n\n~~~\n" + answer + "\n~~~\n", "{\n  \"responses\": [\n    {\"request\": 1, \"answer\": \"a\"}]}",
		"\ufeff " + answer, `[{"request":1,"answer":"a"}]`, "[\n{\"request\":1,\"answer\":\"a\"}\n]\nDone.",
	} {
		for i := range len(reply) + 1 {
			if shown := Begun(reply[:i]); strings.ContainsAny(shown, "{}[]`~") {
				t.Errorf("of %q is shown %q", reply[:i], shown)
			}
		}
	}
	for reply, all := range map[string]bool{
		"On Friday.": true, "\n\n  On Friday. \n\nSee [[Plan]].\r\n\r\n- a\n": true, "[[Plan]] says so": true, "[ ] task\n[x] done": true, "{{title}} is it": true,
		"one\ntwo\n{\"a\": 1}\n": true, "```go\nfunc main() {\n}\n```\nand so on": true, "~/notes\n": true, "`code` is it": true, "é\xff€": true,
		"": true, " \n": true, "Like this:\n```yaml\na: [\n```": true, "a\n```": false, "{\"a\":1}": false,
	} {
		checkBegun(t, reply, all)
	}
}

// TestBegunOfAnything is the same with what nobody thought of.
func TestBegunOfAnything(t *testing.T) {
	seed := testseed.Take(t)
	random := rand.New(rand.NewPCG(seed, 1))
	parts := []string{"\n", " ", "\t", "{", "[", "\"", "}", "```", "~", "a", "é", "\r\n", "\u200b", "\ufeff", `{"responses":`, `[{"request":1,"answer":"b"}]`, "}", "word"}
	for range 3000 {
		var reply strings.Builder
		for range random.IntN(12) {
			reply.WriteString(parts[random.IntN(len(parts))])
		}
		checkBegun(t, reply.String(), false)
	}
}

// checkBegun holds what is shown of a reply against its answer. Of a reply that is a document at most
// the line of talk before it is shown.
func checkBegun(t *testing.T, reply string, all bool) {
	t.Helper()
	answers, err := Parse(reply, 1)
	answer := strings.Join(answers, "")
	whole := trimReply(strings.ToValidUTF8(reply, "\ufffd"))
	last := ""
	for i := range reply + " " {
		shown := Begun(reply[:min(i, len(reply))])
		switch {
		case !strings.HasPrefix(shown, last):
			t.Errorf("%q of %q is shown after %q", shown, reply[:i], last)
		case err == nil && answer == whole && !strings.HasPrefix(answer, shown):
			t.Errorf("%q is shown of %q, whose answer is %q", shown, reply, answer)
		case (err != nil || answer != whole) && countLines(shown) > 1:
			t.Errorf("%q is shown of %q", shown, reply)
		}
		last = shown
	}
	if all && last != answer {
		t.Errorf("of %q only %q is shown", reply, last)
	}
}

func TestBegunIsBounded(t *testing.T) {
	long := strings.Repeat("é", MaxBegun)
	if got := Begun("a" + long); len(got) > MaxBegun || got != Begun("a"+long+long) || !strings.HasSuffix(got, "é") {
		t.Errorf("%d bytes are shown", len(got))
	}
	if got := Begun(fmt.Sprint(strings.Repeat(" ", 2*MaxBegun), "a")); got != "" {
		t.Errorf("%q", got)
	}
}
