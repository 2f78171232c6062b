package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// find returns where a key stands in a mapping's content, -1 for one that is not
// there, and its value.
func find(n *yaml.Node, key string) (int, *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if strings.EqualFold(resolve(n.Content[i]).Value, key) {
			return i, resolve(n.Content[i+1])
		}
	}
	return -1, nil
}

// put sets a key to a value. A key that is there keeps its place, its spelling and
// the comment on its line.
func put(n *yaml.Node, key string, value *yaml.Node) {
	i, old := find(n, key)
	if i < 0 {
		n.Content = append(n.Content, word(key), value)
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

// take removes keys from a mapping.
func take(n *yaml.Node, keys ...string) {
	for _, key := range keys {
		if i, _ := find(n, key); i >= 0 {
			n.Content = slices.Delete(n.Content, i, i+2)
		}
	}
}

// block returns the mapping behind a key, and makes it where there is none.
func block(n *yaml.Node, key string) *yaml.Node {
	i, value := find(n, key)
	if i >= 0 && value.Kind == yaml.MappingNode {
		return own(n, i+1)
	}
	made := &yaml.Node{Kind: yaml.MappingNode}
	put(n, key, made)
	return made
}

// own makes a value the mapping's own: what an alias stands for is copied, so that a
// change of it changes nothing elsewhere.
func own(n *yaml.Node, at int) *yaml.Node {
	if n.Content[at].Kind == yaml.AliasNode {
		n.Content[at] = copied(resolve(n.Content[at]))
	}
	return n.Content[at]
}

func copied(n *yaml.Node) *yaml.Node {
	c := *n
	c.Anchor = ""
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = copied(child)
	}
	return &c
}

// word is a text; it is put in quotes where YAML would read something else.
func word(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}
