package apps

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// gather returns what all apps have in a field.
func gather(field func(App) []string) func() []string {
	return sync.OnceValue(func() (list []string) {
		for _, a := range all {
			list = append(list, field(a)...)
		}
		return list
	})
}

var (
	blockKeys = gather(func(a App) []string { return a.BlockKeys })
	tags      = gather(func(a App) []string { return a.Tags })
)

// placeholder is any that an app fills in.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)` + strings.Join(gather(func(a App) []string { return a.Placeholders })(), "|"))
})

// MayFill reports whether a text may have a placeholder; it costs less than to look for one.
func MayFill(text []byte) bool {
	return bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("<%"))
}

// FindPlaceholders returns where a text has what an app fills in when a note is made from a template, as offsets of
// beginnings and ends.
func FindPlaceholders(text []byte) [][]int { return placeholder().FindAllIndex(text, -1) }

// MakesTemplate reports whether a line, without what Markdown has before its text, is a property that makes its
// block of an outline a template. One that links to a note only says which template that was made from.
func MakesTemplate(line string) bool {
	key, value, ok := strings.Cut(line, "::")
	return ok && strings.TrimSpace(value) != "" && !strings.Contains(value, "[[") && slices.Contains(blockKeys(), strings.ToLower(key))
}

// Act is a form of text that an app obeys. The group of Form is where Mend breaks it.
type Act struct {
	In         Surroundings
	Form, Mend string
}

// Surroundings are where in a note an app finds a form.
type Surroundings int

// The surroundings of forms.
const (
	Span Surroundings = iota + 1 // at the beginning of code in a line, to be replaced by what it computes
	Line                         // at the beginning of a line
	Text                         // anywhere in text
	Code                         // in code of any kind
)

// Acts are the forms that apps obey in some surroundings, each with its mend.
func Acts(in Surroundings) iter.Seq2[string, string] {
	return func(yield func(form, mend string) bool) {
		for _, a := range all {
			for _, act := range a.Acts {
				if act.In == in && !yield(act.Form, act.Mend) {
					return
				}
			}
		}
	}
}

// TagsTemplate reports whether a tag, with its # or without, makes a note a template.
func TagsTemplate(tag string) bool {
	tag = strings.ToLower(strings.TrimPrefix(tag, "#"))
	return slices.ContainsFunc(tags(), func(t string) bool { return tag == t || strings.HasPrefix(tag, t+"/") })
}
