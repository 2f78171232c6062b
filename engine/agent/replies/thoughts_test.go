package replies

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// What reasoning models say before they answer is no part of the answer, in every shape that was seen.
func TestThoughtsGo(t *testing.T) {
	const long = "Okay, the user asks about backups.\n\nLet me look: `wiki` says weekly.\n"
	for i, c := range []struct{ reply, answer string }{
		// Shapes of the reports.
		{"<think>\n" + long + "</think>\n\nWeekly.", "Weekly."},
		{"<think>" + long + "</think>Weekly.", "Weekly."},
		{"Let me think.\n<think>\n" + long + "</think>\n\nWeekly.", "Let me think.\n\nWeekly."},
		{long + "</think>\n\nWeekly.", "Weekly."},
		{"<thinking>\n" + long + "</thinking>\n\nWeekly.", "Weekly."},
		{"Thinking...\n" + long + "...done thinking.\n\nWeekly.", "Weekly."},
		{"<think source=\"x\">\n" + long + "</think>\n\nWeekly.", "Weekly."},
		{"<Thinking id=\"1\" kind=\"a b\">hm</Thinking>Weekly.", "Weekly."},
		{"One.\n\n<think source=\"x\">\nhm\n</think>\n\nTwo.", "One.\n\nTwo."},
		{"<think>" + long + "</thinking>\n\nWeekly.", "Weekly."},
		{"One.\n\n<thinking>\nhm\n</think>\n\nTwo.", "One.\n\nTwo."},
		// And more of them.
		{"\ufeff \n<THINK>\r\nhm\r\n</Think>\r\n\r\nWeekly.", "Weekly."},
		{"<think>hm</think> The answer: weekly.", "The answer: weekly."},
		{"<think>plan</think>weekly", "weekly"},
		{"<think></think>\n\n  - weekly", "  - weekly"},
		{"<think>\n\n</think>\n\nWeekly.", "Weekly."},
		{"<think>\nfirst\n</think>\n<think>\nsecond\n</think>\nWeekly.", "Weekly."},
		{"<think>one <think> two </think> three\n</think>\nWeekly.", "Weekly."},
		{"<think>\nThey want `</think>` told:\n```\n</think>\n```\n</think>\nIt closes.", "It closes."},
		{"<think>\n```python\nprint(1)\n</think>\n\nWeekly.", "Weekly."},
		{"That is all.</think>\n\nWeekly.", "Weekly."},
		{"Weekly.\n\n<think>\nwas that right?\n</think>\n", "Weekly."},
		{"One.\n\n<think>\nhm.</think>\n\nTwo.", "One.\n\nTwo."},
		{"One.\n   <reasoning>  \nhm\n  </reasoning>\nTwo.", "One.\nTwo."},
		{"<reason>hm</reason>\nWeekly.", "Weekly."},
		{"<thought>hm</thought>\nWeekly.", "Weekly."},
		{"<Thoughts>\nhm\n</thoughts>\nWeekly.", "Weekly."},
		{"<|begin_of_thought|>\nhm\n<|end_of_thought|>\n\n<|begin_of_solution|>\nWeekly.\n<|end_of_solution|>", "Weekly."},
		{"◁think▷hm◁/think▷Weekly.", "Weekly."},
		{"[THINK]hm[/THINK]Weekly.", "Weekly."},
		{"<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Weekly.<|END_RESPONSE|>", "Weekly."},
		{"<seed:think>hm</seed:think>Weekly.", "Weekly."},
		{"<longcat_think>\nhm\n</longcat_think>\nWeekly.", "Weekly."},
		{"<antThinking>hm</antThinking>\nWeekly.", "Weekly."},
		{"<think>hm</think>\n<answer>\nWeekly.\n</answer>", "Weekly."},
		{"\n\nThinking…\nhm\n...done thinking.\nWeekly.", "Weekly."},
		{"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Weekly.<|return|>", "Weekly."},
		{"<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Weekly.", "Weekly."},
		// The form of the answer is named before it: https://github.com/vllm-project/vllm/issues/23567
		{"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>Weekly.<|return|>", "Weekly."},
		{"Here is my thought process:\n" + long + "\nHere is my response:\nWeekly.", "Weekly."},
		{"Here is my thought process: hm\nHere's my response: Weekly.\n\nHere is my response: no.", "Weekly.\n\nHere is my response: no."},
		{"\nHere's my thought process: hm\n\nHere's my response: Weekly.\n", "Weekly."},
		{"Here is my thought process:\nhm\n**Here is my response:**\n\n**Weekly.**", "**Weekly.**"},
		{"Here is my thought process: Here is my response: it says.\n\n Here's my response:\n\n- weekly", "- weekly"},
		{"<|channel|>final <|constrain|>JSON<|message|>Weekly.", "Weekly."},
		{"<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final json<|message|>Weekly.", "Weekly."},
		{"<|channel|>final<|constrain|>markdown<|message|>\nWeekly.<|end|>", "Weekly."},
		{"analysisUser asks \"how often\".assistantfinalWeekly.", "Weekly."},
		{"<think>\nhm\n</think>\n{\"responses\":[{\"request\":1,\"answer\":\"Weekly.\"}]}", "Weekly."},
		{"Sure.\nI think first.\n<think>\n{\"responses\":[{\"request\":1,\"answer\":\"no\"}]}\n</think>\n", "Sure.\nI think first."},
		{`{"responses":[{"request":1,"answer":"<think>\nhm\n</think>\n\nWeekly."}]}`, "Weekly."},
		// Gemma 4, https://github.com/NousResearch/hermes-agent/pull/67632, also with the opening mark in the prompt
		// (https://github.com/jundot/omlx/pull/2533) and with nothing between them.
		{"<|channel>thought\nhm<channel|>Weekly.", "Weekly."},
		{"<|channel>thought\nhm\n<channel|>\nWeekly.", "Weekly."},
		{"<|channel>thought\n<channel|>Weekly.", "Weekly."},
		{"hm.<channel|>Weekly.", "Weekly."},
		{"hm\n<channel|>Weekly.", "Weekly."},
		// https://github.com/scouzi1966/maclocal-api/pull/151, https://github.com/vectorize-io/hindsight/pull/2195,
		// https://github.com/NousResearch/hermes-agent/pull/6149, https://github.com/open-webui/open-webui/issues/11259
		{"<|START_THINKING|>hm<|END_THINKING|><|START_TEXT|>Weekly.<|END_TEXT|>", "Weekly."},
		{"|startthink|hm|endthink|Weekly.", "Weekly."},
		{"<REASONING_SCRATCHPAD>\nhm\n</REASONING_SCRATCHPAD>\nWeekly.", "Weekly."},
		{"<details type=\"reasoning\" done=\"true\">\n<summary>Thought</summary>\n> hm\n</details>\nWeekly.", "Weekly."},
		// https://github.com/ollama/ollama/issues/15754, https://github.com/NousResearch/hermes-agent/pull/45222,
		// https://github.com/openclaw/openclaw/pull/90051, also with the opening mark in the prompt
		{"<unused94>thought\nThinking Process:\n\n1.  hm\n<unused95>Weekly.", "Weekly."},
		{"<unused94>thought\nhm\n<unused95>\n\nWeekly.", "Weekly."},
		{"<mm:think>hm</mm:think>Weekly.", "Weekly."},
		{"<mm:think>\nhm\n</mm:think>\n\nWeekly.", "Weekly."},
		{"hm\n</mm:think>\n\nWeekly.", "Weekly."},
		{"<antml:thinking>\nhm\n</antml:thinking>\nWeekly.", "Weekly."},
		// The closing tag has the answer right behind it.
		{long + "</think>Weekly.", "Weekly."},
		{long + "So it is.</think>**Weekly.**", "**Weekly.**"},
		{"internal reasoning</think>Weekly.", "Weekly."}, // https://github.com/nbramia/LifeOS/pull/568
	} {
		answers, cut, err := Read(c.reply, []string{"how often?"})
		if err != nil || answers[0] != c.answer || cut == "" {
			t.Errorf("%d: %q is read as %q, with %q cut, %v", i, c.reply, answers, cut, err)
		}
	}
}

