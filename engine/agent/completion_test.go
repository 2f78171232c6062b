package agent

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent/endings"
)

// What came back is an answer with a good end and a text, and otherwise a failure that keeps what was said.
func TestJudge(t *testing.T) {
	until := time.Now().Add(time.Hour)
	speaker := Speaker{Name: "the model tiny of S", Server: "S", Model: "tiny", LogIn: "log in", Refuses: map[endings.Kind]string{endings.NoPlace: "is no model server"}}
	for name, c := range map[string]struct {
		back  Completion
		kind  Kind
		tries int
		want  string
		cut   string
	}{
		"broken off":   {Completion{Text: "On Fri"}, Transient, 2, "the model tiny of S broke its answer off", "On Fri"},
		"its word":     {Completion{Text: "On Fri", Word: "sunset", Thoughts: "hm"}, Transient, 2, "the model tiny of S broke its answer off: sunset", "hm\n\nOn Fri"},
		"its way":      {Completion{End: endings.End{Says: "ended with status 3"}}, Transient, 2, "the model tiny of S ended with status 3", ""},
		"limit":        {Completion{Text: "On Fri", End: endings.Tokens}, Permanent, 0, "the model tiny of S " + endings.Tokens.Says, "On Fri"},
		"final":        {Completion{End: endings.Decline}, Permanent, 0, "the model tiny of S declined to answer", ""},
		"declined":     {Completion{End: endings.Good, Text: "x", Declined: "No."}, Permanent, 0, "the model tiny of S declined to answer: No", "x"},
		"empty":        {Completion{End: endings.Good, Text: " \u200b\n"}, Permanent, 0, "the model tiny of S gave an empty answer", ""},
		"tools":        {Completion{End: endings.Good, Tools: true}, Permanent, 0, "the model tiny of S asked for a tool, and it has none", ""},
		"thoughts":     {Completion{End: endings.Good, Thoughts: "hm"}, Permanent, 0, "the model tiny of S only thought, and gave no answer", "hm"},
		"unfinished":   {Completion{End: endings.Good, Text: "<think>\nhm"}, Permanent, 0, "the model tiny of S only thought, and gave no answer", "<think>\nhm"},
		"429":          {Completion{Text: "a", Refusal: &endings.Refusal{Status: 429, Expiry: until}}, Transient, 2, "S is at its limit until " + until.Local().Format("15:04 on 2 January"), "a"},
		"402":          {Completion{Refusal: &endings.Refusal{Status: 402, Words: "pay"}}, Permanent, 0, "S says that there is no credit left: pay", ""},
		"401":          {Completion{Refusal: &endings.Refusal{Status: 401}}, Permanent, 0, "S is not logged in; log in", ""},
		"404":          {Completion{Refusal: &endings.Refusal{Status: 404}}, Permanent, 0, "S is no model server", ""},
		"no model":     {Completion{Refusal: &endings.Refusal{Status: 404, Words: "no model"}}, Permanent, 0, `S does not have the model "tiny": no model`, ""},
		"503":          {Completion{Refusal: &endings.Refusal{Status: 503}}, Transient, 0, "S failed with status 503", ""},
		"paid in part": {Completion{Text: "On Fri", Refusal: &endings.Refusal{Status: 503}}, Transient, 2, "S failed with status 503", "On Fri"},
		"403":          {Completion{Refusal: &endings.Refusal{Status: 403}}, Permanent, 0, "S refused the request with status 403", ""},
		"unknown":      {Completion{Refusal: &endings.Refusal{Words: "\x1b[31mno"}}, Transient, 0, "S reports a failure: no", ""},
		"too long":     {Completion{Refusal: &endings.Refusal{Status: 400, Window: 512}}, Permanent, 0, "S does not read so long a task at once", ""},
	} {
		c.back.Speaker, c.back.Usage = speaker, Usage{Input: 7}
		_, err := Judge(c.back)
		f, ok := errors.AsType[*Failure](err)
		if !ok || f.Kind != c.kind || f.Tries != c.tries || err.Error() != c.want || f.Cut != c.cut || f.Usage.Input != 7 {
			t.Errorf("%s:\n got %+v\nwant %s", name, f, c.want)
		}
	}
	for _, text := range []string{"On Friday.", "  - indented\n", "\x1b[1mraw", "<think>hm</think>On Friday."} {
		back := Completion{Text: text, Thoughts: "hm", End: endings.Good, Tools: true, Usage: Usage{Input: 7}}
		if reply, err := Judge(back); err != nil || !reflect.DeepEqual(reply, Reply{Text: text, Thoughts: "hm", Usage: back.Usage}) {
			t.Errorf("%q: %+v, %v", text, reply, err)
		}
	}
	// More text than its tokens hold was written by no model.
	for tokens, want := range map[int64]string{1: "reports a failure: Error: 请刷新页面以更新应用后重试。", 20: ""} {
		_, err := Judge(Completion{Text: "\nError: 请刷新页面以更新应用后重试。", End: endings.Good, Speaker: speaker, Usage: Usage{Output: tokens}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d tokens: %v", tokens, err)
		}
	}
	_, err := Judge(Completion{Text: strings.Repeat("a", 3*maxCut)})
	if f, _ := errors.AsType[*Failure](err); len(f.Cut) > maxCut+100 {
		t.Errorf("%d bytes are kept", len(f.Cut))
	}
	_, err = Judge(Completion{Refusal: &endings.Refusal{Status: 500, Words: "maximum context length is 4097 tokens"}})
	if long, ok := errors.AsType[*TooLong](err); !ok || long.Tokens != 4097 {
		t.Errorf("%v", err)
	}
}
