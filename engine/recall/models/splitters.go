package models

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"vaultdispatcher/engine/lazyregexp"
)

// parseSplitter makes the function that the entry "pre_tokenizer" describes.
func parseSplitter(p *part, depth int) (func([]string) []string, error) {
	if p == nil || p.Type == "" {
		return func(words []string) []string { return words }, nil
	}
	var set struct {
		PreTokenizers []*part `json:"pretokenizers"`
		Replacement   string
		Scheme        *string `json:"prepend_scheme"`
		PrefixSpace   *bool   `json:"add_prefix_space"`
		Split         *bool
		Digits        bool `json:"individual_digits"`
		Pattern       pattern
		Behavior      string
		Invert        bool
	}
	if err := json.Unmarshal(p.raw, &set); err != nil {
		return nil, fmt.Errorf("has a pre_tokenizer that cannot be read (%w)", err)
	}
	switch p.Type {
	case "Sequence":
		return parseSequence(set.PreTokenizers, depth, parseSplitter)
	case "Metaspace":
		before := (set.Scheme == nil || *set.Scheme != "never") && (set.PrefixSpace == nil || *set.PrefixSpace)
		return parseMetaspace(set.Replacement, before, set.Split == nil || *set.Split), nil
	case "Digits":
		if set.Digits {
			return applyToWords(cutAt(regexp.MustCompile(`\p{N}`), "Isolated")), nil
		}
		return applyToWords(cutAt(regexp.MustCompile(`\p{N}+`), "Isolated")), nil
	case "Split":
		re, err := set.Pattern.compilePattern()
		if err != nil {
			return nil, err
		}
		if set.Invert || set.Behavior != "Isolated" && set.Behavior != "Removed" {
			return nil, fmt.Errorf("splits text by %q, which is not known here", set.Behavior)
		}
		return applyToWords(cutAt(re, set.Behavior)), nil
	}
	if f := splitters[p.Type]; f != nil {
		return applyToWords(f), nil
	}
	return nil, fmt.Errorf("splits text by %q, which is not known here", p.Type)
}

var splitters = map[string]func(string) []string{
	"BertPreTokenizer": func(s string) []string { return applyToWords(isolatePunctuation)(strings.Fields(s)) },
	"Whitespace":       func(s string) []string { return words().FindAllString(s, -1) },
	"WhitespaceSplit":  strings.Fields,
	"Punctuation":      isolatePunctuation,
}

var words = lazyregexp.New(`[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]+`)

// applyToWords applies a cut to every word.
func applyToWords(cut func(string) []string) func([]string) []string {
	return func(words []string) []string {
		var out []string
		for _, w := range words {
			out = append(out, cut(w)...)
		}
		return out
	}
}

// isolatePunctuation makes a word of every punctuation mark.
func isolatePunctuation(s string) []string {
	var out []string
	from := 0
	for i, r := range s {
		if !isPunctuation(r) {
			continue
		}
		if i > from {
			out = append(out, s[from:i])
		}
		from = i + len(string(r))
		out = append(out, s[i:from])
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}

// isPunctuation counts all signs of ASCII, as BERT does.
func isPunctuation(r rune) bool {
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~' || unicode.IsPunct(r)
}

// cutAt cuts at the matches of re, which become words or are removed.
func cutAt(re *regexp.Regexp, behavior string) func(string) []string {
	return func(s string) []string {
		var out []string
		from := 0
		add := func(part string) {
			if part != "" {
				out = append(out, part)
			}
		}
		for _, m := range re.FindAllStringIndex(s, -1) {
			add(s[from:m[0]])
			if behavior == "Isolated" {
				add(s[m[0]:m[1]])
			}
			from = m[1]
		}
		add(s[from:])
		return out
	}
}

// parseMetaspace writes spaces as a sign that belongs to the word behind it.
func parseMetaspace(sign string, before, split bool) func([]string) []string {
	if sign == "" {
		sign = "▁"
	}
	return applyToWords(func(s string) []string {
		s = strings.ReplaceAll(s, " ", sign)
		if before && !strings.HasPrefix(s, sign) {
			s = sign + s
		}
		if !split {
			return []string{s}
		}
		var out []string
		for i, w := range strings.Split(s, sign) {
			if i > 0 {
				w = sign + w
			}
			if w != "" {
				out = append(out, w)
			}
		}
		return out
	})
}