// Answers about such marks come through byte for byte.
func TestAnswersAboutThoughtsStay(t *testing.T) {
	data, err := os.ReadFile("testdata/about-thoughts.txt")
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(string(data)), "\n=====\n")
	if len(answers) < 40 {
		t.Fatalf("%d answers", len(answers))
	}
	for i, answer := range answers {
		got, cut, err := Read(answer, []string{"what is that tag for?"})
		if err != nil || got[0] != answer || cut != "" {
			t.Errorf("answer %d:\n%s\nis read as\n%s\nwithout\n%s\n%v", i+1, answer, got, cut, err)
		}
		more, cut, err := Read(Join([]string{answer, answer}), []string{"", ""})
		if err != nil || more[0] != answer || more[1] != answer || cut != "" {
			t.Errorf("answer %d in a reply to two: %q, %q, %v", i+1, more, cut, err)
		}
		if IsThought(answer) {
			t.Errorf("answer %d is only a thought", i+1)
		}
		if shown := Begun(answer); !strings.HasPrefix(answer, shown) {
			t.Errorf("of answer %d is shown %q", i+1, shown)
		}
	}
}

// A reply that is nothing but thoughts is no answer, alone and in a group.
func TestThoughtsAloneAreNoAnswer(t *testing.T) {
	for _, reply := range []string{
		"<think>\nhm\n</think>", "<think>hm", "<think>\nhm", " <think>\n\nOkay, the user", "hm\n</think>\n \n", "hm.</think>", "Thinking...\nhm\n...done thinking.\n",
		"[THINK]hm[/THINK]", "<think></think>", "</think>", "analysisWe need toassistantfinal", "<think>a</think><think>b", "<THINK>\nhm", "hm.\n</think>\n<think>\nhm",
		// Channels of gpt-oss without the final one: https://github.com/NVIDIA/TensorRT-LLM/issues/9256, and a call as in
		// https://cookbook.openai.com/articles/openai-harmony, also where the server has cut the token at its end.
		"<|channel|>commentary<|message|>{\n  \"path\": \"/\",\n  \"name_pattern\": \"*Chen*\"\n}<|end|>",
		"<|channel|>commentary to=functions.x <|constrain|>json<|message|>{}<|call|>", "<|channel|>commentary to=functions.x <|constrain|>json<|message|>{\"a\":\"b\"}",
		"<|channel|>analysis<|message|>Hm, I look.<|end|><|start|>assistant<|channel|>commentary to=functions.x json<|message|>{}<|call|>\n",
		"\n<|start|>assistant to=functions.x<|channel|>commentary <|constrain|>json<|message|>{}<|call|>", " to=functions.x<|channel|>commentary json<|message|>{}",
		"<|channel|>analysis<|message|>They ask what `<|end|>` is for.<|end|>", "<|channel|>analysis<|message|>We need to", "<think>hm</think><|channel|>commentary<|message|>{}<|end|>",
		"<|channel|>analysis<|message|> hm<|end|>", "<|channel|>commentary to=functions.x<|message|>\"a\"<|call|>", "<|channel|>analysis<|message|>",
		" \n\n<|channel|>analysis<|message|>Hmword</think>\ufffd`",
	} {
		if !IsThought(reply) {
			t.Errorf("%q is an answer", reply)
		}
		if got, _, err := Read(reply, []string{""}); err == nil {
			t.Errorf("%q is read as %q", reply, got)
		}
		document, _ := json.Marshal(map[string]any{"responses": []any{map[string]any{"request": 1, "answer": "One."}, map[string]any{"request": 2, "answer": reply}}})
		if got, _, err := Read(string(document), []string{"", ""}); err == nil {
			t.Errorf("%s is read as %q", document, got)
		}
	}
	// Nothing of these is known to be less than an answer.
	for _, reply := range []string{
		"", "Weekly.", "Thinking...\nhm", "Here is my thought process:\nhm", "<think> is what opens a thought.", "<think>, as it is called", "<think>/<thinking> open it.",
		"<think>\nhm\n</think>\nWeekly.", "hm\n</think>\nWeekly.",
	} {
		if IsThought(reply) {
			t.Errorf("%q is only a thought", reply)
		}
	}
}

