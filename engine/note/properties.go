package note

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// frontMatter returns the number of lines of the properties at the top of a note, or 0. Without a closing line a note
// has no properties: its first line is then a thematic break.
func frontMatter(t text) (lines int) {
	if t.count() == 0 || !beginsProperties(string(t.line(0))) {
		return 0
	}
	for i := 1; i < t.count(); i++ {
		if endsProperties(string(t.line(i))) {
			return i + 1
		}
	}
	return 0
}

func beginsProperties(line string) bool { return strings.TrimRight(line, " \t") == "---" }

func endsProperties(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "---" || line == "..."
}

// Properties are the lines between the marks of the properties at the top of a note.
func Properties(src []byte) (lines []string) {
	if !bytes.HasPrefix(bytes.TrimPrefix(src, bom), []byte("---")) {
		return nil
	}
	t := newText(src)
	n := frontMatter(t)
	for i := 1; i < n-1; i++ {
		lines = append(lines, string(t.line(i)))
	}
	return lines
}

// Properties reads the properties at the top of a note as YAML: a key in any case, in quotes or not, in a block
// or in braces, a value with a tag or without. It returns false if it cannot read them so; a caller can then read the
// lines of [Properties] in its own way.
func (p *Page) Properties() (PropertyList, bool) {
	if !p.isListed {
		p.properties, p.isYAML = readYAML([]byte(strings.Join(Properties(p.Text), "\n")))
		p.isListed = true
	}
	return p.properties, p.isYAML
}

// Keys of properties that concern the whole note.
const (
	switchKey  = "wiki"              // a person has it left alone
	drawingKey = "excalidraw-plugin" // https://github.com/zsviczian/obsidian-excalidraw-plugin: its text is a part of a drawing
)

// IsOff reports whether the properties of a note say wiki: off, in any spelling of YAML.
func IsOff(src []byte) bool {
	var d Doc
	t := newText(src)
	d.readHead(t, frontMatter(t))
	return d.Disabled
}

// readHead reads the properties in the first front lines of a note. If the switch occurs twice, the one that says off
// counts.
func (d *Doc) readHead(t text, front int) {
	if front == 0 {
		return
	}
	head := t.src[t.nextStart(0):t.starts[front-1]]
	if !mayName(head, switchKey) && !mayName(head, drawingKey) {
		return
	}
	list, ok := readYAML(head)
	if !ok {
		list = readLines(head)
	}
	d.Drawing = len(list.All(drawingKey)) > 0
	for _, p := range list.All(switchKey) {
		value, single := p.Only()
		switch value = strings.ToLower(value); {
		case single && slices.Contains([]string{"off", "false", "no", "0"}, value):
			d.Disabled = true
		case single && slices.Contains([]string{"on", "true", "yes", "1"}, value), !p.IsMap && len(p.Values) == 0:
		case d.Switch == 0:
			d.Switch = p.Line + 1
		}
	}
}

// mayName reports whether properties can have a key: reading YAML costs more than looking for a word. A
// backslash may spell any letter.
func mayName(head []byte, key string) bool {
	return bytes.IndexByte(head, '\\') >= 0 || bytes.Contains(bytes.ToLower(head), []byte(key))
}

// readLines reads properties that are no YAML, each line with a key and one value for itself.
func readLines(head []byte) (list PropertyList) {
	for i, line := range Lines(head) {
		key, value, ok := strings.Cut(line, ":")
		if !ok || value == "" || value[0] != ' ' && value[0] != '\t' || strings.HasPrefix(key, " ") || strings.HasPrefix(key, "\t") {
			continue
		}
		value, _, _ = strings.Cut(value, " #")
		p := Property{Key: strings.Trim(key, " \t\"'"), Line: i + 1}
		if value = strings.Trim(value, " \t\"'"); value != "" {
			p.Values = []string{value}
		}
		list = append(list, p)
	}
	return list
}

// mostProperties is how many bytes of properties are read as YAML.
const mostProperties = 64 << 10

// Property is one key and what it says.
type Property struct {
	Key    string   // as it is spelled, without quotes
	Line   int      // of the key in the text, from 1
	Values []string // its scalars in their order, those of lists in it included, without empty ones (null)
	IsMap  bool     // something in it has keys of its own; these are among the values
}

// PropertyList is the properties of a note, in their order. A key may be there twice.
type PropertyList []Property

// secondDocument matches the line where another document begins or ends; the YAML library would ignore it.
var secondDocument = regexp.MustCompile(`(?m)^(?:---|\.\.\.)(?:\s|$)`)

// readYAML returns the properties of a text. False says that it is no YAML, has an alias, is no mapping or is
// too large.
func readYAML(text []byte) (list PropertyList, ok bool) {
	if len(text) > mostProperties {
		return nil, false
	}
	defer func() {
		if recover() != nil { // a fault of the YAML library counts as a text that is not YAML
			list, ok = nil, false
		}
	}()
	var doc yaml.Node
	if secondDocument.Match(text) || yaml.Unmarshal(text, &doc) != nil {
		return nil, false
	}
	if len(doc.Content) == 0 {
		return nil, true
	}
	root := doc.Content[0]
	if isNull(root) {
		return nil, true
	}
	if root.Kind != yaml.MappingNode || hasAlias(root) {
		return nil, false
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			continue
		}
		p := Property{Key: strings.TrimSpace(key.Value), Line: key.Line}
		p.take(value)
		list = append(list, p)
	}
	return list, true
}

// take adds what a node says.
func (p *Property) take(n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		if !isNull(n) {
			p.Values = append(p.Values, strings.TrimSpace(n.Value))
		}
	case yaml.MappingNode, yaml.SequenceNode:
		p.IsMap = p.IsMap || n.Kind == yaml.MappingNode
		for _, child := range n.Content {
			p.take(child)
		}
	}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// hasAlias reports whether something in a node refers to another one.
func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}

// All returns the properties with a key, in whatever case it is.
func (l PropertyList) All(key string) (found PropertyList) {
	for _, p := range l {
		if strings.EqualFold(p.Key, key) {
			found = append(found, p)
		}
	}
	return found
}

// Only returns the one scalar that a property is; false says that it is something else.
func (p Property) Only() (string, bool) {
	if p.IsMap || len(p.Values) != 1 {
		return "", false
	}
	return p.Values[0], true
}
