package note

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

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