// Groups: thoughts before the document and in its answers go, and what is in no answer does not hinder it.
func TestThoughtsOfGroups(t *testing.T) {
	const document = `{"responses":[{"request":1,"answer":"<think>a</think>One."},{"request":2,"answer":"` + "```markdown\\n## Two\\n```" + `"}]}`
	for _, before := range []string{"", "<think>\n{\"responses\":[]} or so\n</think>\n", "so be it\n</think>\n", "<think>\n" + document + "\n</think>\n```json\n"} {
		got, cut, err := Read(before+document, []string{"", ""})
		if err != nil || got[0] != "One." || got[1] != "## Two" || !strings.Contains(cut, "<think>a</think>") {
			t.Errorf("%q: %q, %q, %v", before, got, cut, err)
		}
	}
	// Raw line ends in a string are mended; what is code in it stays.
	raw := "{\"responses\":[{\"request\":1,\"answer\":\"```\n<think>\nx\n</think>\n```\"},{\"request\":2,\"answer\":\"b\"}]}"
	if got, cut, err := Read(raw, []string{"", ""}); err != nil || !strings.Contains(got[0], "<think>\nx\n</think>") || cut != "" {
		t.Errorf("%q, %q, %v", got, cut, err)
	}
}

// A fence that says of all of an answer that it is Markdown goes, unless the source is asked for.
func TestMarkdownFences(t *testing.T) {
	const doc = "## Summary\n\n- a\n- b"
	for i, c := range []struct{ instruction, reply, answer string }{
		{"", "```markdown\n" + doc + "\n```", doc},
		{"summarise this in markdown", "```md\n" + doc + "\n```\n", doc},
		{"", "```Markdown \r\n" + doc + "\r\n```\r\n", doc},
		{"", "~~~~ markdown\n" + doc + "\n~~~~", doc},
		{"", "````markdown\n" + doc + "\n```\nx\n```\n````", doc + "\n```\nx\n```"},
		{"", "```markdown\n" + doc + "\n```go\nx := 1\n```\nThat is it.\n```", doc + "\n```go\nx := 1\n```\nThat is it."},
		{"", "```markdown\nDo:\n\n```\nnpm i\n```\n\nThat is it.\n```", "Do:\n\n```\nnpm i\n```\n\nThat is it."},
		{"", "<think>\nhm\n</think>\n```markdown\n" + doc + "\n```", doc},
		{"cite your sources", "```md\n" + doc + "\n```", doc},
		// Code stays code.
		{"", "```go\nx := 1\n```", ""},
		{"", "```\n" + doc + "\n```", ""},
		{"", "```mdx\n" + doc + "\n```", ""},
		{"", "Here it is:\n```markdown\n" + doc + "\n```", ""},
		{"", "```markdown\n" + doc + "\n```\nThat is it.", ""},
		{"", "```markdown\n# one\n```\n\nand\n\n```markdown\n# two\n```", ""},
		{"", "```markdown\n# one\n```\n\nand\n\n```\ntwo\n```", ""},
		{"", "```markdown\n" + doc, ""},
		{"", "```markdown\n" + doc + "\n```go\nx\n```", ""},
		{"", "````markdown\n" + doc + "\n```", ""},
		{"", "```markdown\n \n```", ""},
		{"show me the Markdown source of a list", "```markdown\n" + doc + "\n```", ""},
		{"write it as code", "```md\n" + doc + "\n```", ""},
		{"gib mir den Quelltext der Tabelle", "```md\n" + doc + "\n```", ""},
		{"the raw text, please", "```md\n" + doc + "\n```", ""},
		{"write a template for a meeting note", "````markdown\n# {{title}}\n\n```\n{{date}}\n```\n````", ""},
		{"mach mir eine Vorlage", "```md\n" + doc + "\n```", ""},
		{"dame el código", "```md\n" + doc + "\n```", ""},
	} {
		if c.answer == "" {
			c.answer = c.reply
		}
		if got, _, err := Read(c.reply, []string{c.instruction}); err != nil || got[0] != c.answer {
			t.Errorf("%d: %q is read as %q, %v", i, c.reply, got, err)
		}
	}
}

