// Package definition reads how agents play roles: markdown files, built in or of the user's own.
//
//	set, err := definition.NewSet(assets.Agents(), cfg)
//	d, err := set.Find("Miner")
package definition

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// Definition describes how an agent plays a role. Its file is markdown: the front
// matter has the keys name, description, model, tools, writes and runner, the text is the
// system prompt. A file of Claude Code's is one too.
type Definition struct {
	Name        string // "vault-mind-" and the role in lower case, as its file is called
	Description string // one line for a list
	Model       string // "" = that of the configuration, or the runner's own
	Tools       string // "none" or "read": the most the role may have; "" = no limit
	Writes      string // "answer" or "section"; "" = as the configuration says
	Runner      string // a role of the configuration whose agent plays this one too, or its runner; "" = none
	Prompt      string
	File        string // "" for a built-in one
}

// General plays every role that has no definition of its own.
const General = "vault-mind-general"

// RoleOf is the role of a definition as it is usually spelled in notes, such as Heavy-Lifter.
func RoleOf(name string) string {
	words := strings.Split(strings.TrimPrefix(name, prefix), "-")
	for i, word := range words {
		if first, size := utf8.DecodeRuneInString(word); size > 0 {
			words[i] = string(unicode.ToUpper(first)) + word[size:]
		}
	}
	return strings.Join(words, "-")
}

// Apply returns an agent with a definition applied. The definition's model counts if the configuration
// names no model. The definition can only remove tools: a role may use the tools that both allow, and
// a configuration without tools allows none.
func (d Definition) Apply(a config.Agent) config.Agent {
	if !slices.Contains(claudeModels, d.Model) || a.Runner == "claude" {
		a.Model = cmp.Or(a.Model, d.Model)
	}
	if d.Tools == "none" {
		a.Tools = "none"
	}
	a.Writes = cmp.Or(a.Writes, d.Writes)
	return a
}

// maxDefinition is far more than a useful prompt needs.
const maxDefinition = 64 << 10

const prefix = "vault-mind-"

var fence = lazyregexp.New(`(?m)^---[ \t]*(\n|\z)`)

// isDefinitionName reports whether a name is vault-mind- and a role in lower case.
func isDefinitionName(name string) bool {
	role, ok := strings.CutPrefix(name, prefix)
	return ok && note.IsRole(role) && strings.ToLower(role) == role
}

// Parse reads one definition. The error is [config.Problems]: every mistake with
// its line and the next step.
func Parse(file string, data []byte) (Definition, error) {
	head, body, problem := frontMatter(data)
	if problem != nil {
		return Definition{}, config.Problems{{File: file, Line: problem.Line, Text: problem.Text}}
	}
	root, problem := parseKeys(head)
	if problem != nil {
		return Definition{}, config.Problems{{File: file, Line: max(1, problem.Line), Text: problem.Text}}
	}
	d := Definition{Prompt: strings.TrimSpace(string(body))}
	var problems config.Problems
	for _, mistake := range d.readKeys(root) {
		known := slices.ContainsFunc(problems, func(p config.Problem) bool { return p.Key == mistake.key })
		if mistake.err != nil && !known {
			problems = append(problems, config.Problem{File: file, Line: mistake.line, Key: mistake.key, Text: mistake.err.Error()})
		}
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b config.Problem) int { return cmp.Compare(a.Line, b.Line) })
		return Definition{}, problems
	}
	return d, nil
}

// plainDescription is a description without quotes, with the examples on its line and below it.
var plainDescription = lazyregexp.New(`(?m)^description:[ \t]+[^\s"'|>\[{&*!#].*(\n(?s:.*)</example>.*)?$`)

// parseKeys parses the block of keys. Claude Code also takes a description with a colon and a space in it, or with examples
// on lines of their own, which is no YAML (https://github.com/anthropics/claude-plugins-official/issues/326): its first
// words count, and the other keys stay on their lines.
func parseKeys(head []byte) (*yaml.Node, *yamltext.SyntaxError) {
	const wanted = "keys such as name: vault-mind-miner"
	root, problem := yamltext.Parse(head, wanted)
	if problem == nil {
		return root, nil
	}
	return yamltext.Parse(plainDescription().ReplaceAllFunc(head, func(found []byte) []byte {
		text := strings.TrimSpace(strings.TrimPrefix(string(found), "description:"))
		for _, end := range []string{"\n", `\n`, "<example>"} {
			text, _, _ = strings.Cut(text, end)
		}
		quoted := "description: '" + strings.ReplaceAll(strings.TrimSpace(text), "'", "''") + "'"
		return []byte(quoted + strings.Repeat("\n", bytes.Count(found, []byte("\n"))))
	}), wanted)
}

// mistake is why a key cannot be used, nil if it can.
type mistake struct {
	key  string
	line int
	err  error
}

