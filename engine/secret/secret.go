// Package secret is pure text: what must not be shown, taken out of what is shown.
//
//	key, err := secret.ReadKey("MODELS_KEY", os.Getenv("MODELS_KEY"))
//	text = secret.NewRedactor(key).Redact(text)
//
// # Promises
//
// A text that was redacted holds no secret, and of a secret no eight characters that follow one another, except what
// its maker gives to all of its keys ("sk-proj-"). Escapes of JSON, HTML, addresses and program text hide nothing, nor do
// invisible characters between. What many people have for a key where none is wanted ("ollama") is no secret. No error
// repeats a value.
package secret

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden is shown in the place of a secret.
const Hidden = "(the key)"

// run is how many characters of a secret tell something of it.
const run = 8

// shortest is the least length of a secret; "1" or "us" do not count.
const shortest = 4

// dummies are keys for servers that want none but whose clients do:
// https://docs.ollama.com/api/openai-compatibility, https://lmstudio.ai/docs/developer/openai-compat,
// https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md,
// https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
var dummies = []string{"ollama", "lm-studio", "lmstudio", "lm_studio", "sk-no-key-required", "no-key-required", "no-key", "empty",
	"none", "null", "dummy", "test", "local", "localhost", "not-needed", "not-required", "unused", "anything"}

// family is what the keys of one maker begin with: sk-, sk-proj-, sk-ant-api03-, sk-or-v1-, gsk_, ghp_, github_pat_.
var family = lazily(`^(?:[A-Za-z0-9]{1,6}[-_]){1,3}`)

// leastOwn is how much of a key is its own where it has a beginning that is not.
const leastOwn = 16

// Redactor takes secrets out of texts. The zero Redactor knows none. It is safe for concurrent use.
type Redactor struct {
	runs  map[string]bool // of long secrets
	heads []string        // the text before the own part of a key
	short []string        // secrets that have no run
}

// NewRedactor returns a Redactor of secrets; those that are empty, too short or a usual word for no key are left out.
func NewRedactor(secrets ...string) Redactor {
	r := Redactor{runs: make(map[string]bool)}
	for _, s := range secrets {
		s = strings.TrimSpace(s)
		switch {
		case len(s) < shortest || slices.Contains(dummies, strings.ToLower(s)):
			continue
		case len(s) < run:
			r.short = append(r.short, s)
			continue
		}
		head := family().FindString(s)
		if len(s)-len(head) >= leastOwn && head != "" {
			r.heads = append(r.heads, head)
			s = s[len(head):]
		}
		for i := 0; i+run <= len(s); i++ {
			r.runs[s[i:i+run]] = true
		}
	}
	return r
}

// Redact returns a text without the secrets.
func (r Redactor) Redact(text string) string {
	for _, secret := range r.short {
		text = replaceWord(text, secret)
	}
	if len(r.runs) == 0 {
		return text
	}
	seen := see(text)
	var out strings.Builder
	kept := 0
	for _, span := range r.findRuns(seen.text) {
		out.WriteString(text[kept:seen.offsets[span.begin]] + Hidden)
		kept = seen.offsets[span.end]
	}
	return out.String() + text[kept:]
}

type span struct{ begin, end int }

// findRuns finds what a text has of the long secrets, with what their makers put before it.
func (r Redactor) findRuns(text string) (found []span) {
	for at := 0; at+run <= len(text); at++ {
		if !r.runs[text[at:at+run]] {
			continue
		}
		if last := len(found) - 1; last >= 0 && at <= found[last].end {
			found[last].end = at + run
			continue
		}
		begin := at
		for _, head := range r.heads {
			if strings.HasSuffix(text[:at], head) {
				begin = min(begin, at-len(head))
			}
		}
		found = append(found, span{begin, at + run})
	}
	return found
}

// replaceWord replaces a short secret where it is a word by itself: within another one it says nothing.
func replaceWord(text, word string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, word)
		if at < 0 {
			return out.String() + text
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		shown := Hidden
		if isOfWord(before) || isOfWord(after) {
			shown = word
		}
		out.WriteString(text[:at] + shown)
		text = text[at+len(word):]
	}
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
