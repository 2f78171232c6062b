package config

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
)

// renamed maps keys of a configuration from before the rename to their new names.
// Other keys kept their name.
var renamed = map[string]string{
	"vaultmind.port": "wiki.httpPort", "vaultmind.http.port": "wiki.httpPort", "vaultmind.server.port": "wiki.httpPort",
	"vaultmind.debouncems": "wiki.debounce",
	"qmd.provider":         "wiki.embedding.provider", "qmd.model": "wiki.embedding.model", "qmd.url": "wiki.embedding.url",
	"qmd.embedmodel": "wiki.embedding.model",
}

// OldFolders are the keys in which a block from before the rename may name its folders of notes.
var OldFolders = []string{"vault", "vaultpath", "path", "paths", "folder", "folders", "dir", "root", "notes", "collections"}

// isOld reports whether the file is from before the rename.
func isOld(root *yaml.Node) bool {
	old := false
	for _, e := range yamltext.Entries(root) {
		switch strings.ToLower(e.Key) {
		case "wiki":
			return false
		case "vaultmind", "qmd":
			old = true
		}
	}
	return old
}

// Convert rewrites a configuration from before the rename: the values of its blocks
// vaultMind and qmd move into a block wiki, and other keys of the file stay. left
// lists the keys without a meaning today, which are dropped. The result is valid.
func Convert(file string, data []byte) (text []byte, left []string, err error) {
	root, problem := yamltext.Parse(data, "a block of keys")
	if problem != nil {
		return nil, nil, refuseSyntax(file, problem)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	top := doc.Content[0]
	wiki := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range yamltext.Entries(root) {
		if old := strings.ToLower(e.Key); old == "vaultmind" || old == "qmd" {
			left = append(left, adoptBlock(wiki, e.Key, e.Value)...)
			yamltext.Remove(top, e.Key)
		}
	}
	if text, err := yaml.Marshal(map[string]*yaml.Node{"wiki": wiki}); err == nil {
		if _, err := parseConfig("", text); err != nil { // a model without its provider, or the reverse
			yamltext.Remove(wiki, "embedding")
			left = append(left, "embedding")
		}
	}
	top.Content = append([]*yaml.Node{yamltext.NewText("wiki"), wiki}, top.Content...)
	text, err = yamltext.Encode(&doc)
	return text, left, err
}

// adoptBlock copies the values of an old block that leave the configuration valid,
// and returns the keys of the others.
func adoptBlock(wiki *yaml.Node, prefix string, n *yaml.Node) (left []string) {
	for _, e := range yamltext.Entries(n) {
		key := prefix + "." + e.Key
		_, rest, _ := strings.Cut(key, ".")
		now := renamed[strings.ToLower(key)]
		if now == "" && slices.Contains(OldFolders, strings.ToLower(rest)) {
			now = vaultsKey
		}
		if now == "" {
			now = known[strings.ToLower("wiki."+rest)]
		}
		switch {
		case now != "" && !blocks[now] && adoptValue(wiki, now, e.Value):
		case now == "" && e.Value.Kind != yaml.MappingNode, now != "" && !blocks[now]:
			left = append(left, key)
		default:
			left = append(left, adoptBlock(wiki, key, e.Value)...)
		}
	}
	return left
}

// adoptValue sets a key if the configuration is valid with it.
func adoptValue(wiki *yaml.Node, key string, value *yaml.Node) bool {
	value = yamltext.Copy(value)
	if key == vaultsKey && value.Kind == yaml.ScalarNode {
		value = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{value}}
	}
	if key == "wiki.debounce" && value.ShortTag() == "!!int" {
		value = yamltext.NewText(value.Value + "ms") // the old unit was milliseconds
	}
	with := yamltext.Copy(wiki)
	at, path := with, strings.Split(strings.TrimPrefix(key, "wiki."), ".")
	for _, name := range path[:len(path)-1] {
		at = yamltext.Block(at, name)
	}
	if i, _ := yamltext.Find(at, path[len(path)-1]); i >= 0 {
		return false
	}
	yamltext.Put(at, path[len(path)-1], value)
	text, err := yaml.Marshal(map[string]*yaml.Node{"wiki": with})
	if err != nil {
		return false
	}
	if _, err := parseConfig("", text); err != nil && !onlyMissing(err) {
		return false
	}
	*wiki = *with
	return true
}

// onlyMissing reports whether every problem is a value that is still missing.
func onlyMissing(err error) bool {
	problems, ok := errors.AsType[Problems](err)
	return ok && !slices.ContainsFunc(problems, func(p Problem) bool { return !strings.HasPrefix(p.Text, "missing;") })
}
