package config

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/lazyregexp"
)

// Change lists what [Edit] sets. A nil, empty or zero field changes nothing.
type Change struct {
	Vaults    []string         // the folders to watch; other vaults are removed
	HTTPPort  int              // of the loopback server
	Embedding *Embedding       // its provider, model and address are set
	Agents    map[string]Agent // by role; runner, command, model and address are set
	OwnModel  []string         // the roles of Agents that return to the runner's own model
	Removals  []string         // roles whose entry is removed
	Values    []Value          // single keys
}

// Edit applies a change to the text of a configuration file. It returns the new text
// and its configuration, which is valid. file is the file's name, for messages; data
// may be empty. A file from before the rename is converted first, see [Convert].
//
// Edit keeps comments, the order and spelling of keys, empty lines, unknown keys, the line ends of
// Windows and a byte order mark. A remaining vault keeps its name and settings; an agent with a new
// runner keeps its timeout, tools and variables.
func Edit(file string, data []byte, change Change) ([]byte, Config, error) {
	root, problem := yamltext.Parse(data, "a block that begins with wiki:")
	if problem != nil {
		return nil, Config{}, refuseSyntax(file, problem)
	}
	text := data
	if isOld(root) {
		converted, _, err := Convert(file, data)
		if err != nil {
			return nil, Config{}, err
		}
		text = converted
	}
	text, err := yamltext.Rewrite(yamltext.Normalize(text), func(text []byte) ([]byte, error) { return changeText(text, change) })
	if err != nil {
		return nil, Config{}, fmt.Errorf("%s: %w", file, err)
	}
	text = yamltext.RestoreForm(data, text)
	cfg, err := parseConfig(file, text)
	return text, cfg, err
}

var onlyComment = lazyregexp.New(`^([ \t]*(#.*)?\n|---[ \t]*\n)*$`)

func changeText(data []byte, change Change) ([]byte, error) {
	var doc yaml.Node
	err := yaml.Unmarshal(data, &doc)
	if err != nil {
		return nil, err
	}
	before := []byte(nil)
	if doc.Kind == 0 || yamltext.IsNull(yamltext.Resolve(doc.Content[0])) {
		if text := append(bytes.TrimRight(data, "\n"), '\n'); onlyComment().Match(text) && len(text) > 1 {
			before = text
		}
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	if err := change.applyTo(yamltext.Block(doc.Content[0], "wiki")); err != nil {
		return nil, err
	}
	text, err := yamltext.Encode(&doc)
	return append(before, text...), err
}

// applyTo applies the change to the block `wiki`.
func (c Change) applyTo(wiki *yaml.Node) error {
	if c.Vaults != nil {
		if err := editVaults(wiki, c.Vaults); err != nil {
			return err
		}
	}
	if c.HTTPPort != 0 {
		yamltext.Put(wiki, "httpPort", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(c.HTTPPort)})
	}
	if c.Embedding != nil {
		editEmbedding(yamltext.Block(wiki, "embedding"), *c.Embedding)
	}
	if len(c.Agents) > 0 {
		agents := yamltext.Block(wiki, "agents")
		for _, role := range slices.Sorted(maps.Keys(c.Agents)) {
			entry := yamltext.Block(agents, role)
			if len(entry.Content) == 0 {
				entry.Style = yaml.FlowStyle
			}
			editAgent(entry, c.Agents[role])
			if slices.Contains(c.OwnModel, role) {
				yamltext.Remove(entry, "model")
			}
		}
	}
	if agents, _ := yamltext.Find(wiki, "agents"); agents >= 0 {
		for _, role := range c.Removals {
			yamltext.Remove(wiki.Content[agents+1], role)
		}
	}
	for _, v := range c.Values {
		if err := v.putInto(wiki); err != nil {
			return err
		}
	}
	return nil
}

func editEmbedding(n *yaml.Node, e Embedding) {
	was := embeddingOf(n)
	if full, err := expandPath(was.Model); err == nil && e.inFolder() && e.Model == full {
		e.Model = was.Model // keep its spelling
	}
	if was.Model != e.Model {
		clearKeys(n, "dim", "queryPrefix", "docPrefix") // they belong to the old model
	}
	if !was.sameServer(e) {
		clearKeys(n, "apiKeyEnv") // the key belongs to the old server
	}
	yamltext.Put(n, "provider", yamltext.NewText(e.Provider))
	yamltext.Put(n, "model", yamltext.NewText(e.Model))
	if e.URL == "" {
		clearKeys(n, "url")
	} else {
		yamltext.Put(n, "url", yamltext.NewText(e.URL))
	}
}

// embeddingOf reads the server of a block, merged mappings included.
func embeddingOf(n *yaml.Node) Embedding {
	e := Embedding{Provider: "none"}
	fields := map[string]*string{"provider": &e.Provider, "model": &e.Model, "url": &e.URL}
	for _, entry := range yamltext.Entries(n) {
		if field := fields[strings.ToLower(entry.Key)]; field != nil && !yamltext.IsNull(entry.Value) {
			*field = entry.Value.Value
		}
	}
	return e
}

// clearKeys removes keys from a mapping. A key that is merged into it becomes null.
func clearKeys(n *yaml.Node, keys ...string) {
	yamltext.Remove(n, keys...)
	for _, e := range yamltext.Entries(n) {
		if slices.ContainsFunc(keys, func(key string) bool { return strings.EqualFold(key, e.Key) }) {
			yamltext.Put(n, e.Key, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
		}
	}
}

// editAgent keeps the settings that do not depend on the runner: timeout, tools, variables. The
// setting local was about the old runner.
func editAgent(n *yaml.Node, a Agent) {
	if _, old := yamltext.Find(n, "runner"); old == nil || old.Value != a.Runner {
		yamltext.Remove(n, "command", "answer", "session", "model", "url", "apiKeyEnv", "trust", "local", "contextTokens")
	}
	if _, old := yamltext.Find(n, "url"); old != nil && a.URL != "" && old.Value != a.URL {
		yamltext.Remove(n, "apiKeyEnv", "local", "contextTokens") // they belong to the old server
	}
	yamltext.Put(n, "runner", yamltext.NewText(a.Runner))
	if len(a.Command) > 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, arg := range a.Command {
			list.Content = append(list.Content, yamltext.NewText(arg))
		}
		yamltext.Put(n, "command", list)
	}
	for _, field := range []struct{ key, value string }{{"model", a.Model}, {"url", a.URL}} {
		if field.value != "" {
			yamltext.Put(n, field.key, yamltext.NewText(field.value))
		}
	}
}
