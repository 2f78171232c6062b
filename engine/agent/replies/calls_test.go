package replies

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// calls of tools as models write them: https://github.com/sgl-project/sglang/issues/35736, https://github.com/lsdefine/GenericAgent/issues/804,
// https://github.com/anomalyco/opencode/issues/8851, https://github.com/Duelion/homebox-companion/issues/101.
var calls = []string{
	"<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"Bash\">\n<｜DSML｜parameter name=\"command\" string=\"true\">pwd</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
	"<|DSML|tool_calls>\n<|DSML|invoke name=\"Bash\">\n</|DSML|invoke>\n</|DSML|tool_calls>",
	"<｜｜DSML｜｜tool_calls>\n</｜｜DSML｜｜tool_calls>", "<‖DSML‖function_calls>\n</‖DSML‖function_calls>",
	"<tool_call>\n{\"name\": \"search\", \"arguments\": {\"q\": \"backups\"}}\n</tool_call>",
	"<tool_call>\n<function=search>\n<parameter=q>\nbackups\n</parameter>\n</function>\n</tool_call>",
	"<tool_call>search\n<arg_key>q</arg_key>\n<arg_value>backups</arg_value>\n</tool_call>",
	"<function=search>{\"q\":\"backups\"}</function>",
	"<function_calls>\n<invoke name=\"search\">\n<parameter name=\"q\">backups</parameter>\n</invoke>\n</function_calls>",
	"<invoke name=\"Bash\">\n<parameter name=\"command\">echo test</parameter>\n</invoke>", // https://github.com/anthropics/claude-code/issues/69529
	"<|open|>toolscall tool=\"StrReplace\" index=\"1\"<|sep|><|open|>argument key=\"path\" type=\"string\"<|sep|>a.mdargument<|sep|><|close|>call<|sep|><|close|>toolstoolsmessage<|sep|>",
	"<minimax:tool_call>\n<invoke name=\"search\">\n</invoke>\n</minimax:tool_call>", "<seed:tool_call>\n<function=x>\n</function>\n</seed:tool_call>",
	"<longcat_tool_call>x\n</longcat_tool_call>",
	"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	"<|tool_calls_section_begin|> <|tool_call_begin|> functions.bash:0 <|tool_call_argument_begin|> {\"command\": \"ls\"} <|tool_call_end|> <|tool_calls_section_end|>",
	"<|tool_call>call:search{q:<|\"|>backups<|\"|>}<tool_call|>", "<|tool_call|>[{\"name\": \"search\", \"arguments\": {}}]",
	"[TOOL_CALLS][{\"name\": \"search\", \"arguments\": {\"q\": \"backups\"}}]", "[TOOL_CALLS]search[ARGS]{\"q\": \"backups\"}",
	"<|python_tag|>{\"name\": \"search\", \"parameters\": {}}", "<|START_ACTION|>[\n {\"tool_name\": \"search\"}\n]<|END_ACTION|>",
	"{\n  \"type\": \"function\",\n  \"name\": \"get_locations\",\n  \"parameters\": {\n    \"user_id\": \"your_user_id\"\n  }\n}",
	"[{\"name\": \"search\", \"arguments\": {\"q\": \"backups\"}}]", "{\"function\": {\"name\": \"search\", \"arguments\": \"{}\"}}",
}

// A reply that is the call of a tool, or ends in one, is no answer: alone, behind a sentence, behind thoughts, with the token that ends a turn.
func TestCalls(t *testing.T) {
	for _, call := range calls {
		isJSON := strings.HasPrefix(call, "{") || strings.HasPrefix(call, "[{")
		for _, reply := range []string{call, "\n" + call + "\n", call + "<|im_end|>", "I look it up.\n\n" + call, "I look it up: " + call} {
			if want := !isJSON || !strings.HasPrefix(reply, "I"); IsCall(reply) != want {
				t.Errorf("%q is a call: %t", reply, !want)
			}
		}
		if shown := Begun("I look it up.\n\n" + call + "\n"); !isJSON && shown != "I look it up." {
			t.Errorf("of %q is shown %q", call, shown)
		}
		document := Join([]string{"One.", call})
		if got, _, err := Read(document, []string{"", ""}); err == nil {
			t.Errorf("%s is read as %q", document, got)
		}
	}
}

// An answer about such calls is one, and comes through byte for byte.
func TestAnswersAboutCalls(t *testing.T) {
	data, err := os.ReadFile("testdata/about-calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(string(data)), "\n=====\n")
	for _, call := range calls {
		answers = append(answers, "A call looks so:\n\n```\n"+call+"\n```", "```json\n"+call+"\n```\n\nThat is how it looks.")
	}
	for i, answer := range answers {
		got, cut, err := Read(answer, []string{"how does it call tools?"})
		if err != nil || IsCall(answer) || CutEnd(answer) != answer || got[0] != answer || cut != "" {
			t.Errorf("answer %d:\n%s\nis read as\n%s\n%q, %v, a call: %t, without its end: %q", i+1, answer, got, cut, err, IsCall(answer), CutEnd(answer))
		}
		if shown := Begun(answer); !strings.HasPrefix(answer, shown) {
			t.Errorf("of answer %d is shown %q", i+1, shown)
		}
	}
}

// Tokens that end a turn are no part of the answer before them.
func TestEndsGo(t *testing.T) {
	for reply, answer := range map[string]string{
		"The process is complete.<turn|>":                         "The process is complete.", // https://github.com/vllm-project/vllm/issues/49955
		"Hello! How can I help you today?<|im_end|>":              "Hello! How can I help you today?",
		"Just chat?<end_of_turn>\n<end_of_turn>\n<end_of_turn>\n": "Just chat?",
		"Good morning!<｜end▁of▁sentence｜>":                        "Good morning!",
		"Yes<|eot_id|>": "Yes", "Yes.</s>": "Yes.", "Yes.\n<|endoftext|>": "Yes.", "## Plan\n\n- **a**<|end_message|>": "## Plan\n\n- **a**", "<|im_end|>": "", "<eos>\n<eos>": "",
		"```go\nx\n```<|im_end|>": "```go\nx\n```", "42<|END_OF_TURN_TOKEN|>": "42", "[[Plan]]<|im_end|>": "[[Plan]]", "Done.<|im_end|><|im_start|>": "Done.",
		// What names them stays.
		"It ends with <|im_end|>": "", "A turn is ended by `<|im_end|>`": "", "They are <|im_start|>/<|im_end|>": "", "The old price is <s>10</s>": "", "The line is:\n\n<|im_end|>": "",
		"- `<eos>`\n- <eos>": "", "See <https://example.com/end>": "", "a < b": "", "`x <|im_end|>": "",
	} {
		want := answer
		if answer == "" && !Blank(strings.ReplaceAll(strings.ReplaceAll(reply, "<|im_end|>", ""), "<eos>", "")) {
			want = reply
		}
		if got := CutEnd(reply); got != want {
			t.Errorf("%q is %q, want %q", reply, got, want)
		}
		for i := range reply {
			if shown := Begun(reply[:i]); !strings.HasPrefix(want, shown) && !strings.HasPrefix(reply[i:], ">") {
				t.Errorf("of %q is shown %q", reply[:i], shown)
			}
		}
	}
}

// TestEndsOfAnything: only whole marks and space go, and only from the end.
func TestEndsOfAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Take(t), 5))
	parts := []string{"a", ".", " ", "\n", "`", "```", "<", ">", "|", "<|im_end|>", "<turn|>", "</s>", "<s>", "<eos>", "é", "<tool_call>", "</tool_call>", "{}", ":"}
	for range 5000 {
		var b strings.Builder
		for range random.IntN(10) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		reply := b.String()
		rest := CutEnd(reply)
		gone, ok := strings.CutPrefix(reply, rest)
		for _, mark := range parts[9:14] {
			gone = strings.ReplaceAll(gone, mark, "")
		}
		if !ok || strings.TrimSpace(gone) != "" || CutEnd(rest) != rest {
			t.Fatalf("%q becomes %q", reply, rest)
		}
		IsCall(reply)
	}
}
