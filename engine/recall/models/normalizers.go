package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxNesting bounds how deep sequences in sequences may go.
const maxNesting = 8

var errNesting = errors.New("is nested too deeply")

// pattern is what a Replace or a Split looks for.
type pattern struct {
	String *string
	Regex  *string
}

func (p pattern) compilePattern() (*regexp.Regexp, error) {
	switch {
	case p.String != nil:
		return regexp.MustCompile(regexp.QuoteMeta(*p.String)), nil
	case p.Regex != nil:
		re, err := regexp.Compile(*p.Regex)
		if err != nil {
			return nil, fmt.Errorf("has an expression that cannot be used here (%w)", err)
		}
		return re, nil
	}
	return nil, errors.New("has a pattern that says nothing")
}

// parseNormalizer makes the function that the entry "normalizer" describes.
func parseNormalizer(p *part, depth int) (func(string) string, error) {
	if p == nil || p.Type == "" {
		return func(s string) string { return s }, nil
	}
	var set struct {
		Normalizers  []*part
		CleanText    bool  `json:"clean_text"`
		Chinese      bool  `json:"handle_chinese_chars"`
		StripAccents *bool `json:"strip_accents"`
		Lowercase    bool
		StripLeft    bool `json:"strip_left"`
		StripRight   bool `json:"strip_right"`
		Pattern      pattern
		Content      string
		Prepend      string
	}
	if err := json.Unmarshal(p.raw, &set); err != nil {
		return nil, fmt.Errorf("has a normalizer that cannot be read (%w)", err)
	}
	switch p.Type {
	case "Sequence":
		return parseSequence(set.Normalizers, depth, parseNormalizer)
	case "BertNormalizer":
		accents := set.Lowercase
		if set.StripAccents != nil {
			accents = *set.StripAccents
		}
		return func(s string) string { return normalizeBert(s, set.CleanText, set.Chinese, accents, set.Lowercase) }, nil
	case "Replace":
		re, err := set.Pattern.compilePattern()
		return func(s string) string { return re.ReplaceAllLiteralString(s, set.Content) }, err
	case "Strip":
		return func(s string) string { return trimSpaces(s, set.StripLeft, set.StripRight) }, nil
	case "Prepend":
		return func(s string) string {
			if s == "" {
				return s
			}
			return set.Prepend + s
		}, nil
	}
	if f := normalizers[p.Type]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("normalizes by %q, which is not known here", p.Type)
}

// normalizers are those without settings. Precompiled is the table of a
// sentencepiece model; all that are in use do what NFKC does, and make one
// space of any white space.
var normalizers = map[string]func(string) string{
	"NFC": norm.NFC.String, "NFD": norm.NFD.String, "NFKC": norm.NFKC.String, "NFKD": norm.NFKD.String,
	"Lowercase":    strings.ToLower,
	"StripAccents": stripMarks,
	"Nmt":          cleanSpaces,
	"Precompiled":  func(s string) string { return cleanSpaces(norm.NFKC.String(s)) },
}

// parseSequence joins functions, the first one first.
func parseSequence[T any](parts []*part, depth int, parse func(*part, int) (func(T) T, error)) (func(T) T, error) {
	if depth == maxNesting {
		return nil, errNesting
	}
	steps := make([]func(T) T, len(parts))
	for i, p := range parts {
		var err error
		if steps[i], err = parse(p, depth+1); err != nil {
			return nil, err
		}
	}
	return func(v T) T {
		for _, step := range steps {
			v = step(v)
		}
		return v
	}, nil
}

func trimSpaces(s string, left, right bool) string {
	if left {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	if right {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	return s
}

// stripMarks leaves out the marks of decomposed text.
func stripMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

// cleanSpaces makes white space plain and leaves out other control characters.
func cleanSpaces(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == 0 || r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, s)
}

// normalizeBert is what BERT's models do to a text.
func normalizeBert(s string, clean, chinese, accents, lower bool) string {
	if clean {
		s = cleanSpaces(s)
	}
	if chinese {
		var b strings.Builder
		for _, r := range s {
			if isIdeograph(r) {
				b.WriteString(" " + string(r) + " ")
			} else {
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	if accents {
		s = stripMarks(norm.NFD.String(s))
	}
	if lower {
		s = strings.ToLower(s)
	}
	return s
}

func isIdeograph(r rune) bool {
	return 0x4e00 <= r && r <= 0x9fff || 0x3400 <= r && r <= 0x4dbf || 0xf900 <= r && r <= 0xfaff ||
		0x20000 <= r && r <= 0x2ceaf || 0x2f800 <= r && r <= 0x2fa1f
}
