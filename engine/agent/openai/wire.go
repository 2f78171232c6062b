package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	"vaultdispatcher/engine/agent/endings"
)

// This file is what is read of a server's answer. Nothing in it fails for the kind of a field: what has another one is
// missing, and what ends an answer in an unknown way ends no answer.

// ends are the words for the end of an answer, those of the servers behind gateways among them.
var ends = endings.Table{
	"stop": endings.Good, "tool_calls": endings.Good, "function_call": endings.Good, // https://platform.openai.com/docs/api-reference/chat/object
	"eos":       endings.Good,                                // https://docs.together.ai/reference/chat-completions-1
	"eos_token": endings.Good, "stop_sequence": endings.Good, // https://huggingface.co/docs/text-generation-inference
	"end_turn": endings.Good, "tool_use": endings.Good, // https://docs.anthropic.com/en/api/handling-stop-reasons
	"complete": endings.Good, "tool_call": endings.Good, // https://docs.cohere.com/reference/chat

	"length":       endings.Tokens,                                                  // https://platform.openai.com/docs/api-reference/chat/object
	"model_length": endings.Tokens,                                                  // https://docs.mistral.ai/api
	"max_tokens":   endings.Tokens, "model_context_window_exceeded": endings.Tokens, // Anthropic, and Gemini's MAX_TOKENS: https://ai.google.dev/api/generate-content#FinishReason

	"content_filter": filtered, "safety": filtered, "recitation": filtered, "blocklist": filtered, "prohibited_content": filtered, "spii": filtered,
	"refusal": endings.Decline, "sensitive": filtered, // https://docs.z.ai/api-reference/llm/chat-completion
}

var filtered = endings.End{Meaning: endings.Final, Says: "had its answer held back by a content filter"}

// chunk is an answer, or an event with a piece of one: https://platform.openai.com/docs/api-reference/chat-streaming
type chunk struct {
	Model   string
	Choices []choice
	Usage   *usage
	Error   json.RawMessage
	Told    json.RawMessage `json:"error_message"` // https://github.com/NousResearch/hermes-agent/issues/65631
	Object  string
}

type choice struct {
	Index          int
	FinishReason   word `json:"finish_reason"`
	Native         word `json:"native_finish_reason"` // of the server behind a router, which may call its failure a stop: https://github.com/OleksandrChekhovskyi/hax/pull/15
	Message, Delta *words
	Error          json.RawMessage
}

// words are an answer, or the next piece of one.
type words struct {
	Content          parts
	Refusal          parts
	Thinking         parts             // https://docs.ollama.com/api#chat-with-thinking
	Reasoning        parts             // https://openrouter.ai/docs/use-cases/reasoning-tokens
	ReasoningContent parts             `json:"reasoning_content"` // https://api-docs.deepseek.com/guides/reasoning_model
	ToolCalls        []json.RawMessage `json:"tool_calls"`
	Function         json.RawMessage   `json:"function_call"`
}

// thoughts are what a model says to itself; gateways give the same in two fields.
func (w words) thoughts() string {
	return w.Content.thoughts + cmp.Or(w.ReasoningContent.all(), w.Reasoning.all(), w.Thinking.all())
}

type usage struct {
	PromptTokens     int64 `json:"prompt_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
	Cost             json.RawMessage
}

// word is a text. Any other value has its JSON as its text, which no table knows.
type word string

// UnmarshalJSON never fails. Some servers write "null" where nothing has ended yet.
func (w *word) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	if *w = word(text); text == "null" {
		*w = ""
	}
	return nil
}

// parts are what was said: a text, or a list of parts with kinds as Mistral's reasoning models send it
// (https://docs.mistral.ai/capabilities/reasoning).
type parts struct{ text, thoughts string }

func (p parts) all() string { return p.thoughts + p.text }

// UnmarshalJSON never fails.
func (p *parts) UnmarshalJSON(data []byte) error {
	*p = parts{}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil {
		list = []json.RawMessage{data}
	}
	for _, one := range list {
		p.addPart(one)
	}
	return nil
}

// addPart adds one part of a list. A part that is neither text nor a thought, such as a reference, says nothing.
func (p *parts) addPart(data []byte) {
	var text string
	if json.Unmarshal(data, &text) == nil {
		p.text += text
		return
	}
	var part struct {
		Type                      string
		Text, Thinking, Reasoning parts
		Value                     string
	}
	_ = forgiveTypes(json.Unmarshal(data, &part)) // a value that is not an object says nothing
	switch strings.ToLower(part.Type) {
	case "", "text", "output_text":
		p.text += part.Text.text + part.Value
		p.thoughts += part.Text.thoughts
	case "thinking", "reasoning", "thought":
		p.thoughts += part.Thinking.all() + part.Reasoning.all() + part.Text.all()
	}
}
