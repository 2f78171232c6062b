package yamltext

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Find returns the index of a key in a mapping's content, -1 for a missing one, and its
// value.
func Find(n *yaml.Node, key string) (int, *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if strings.EqualFold(Resolve(n.Content[i]).Value, key) {
			return i, Resolve(n.Content[i+1])
		}
	}
	return -1, nil
}

// Put sets a key to a value. An existing key keeps its place, its spelling and the
// comment on its line.
func Put(n *yaml.Node, key string, value *yaml.Node) {
	i, old := Find(n, key)
	if i < 0 {
		n.Content = append(n.Content, NewText(key), value)
		return
	}
	if old.Kind == value.Kind {
		value.LineComment, value.HeadComment, value.FootComment = old.LineComment, old.HeadComment, old.FootComment
		if value.Kind == yaml.ScalarNode && old.Value == value.Value {
			value.Style = old.Style
		}
	}
	n.Content[i+1] = value
}

// Remove deletes keys from a mapping.
func Remove(n *yaml.Node, keys ...string) {
	for _, key := range keys {
		if i, _ := Find(n, key); i >= 0 {
			n.Content = slices.Delete(n.Content, i, i+2)
		}
	}
}

// Block returns the mapping of a key and creates it where it is missing.
func Block(n *yaml.Node, key string) *yaml.Node {
	i, value := Find(n, key)
	if i >= 0 && value.Kind == yaml.MappingNode {
		return OwnValue(n, i+1)
	}
	made := &yaml.Node{Kind: yaml.MappingNode}
	Put(n, key, made)
	return made
}

// OwnValue returns a value that can be changed without changing anything elsewhere: it
// replaces an alias by a copy.
func OwnValue(n *yaml.Node, at int) *yaml.Node {
	if n.Content[at].Kind == yaml.AliasNode {
		n.Content[at] = Copy(Resolve(n.Content[at]))
	}
	return n.Content[at]
}

// Copy copies a node. The copy has no aliases and no anchors.
func Copy(n *yaml.Node) *yaml.Node {
	c := *n
	c.Anchor = ""
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = Copy(child)
	}
	return &c
}

// NewText returns a node for a text, in quotes where YAML would read something else.
func NewText(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}

// Encode returns the text of a document.
func Encode(doc *yaml.Node) ([]byte, error) {
	moveComments(doc)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	err := errors.Join(enc.Encode(doc), enc.Close())
	return out.Bytes(), err
}

// moveComments puts the comment on the line of an empty block behind that: the library writes {} on a line of its own after a
// comment, where it is no YAML (measured by TestRemoveLastKey).
func moveComments(n *yaml.Node) {
	for i, child := range n.Content {
		isEmpty := (child.Kind == yaml.MappingNode || child.Kind == yaml.SequenceNode) && len(child.Content) == 0
		if n.Kind == yaml.MappingNode && i%2 == 1 && isEmpty && child.LineComment == "" {
			child.LineComment, n.Content[i-1].LineComment = n.Content[i-1].LineComment, ""
		}
		moveComments(child)
	}
}
