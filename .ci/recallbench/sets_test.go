//go:build recalleval

package recallbench

import (
	"path"
	"regexp"
	"strings"
)

var (
	described = regexp.MustCompile(`(?m)^description::? *(.+)\n`)
	podName   = regexp.MustCompile(`(?m)^# NAME\n\n(\S+) - (.+)\n`)
	wiki      = regexp.MustCompile(`!?\[\[([^\[\]|#]+)[^\[\]]*\]\]`)
)

// descriptions takes the descriptions out of notes and returns them.
func (c *corpus) descriptions() []question {
	var out []question
	for _, rel := range c.order {
		text, about := c.notes[rel], ""
		if m := described.FindStringSubmatch(text); m != nil {
			about, text = m[1], strings.Replace(text, m[0], "", 1)
		} else if m := podName.FindStringSubmatch(text); m != nil {
			about, text = m[2], strings.Replace(text, m[0], "", 1)
		}
		if len(strings.Fields(about)) < 3 {
			continue
		}
		c.notes[rel] = text
		out = append(out, question{text: wiki.ReplaceAllString(about, "$1"), want: map[string]bool{rel: true}})
	}
	return out
}

// folds is how often the links of some paragraphs are hidden, each time of others,
// so that the rest of the vault's links stays.
const folds = 10

// contexts takes the links to other notes out of every tenth paragraph in which
// enough text is left, and returns these texts.
func (c *corpus) contexts(fold int) []question {
	seen := -1
	return c.hide(func(string) bool {
		seen++
		return seen%folds == fold
	})
}

// hide takes the links to other notes out of the chosen ones of the paragraphs in
// which enough text is left, and returns these texts.
func (c *corpus) hide(chosen func(text string) bool) []question {
	byName := make(map[string]string)
	for _, rel := range c.order {
		byName[strings.ToLower(strings.TrimSuffix(path.Base(rel), ".md"))] = rel
	}
	var out []question
	for _, rel := range c.order {
		var kept []string
		for line := range strings.Lines(c.notes[rel]) {
			q := question{from: rel, want: make(map[string]bool)}
			for _, m := range wiki.FindAllStringSubmatch(line, -1) {
				name := strings.ReplaceAll(strings.ToLower(m[1]), "/", "___")
				if target := byName[name]; target != "" && target != rel && len(words.FindAllString(body(c.notes[target]), 20)) == 20 {
					q.want[target] = true
				}
			}
			q.text = wiki.ReplaceAllString(line, " ")
			if len(q.want) > 0 && len(words.FindAllString(q.text, -1)) >= 8 && chosen(q.text) {
				out = append(out, q)
				line = q.text
			}
			kept = append(kept, line)
		}
		c.notes[rel] = strings.Join(kept, "")
	}
	return out
}

var front = regexp.MustCompile(`(?s)^---\n.*?\n---\n`)

// body is a note without its properties, of which nothing is quoted.
func body(text string) string { return front.ReplaceAllString(text, "") }