// TestReadOfAnything: nothing but whole lines and marks goes, what is left is not read otherwise, and what is shown of a
// reply meanwhile is how its answer begins.
func TestReadOfAnything(t *testing.T) {
	seed := testseed.Take(t)
	random := rand.New(rand.NewPCG(seed, 3))
	parts := []string{"\n", "\n\n", " ", "<think>", "</think>", "<think>\n", "\n</think>\n", "```\n", "```md\n", "\n```", "word", "Done.", "`", "    ", "é", "\xff",
		"Thinking...\n", "\n...done thinking.\n", "[THINK]", "[/THINK]", "<answer>", "</answer>", `{"responses":[{"request":1,"answer":"b"}]}`, "> ", "- ",
		"<|channel|>analysis<|message|>Hm", "<|start|>assistant<|channel|>commentary to=a <|constrain|>json<|message|>{}", "<|channel|>final<|message|>", "<|end|>", "<|call|>"}
	for range 6000 / fewer {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		reply := strings.ToValidUTF8(b.String(), "\ufffd")
		rest, cut := CutThoughts(reply)
		if Blank(rest) != Blank(reply) || cut == "" && rest != reply {
			t.Fatalf("%q is cut to %q and %q", reply, rest, cut)
		}
		left := reply
		for _, letter := range strings.Fields(rest) {
			at := strings.Index(left, letter)
			if at < 0 {
				t.Fatalf("%q of %q is new: %q", letter, reply, rest)
			}
			left = left[at+len(letter):]
		}
		if answers, _, err := Read(reply, []string{""}); (err == nil) == (Blank(reply) || IsThought(reply)) || err == nil && Blank(answers[0]) {
			t.Fatalf("%q is read as %q, %v", reply, answers, err)
		}
	}
}

