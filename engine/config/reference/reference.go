// Package reference describes every key of the configuration for people: its meaning, type, default
// and an example. [Keys] returns the content of `wiki config list`, the page
// assets/docs/configuration-keys.md and the manual page wiki-config(5), and [Show] writes the value of
// a key in the form in which `wiki config set` takes it.
//
// Types, defaults and variables come from engine/config itself; a test fails on a key that
// has no description here, and on an example that cannot be set and read back.
package reference

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/secret"
)

// Key is one key of the file.
type Key struct {
	Key          string `json:"key"`
	Type         string `json:"type"`
	Default      string `json:"default"` // empty where nothing is set
	Example      string `json:"example"`
	FirstVersion string `json:"since"`              // the version that knew it first
	Variable     string `json:"variable,omitempty"` // of the environment
	Text         string `json:"text"`
}

// Keys returns every key: the vaults, the settings in the order of the documented file, the
// agents and what is said of one, with the role ROLE.
func Keys() []Key {
	all := []Key{describe(config.Setting{Key: vaultsKey, Variable: "WIKI_VAULTS", Value: []any{}})}
	for _, s := range config.Default().Settings() {
		all = append(all, describe(s))
	}
	all = append(all, describe(config.Setting{Key: scheduleKey, Value: []any{}}), describe(config.Setting{Key: agentsKey, Value: agentsOf(config.Default().Agents)}),
		describe(config.Setting{Key: agentsKey + ".ROLE", Value: yamltext.Pairs{}}))
	for _, f := range agentFields {
		all = append(all, describe(config.Setting{Key: agentsKey + ".ROLE." + f.name, Value: f.value(config.Agent{})}))
	}
	return all
}

const (
	vaultsKey = "wiki.vaults"
	agentsKey = "wiki.agents"

	scheduleKey = "wiki.schedule"
)

func describe(s config.Setting) Key {
	t := texts[s.Key]
	k := Key{Key: s.Key, Type: typeOf(s.Value), Default: yamltext.ShowValue(s.Value), Example: t.example, FirstVersion: firstVersion, Variable: s.Variable, Text: t.text}
	switch {
	case t.unset != "":
		k.Default = t.unset
	case k.Default == "[]" || k.Default == "{}":
		k.Default = ""
	}
	return k
}

// firstVersion is the version that knew every key of today first.
const firstVersion = "0.1.0"

func typeOf(value any) string {
	switch value.(type) {
	case int, float64:
		return "number"
	case bool:
		return "true or false"
	case time.Duration:
		return "duration"
	case []string, []any:
		return "list"
	case map[string]string, yamltext.Pairs:
		return "block"
	}
	return "text"
}

// Show returns the value that a key has in a configuration, in the form in which it is set.
// The key is one of [config.SpellKey].
func Show(c config.Config, key string) (string, error) {
	switch {
	case key == vaultsKey:
		return yamltext.ShowValue(vaultsOf(c.Vaults)), nil
	case key == scheduleKey:
		return yamltext.ShowValue(scheduleOf(c.Schedule)), nil
	case key == agentsKey:
		return yamltext.ShowValue(agentsOf(c.Agents)), nil
	case strings.HasPrefix(key, agentsKey+"."):
		return showAgent(c, key[len(agentsKey)+1:])
	}
	for _, s := range c.Settings() {
		if s.Key == key {
			return yamltext.ShowValue(s.Value), nil
		}
	}
	return "", fmt.Errorf("%s is no key", key)
}

func showAgent(c config.Config, rest string) (string, error) {
	role, field, _ := strings.Cut(rest, ".")
	for name, a := range c.Agents {
		if !strings.EqualFold(name, role) {
			continue
		}
		if field == "" {
			return yamltext.ShowValue(pairsOf(a)), nil
		}
		for _, f := range agentFields {
			if f.name == field {
				return yamltext.ShowValue(f.value(a)), nil
			}
		}
	}
	return "", fmt.Errorf("the configuration has no entry for the role %s", role)
}

// Value is a key with the value that it has.
type Value struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Changed bool   `json:"changed"` // it is not the default
}

// Values lists the values of a configuration, each role by itself. It leaves out the variables under
// env of a role, which may be secret, and passwords and keys in addresses and in commands.
func Values(c config.Config) []Value {
	list := []Value{{vaultsKey, yamltext.ShowValue(vaultsOf(c.Vaults)), len(c.Vaults) > 0}}
	was := config.Default()
	for i, s := range was.Settings() {
		now := yamltext.ShowValue(c.Settings()[i].Value)
		isChanged := now != yamltext.ShowValue(s.Value)
		if address, ok := c.Settings()[i].Value.(string); ok && strings.HasSuffix(s.Key, ".url") {
			now = yamltext.ShowValue(secret.RedactAddress(address))
		}
		if command, ok := c.Settings()[i].Value.([]string); ok && strings.HasSuffix(s.Key, ".command") {
			now = yamltext.ShowValue(secret.RedactCommand(command))
		}
		list = append(list, Value{s.Key, now, isChanged})
	}
	list = append(list, Value{scheduleKey, yamltext.ShowValue(scheduleOf(c.Schedule)), len(c.Schedule) > 0})
	for _, role := range c.Roles() {
		a := c.Agents[role]
		for name := range a.Env {
			a.Env = maps.Clone(a.Env)
			a.Env[name] = "..."
		}
		a.Command, a.URL = secret.RedactCommand(a.Command), secret.RedactAddress(a.URL)
		now := yamltext.ShowValue(pairsOf(a))
		list = append(list, Value{agentsKey + "." + role, now, now != yamltext.ShowValue(pairsOf(was.Agents[role]))})
	}
	return list
}

// vaultsOf returns vaults as a person writes them: a path, or a block where there is more to say.
func vaultsOf(vaults []config.Vault) []any {
	list := make([]any, len(vaults))
	for i, v := range vaults {
		path := config.AtHome(v.Path)
		said := yamltext.Pairs{{Key: "path", Value: path}}
		if v.Name != filepath.Base(v.Path) {
			said = append(said, yamltext.Pair{Key: "name", Value: v.Name})
		}
		if v.Watch != "" {
			said = append(said, yamltext.Pair{Key: "watch", Value: v.Watch})
		}
		if v.Paused {
			said = append(said, yamltext.Pair{Key: "paused", Value: true})
		}
		if list[i] = said; len(said) == 1 {
			list[i] = path
		}
	}
	return list
}

func agentsOf(agents map[string]config.Agent) yamltext.Pairs {
	var all yamltext.Pairs
	for _, role := range slices.Sorted(maps.Keys(agents)) {
		all = append(all, yamltext.Pair{Key: role, Value: pairsOf(agents[role])})
	}
	return all
}

// pairsOf returns what is said of an agent beyond the defaults.
func pairsOf(a config.Agent) yamltext.Pairs {
	var said yamltext.Pairs
	for _, f := range agentFields {
		value := f.value(a)
		if shown := yamltext.ShowValue(value); shown != yamltext.ShowValue(f.value(config.Agent{})) {
			said = append(said, yamltext.Pair{Key: f.name, Value: value})
		}
	}
	return said
}
