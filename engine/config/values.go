package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
)

// Setting is one key of the file and its value: a number, a text, a duration or a list.
type Setting struct {
	Key      string
	Variable string // of the environment, "" for a list, which has none
	Value    any
}

// Settings returns every key but wiki.vaults and wiki.agents, in the order of the
// documented file.
func (c Config) Settings() []Setting {
	all := make([]Setting, len(settings))
	for i, s := range settings {
		all[i] = Setting{s.key, s.variableName(), reflect.ValueOf(s.field(&c)).Elem().Interface()}
	}
	return all
}

// Value is a key of the file with the text that is put behind it, such as 10m, [a, b] or
// {runner: claude}. An empty text removes the key.
type Value struct{ Key, Text string }

// SpellKey returns a key as the file spells it: with wiki. in front of it, and a role and its keys
// behind wiki.agents. It refuses an unknown key and one that is only a block of others.
func SpellKey(key string) (string, error) {
	if !strings.HasPrefix(strings.ToLower(key), "wiki.") {
		key = "wiki." + key
	}
	lower := strings.ToLower(key)
	if spelled, ok := known[lower]; ok && !blocks[spelled] {
		return spelled, nil
	}
	if strings.HasPrefix(lower, agentsKey+".") {
		return spellAgent(key[len(agentsKey)+1:])
	}
	if meant := nearestKey(key, knownKeys); meant != "" && !blocks[meant] {
		return "", fmt.Errorf("%s is no key; did you mean %s", yamltext.Shorten(key), meant)
	}
	return "", fmt.Errorf("%s is no key", yamltext.Shorten(key))
}

// spellAgent returns the key of a role, or of one thing that is said of it.
func spellAgent(rest string) (string, error) {
	role, field, _ := strings.Cut(rest, ".")
	if err := CheckRole(role); err != nil {
		return "", fmt.Errorf("%s is %w", yamltext.Quote(role), err)
	}
	key := agentsKey + "." + role
	if field == "" {
		return key, nil
	}
	names := slices.Sorted(maps.Keys(agentFields(new(Agent), nil, nil, nil, nil, nil, nil)))
	for _, name := range names {
		if strings.EqualFold(name, field) {
			return key + "." + name, nil
		}
	}
	return "", fmt.Errorf("a role has no key %s; use one of %s", yamltext.Quote(field), strings.Join(names, ", "))
}

// putInto puts the value into the block `wiki`. Blocks on the way are made where they are
// missing.
func (v Value) putInto(wiki *yaml.Node) error {
	key, err := SpellKey(v.Key)
	if err != nil {
		return err
	}
	value, err := yamltext.NewValue(v.Text)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	block, path := wiki, strings.Split(key, ".")[1:]
	for _, name := range path[:len(path)-1] {
		if i, _ := yamltext.Find(block, name); i < 0 && v.Text == "" {
			return nil
		}
		block = yamltext.Block(block, name)
	}
	if name := path[len(path)-1]; v.Text == "" {
		clearKeys(block, name)
	} else {
		yamltext.Put(block, name, value)
	}
	return nil
}