// readKeys reads the keys of the front matter and says what is wrong with them. A missing key is refused on the
// first line.
func (d *Definition) readKeys(root *yaml.Node) (found []mistake) {
	fields := map[string]*string{"name": &d.Name, "description": &d.Description, "model": &d.Model, "writes": &d.Writes, "runner": &d.Runner}
	var tools, denied []string
	lines := make(map[string]int)
	for _, e := range yamltext.Entries(root) {
		lines[e.Key] = e.Line
		var err error
		switch field, ok := fields[e.Key]; {
		case ok:
			err = yamltext.DecodeText(e.Value, field)
		case e.Key == "tools":
			tools, err = readTools(e.Value)
		case e.Key == "disallowedTools":
			denied, err = readTools(e.Value)
		case !slices.Contains(claudeKeys, e.Key):
			err = errors.New("unknown; the keys are name, description, model, tools, writes and runner")
		}
		found = append(found, mistake{yamltext.Shorten(e.Key), e.Line, err})
	}
	d.takeClaude(tools, denied)
	at := func(key string, err error) mistake { return mistake{key, max(1, lines[key]), err} }
	return append(found, at("name", d.checkName()), at("description", d.checkDescription()),
		at("tools", config.Agent{Tools: d.Tools}.CheckTools()), at("writes", config.Agent{Writes: d.Writes}.CheckWrites()), at("prompt", d.checkPrompt()))
}

// The additional keys and values in files of Claude Code, and the models that only claude knows:
// https://code.claude.com/docs/en/sub-agents
var (
	claudeKeys = []string{"permissionMode", "skills", "hooks", "mcpServers", "maxTurns", "effort", "memory", "background",
		"isolation", "initialPrompt", "color"} // none of them does anything here
	claudeModels  = []string{"sonnet", "opus", "haiku"}
	claudeReaders = []string{"Read", "Grep", "Glob", "LS"}
	claudeTool    = lazyregexp.New(`^([A-Z][A-Za-z]*|mcp__\S+)$`)
)

// readTools reads tools as a list, or as a text with commas between them, without the text in brackets
// behind one.
func readTools(n *yaml.Node) ([]string, error) {
	var all []string
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			var tool string
			if err := yamltext.DecodeText(item, &tool); err != nil {
				return nil, err
			}
			all = append(all, tool)
		}
	} else {
		var text string
		if err := yamltext.DecodeText(n, &text); err != nil {
			return nil, err
		}
		all = strings.Split(bracketed().ReplaceAllString(text, ""), ",")
	}
	for i, tool := range all {
		all[i] = strings.TrimSpace(bracketed().ReplaceAllString(tool, ""))
	}
	return all, nil
}

var bracketed = lazyregexp.New(`\([^()]*\)`)

// takeClaude translates Claude Code's words into ours: a name without our prefix, a description of
// several lines, the model of the caller, and tools; only tools that read are possible.
func (d *Definition) takeClaude(tools, denied []string) {
	if d.Name != "" && isDefinitionName(prefix+d.Name) {
		d.Name = prefix + strings.TrimPrefix(d.Name, prefix)
	}
	d.Description, _, _ = strings.Cut(strings.TrimSpace(d.Description), "\n")
	if d.Model == "inherit" {
		d.Model = ""
	}
	d.Tools = strings.Join(tools, ", ")
	reads := func(tool string) bool { return slices.Contains(claudeReaders, tool) }
	switch {
	case len(tools) == 0 || d.Tools == "*":
		d.Tools = ""
	case !slices.ContainsFunc(tools, func(tool string) bool { return !claudeTool().MatchString(tool) }):
		d.Tools = "none"
		if slices.ContainsFunc(tools, reads) {
			d.Tools = "read"
		}
	}
	if slices.ContainsFunc(denied, reads) {
		d.Tools = "none"
	}
}

func (d *Definition) checkName() error {
	switch {
	case d.Name == "":
		return errors.New("missing; write name: vault-mind- and the role in lower case")
	case !isDefinitionName(d.Name):
		return fmt.Errorf("%s is not the name of a role; write vault-mind- and the role in lower case, such as vault-mind-miner", yamltext.Quote(d.Name))
	}
	return nil
}

func (d *Definition) checkDescription() error {
	if strings.TrimSpace(d.Description) == "" {
		return errors.New("missing; say in one line what the role does")
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
	lines := fence().FindAllIndex(data, 2)
	switch {
	case len(lines) == 0 || lines[0][0] > 0:
		return nil, nil, &yamltext.SyntaxError{Line: 1, Text: "expected the line ---; begin with name, description and tools between two lines ---"}
	case len(lines) == 1:
		return nil, nil, &yamltext.SyntaxError{Line: 1, Text: "the block that begins here has no end; put a line --- after its last key"}
	}
	return data[:lines[1][0]], data[lines[1][1]:], nil
}
