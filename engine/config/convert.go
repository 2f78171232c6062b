package config

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// renamed are the keys of a configuration from before the rename that are called
// something else now. Those that are not here kept their name.
var renamed = map[string]string{
	"vaultmind.port": "wiki.httpPort", "vaultmind.http.port": "wiki.httpPort", "vaultmind.server.port": "wiki.httpPort",
	"vaultmind.vault": "wiki.vaults", "vaultmind.vaultpath": "wiki.vaults", "vaultmind.path": "wiki.vaults",
	"vaultmind.debouncems": "wiki.debounce",
	"qmd.provider":         "wiki.embedding.provider", "qmd.model": "wiki.embedding.model", "qmd.url": "wiki.embedding.url",
	"qmd.embedmodel": "wiki.embedding.model", "qmd.collections": "wiki.vaults",
}

// Convert returns the text of a configuration from before the rename as one of
// today: what its blocks vaultMind and qmd say stands in a block wiki, and they are
// gone. left are the keys whose values mean nothing now; other keys of the file
// stay. The result is valid.
func Convert(file string, data []byte) (text []byte, left []string, err error) {
	root, problem := document(data, "a block of keys")
	if problem != nil {
		problem.File = file
		return nil, nil, Problems{*problem}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	top := doc.Content[0]
	wiki := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range entries(root) {
		if old := strings.ToLower(e.key); old == "vaultmind" || old == "qmd" {
			left = append(left, adopt(wiki, e.key, e.value)...)
			take(top, e.key)
		}
	}
	if text, err := yaml.Marshal(map[string]*yaml.Node{"wiki": wiki}); err == nil {
		if _, err := parse("", text); err != nil { // half of it was there
			take(wiki, "embedding")
			left = append(left, "embedding")
		}
	}
	top.Content = append([]*yaml.Node{word("wiki"), wiki}, top.Content...)
	text, err = encode(&doc)
	return text, left, err
}

// adopt takes the values of an old block over, each if the configuration is valid
// with it, and returns the keys of the others.
func adopt(wiki *yaml.Node, prefix string, n *yaml.Node) (left []string) {
	for _, e := range entries(n) {
		key := prefix + "." + e.key
		_, rest, _ := strings.Cut(key, ".")
		now := renamed[strings.ToLower(key)]
		if now == "" {
			now = known[strings.ToLower("wiki."+rest)]
		}
		switch {
		case now != "" && !blocks[now] && tried(wiki, now, e.value):
		case now == "" && e.value.Kind != yaml.MappingNode, now != "" && !blocks[now]:
			left = append(left, key)
		default:
			left = append(left, adopt(wiki, key, e.value)...)
		}
	}
	return left
}

// tried puts a value at its key if the configuration can be used then.
func tried(wiki *yaml.Node, key string, value *yaml.Node) bool {
	value = copied(value)
	if key == vaultsKey && value.Kind == yaml.ScalarNode {
		value = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{value}}
	}
	if key == "wiki.debounce" && value.ShortTag() == "!!int" {
		value = word(value.Value + "ms") // it was a number of milliseconds
	}
	with := copied(wiki)
	at, path := with, strings.Split(strings.TrimPrefix(key, "wiki."), ".")
	for _, name := range path[:len(path)-1] {
		at = block(at, name)
	}
	if i, _ := find(at, path[len(path)-1]); i >= 0 {
		return false
	}
	put(at, path[len(path)-1], value)
	text, err := yaml.Marshal(map[string]*yaml.Node{"wiki": with})
	if err != nil {
		return false
	}
	if _, err := parse("", text); err != nil && !onlyMissing(err) {
		return false
	}
	*wiki = *with
	return true
}

// onlyMissing reports whether nothing is wrong but that a value is not there yet.
func onlyMissing(err error) bool {
	problems, ok := errors.AsType[Problems](err)
	if !ok {
		return false
	}
	for _, p := range problems {
		if !strings.HasPrefix(p.Text, "missing;") {
			return false
		}
	}
	return true
}