// Of what a model says to itself nothing is shown while it does.
func TestThoughtsAreNotShown(t *testing.T) {
	for _, reply := range []string{
		"<think>\nhm\n</think>\n\nWeekly, I think.", "\n <thinking>hm</thinking>Weekly.", "Thinking...\nhm\n...done thinking.\n\nWeekly.",
		"Let me see.\n<think>\nhm\n</think>\nWeekly.", "[THINK]hm[/THINK]Weekly.", "<unused94>thought\nhm\n<unused95>Weekly.", "<mm:think>hm</mm:think>Weekly.", "```markdown\n## a\nhm\n```", "analysisWe hmassistantfinalWeekly.",
		"Here is my thought process:\nhm\n\nHere is my response:\nWeekly.", "Here's my thought process: hm\nHere's my response: Weekly.",
		"Here is my thought process:\nhm\n**Here is my response:**\n\nWeekly.",
		"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Weekly.", "<think>hm</think><answer>Weekly.</answer>",
	} {
		answers, _, err := Read(reply, []string{""})
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(reply) + 1 {
			if shown := Begun(reply[:i]); strings.Contains(shown, "hm") || !strings.HasPrefix(answers[0], shown) {
				t.Errorf("of %q is shown %q", reply[:i], shown)
			}
		}
	}
	if got := Begun("hm.\n</think>\nWeekly"); got != "Weekly" {
		t.Errorf("%q", got)
	}
}

// A reply of nothing but marks costs as little as any other.
func TestMarksCostLittle(t *testing.T) {
	testmain.Long(t, "it measures what long answers cost")
	for _, unit := range []string{"<think>\n", "<think></think>", "<think>\n```x\n</think>\n", "</think>\n", "`</think>", "<think>a</think>\n", "```\n<think>\n", "<think>\n</think>\n", "<think>\n</reason>x\n"} {
		for _, before := range []string{"", "<think>\n", "a\n", "a\n</think>\nb\n"} {
			growth.Evenly(t, fmt.Sprintf("%q repeated after %q", unit, before), 80_000/fewer, func(size int) {
				reply := before + strings.Repeat(unit, size/len(unit)) + "\nx"
				CutThoughts(reply)
				Begun(reply)
				IsThought(reply)
			})
		}
	}
}
