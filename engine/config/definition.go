package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
)

// Definition describes how an agent plays a role. Its file is markdown: the front
// matter has the keys name, description, model and tools, the text is the system
// prompt.
type Definition struct {
	Name        string // "vault-mind-" and the role in lower case, as its file is called
	Description string // one line for a list
	Model       string // "" = that of the configuration, or the runner's own
	Tools       string // "none" or "read": the most the role may have; "" = no limit
	Prompt      string
	File        string // "" for a built-in one
}

// GeneralDefinition plays every role that has no definition of its own.
const GeneralDefinition = "vault-mind-general"

// As returns the agent with a definition applied. The definition's model counts where
// the configuration names none. Its tools can only take away: a role may do what both
// allow, and a configuration without tools allows none.
func (a Agent) As(d Definition) Agent {
	a.Model = cmp.Or(a.Model, d.Model)
	if d.Tools == "none" {
		a.Tools = "none"
	}
	return a
}

// maxDefinition is far more than a useful prompt needs.
const maxDefinition = 64 << 10

var (
	definitionName = regexp.MustCompile(`^vault-mind-[a-z][a-z0-9_-]*$`)
	fence          = regexp.MustCompile(`(?m)^---[ \t]*(\n|\z)`)
)

// ParseDefinition reads one definition. The error is [Problems]: every mistake with
// its line and the next step.
func ParseDefinition(file string, data []byte) (Definition, error) {
	head, body, problem := frontMatter(data)
	if problem != nil {
		return Definition{}, refuseSyntax(file, problem)
	}
	root, problem := yamltext.Parse(head, "keys such as name: vault-mind-miner")
	if problem != nil {
		problem.Line = max(1, problem.Line)
		return Definition{}, refuseSyntax(file, problem)
	}
	d, l := Definition{Prompt: strings.TrimSpace(string(body))}, newLoader(file)
	l.readDefinition(&d, root)
	if len(l.problems) > 0 {
		return Definition{}, l.problems.sortByPlace()
	}
	return d, nil
}

// readDefinition reads the keys of the front matter. A missing key is refused on the
// first line.
func (l *loader) readDefinition(d *Definition, root *yaml.Node) {
	fields := map[string]*string{"name": &d.Name, "description": &d.Description, "model": &d.Model, "tools": &d.Tools}
	for _, e := range yamltext.Entries(root) {
		key := yamltext.Shorten(e.Key)
		l.origins[key] = origin{line: e.Line}
		if field, ok := fields[e.Key]; !ok {
			l.refuse(key, errors.New("unknown; the keys are name, description, model and tools"))
		} else if err := yamltext.DecodeText(e.Value, field); err != nil {
			l.refuse(key, err)
		}
	}
	for _, c := range d.checkFields() {
		if _, ok := l.origins[c.field]; !ok {
			l.origins[c.field] = origin{line: 1}
		}
		if c.err != nil {
			l.refuse(c.field, c.err)
		}
	}
}

func (d *Definition) checkFields() []fieldError {
	return []fieldError{
		{"name", d.checkName()},
		{"description", d.checkDescription()},
		{"tools", Agent{Tools: d.Tools}.checkTools()},
		{"prompt", d.checkPrompt()},
	}
}

func (d *Definition) checkName() error {
	switch {
	case d.Name == "":
		return errors.New("missing; write name: vault-mind- and the role in lower case")
	case !definitionName.MatchString(d.Name):
		return fmt.Errorf("%s is not the name of a role; write vault-mind- and the role in lower case, such as vault-mind-miner", yamltext.Quote(d.Name))
	}
	return nil
}

func (d *Definition) checkDescription() error {
	if strings.TrimSpace(d.Description) == "" || strings.ContainsRune(d.Description, '\n') {
		return errors.New("missing or longer than a line; say in one line what the role does")
	}
	return nil
}

func (d *Definition) checkPrompt() error {
	switch {
	case d.Prompt == "":
		return errors.New("missing; write below the second line --- what the role does and how it answers")
	case !utf8.ValidString(d.Prompt) || strings.ContainsRune(d.Prompt, 0):
		return errors.New("not UTF-8 text; save the file as UTF-8")
	}
	return nil
}

// frontMatter splits a definition into its block of keys, with the line --- above it,
// and the text after the second such line.
func frontMatter(data []byte) (head, body []byte, problem *yamltext.SyntaxError) {
	if len(data) > maxDefinition {
		return nil, nil, &yamltext.SyntaxError{Text: fmt.Sprintf("is larger than %d KiB; shorten the prompt", maxDefinition>>10)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	lines := fence.FindAllIndex(data, 2)
	switch {
	case len(lines) == 0 || lines[0][0] > 0:
		return nil, nil, &yamltext.SyntaxError{Line: 1, Text: "expected the line ---; begin with name, description and tools between two lines ---"}
	case len(lines) == 1:
		return nil, nil, &yamltext.SyntaxError{Line: 1, Text: "the block that begins here has no end; put a line --- after its last key"}
	}
	return data[:lines[1][0]], data[lines[1][1]:], nil
}
