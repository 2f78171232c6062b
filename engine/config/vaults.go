package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/config/yamltext"
)

// maxVaults is more than a user has, and few enough to compare each with each.
const maxVaults = 256

// NewVaults makes vaults of paths, as WIKI_VAULTS and a list of plain paths in the file
// do: `~` and `~/...` are the user's home, names come from the folders. It refuses
// relative paths, because the engine seldom runs in the folder where a path was
// written. The error is [Problems].
func NewVaults(paths ...string) ([]Vault, error) {
	l := newLoader("")
	for i, p := range paths {
		l.addVault(fmt.Sprintf("vault %d", i+1), p, Vault{})
	}
	l.nameVaults()
	checkVaults(l.config.Vaults, l.vaultKeys, l.refuse)
	for i, p := range l.problems {
		l.problems[i].Path = slices.Index(l.vaultKeys, p.Key) + 1
	}
	if len(l.problems) > 0 {
		return nil, l.problems
	}
	return l.config.Vaults, nil
}

// readVaults reads the vaults from the variable, or else from the file in one of their
// three shapes.
func (l *loader) readVaults() {
	node := l.values[vaultsKey]
	if list := os.Getenv(vaultsVariable); list != "" {
		for i, p := range filepath.SplitList(list) {
			key := fmt.Sprintf("%s[%d]", vaultsKey, i)
			l.origins[key] = origin{variable: vaultsVariable}
			l.addVault(key, p, Vault{})
		}
	} else if node != nil {
		l.readVaultNode(node)
	}
	l.nameVaults()
}

func (l *loader) readVaultNode(node *yaml.Node) {
	switch node.Kind {
	case yaml.SequenceNode:
		for i, item := range node.Content {
			l.readVault(fmt.Sprintf("%s[%d]", vaultsKey, i), "", item, item.Line)
		}
	case yaml.MappingNode:
		for _, e := range yamltext.Entries(node) {
			l.readVault(vaultsKey+"."+e.Key, e.Key, e.Value, e.Line)
		}
	default:
		l.refuse(vaultsKey, fmt.Errorf("expected a list such as [~/Notes], found %s", yamltext.Describe(node)))
	}
}

// readVault reads one vault; name is its key in the shape name: {path}.
func (l *loader) readVault(key, name string, n *yaml.Node, line int) {
	l.origins[key] = origin{line: line}
	n = yamltext.Resolve(n)
	v := Vault{Name: name}
	var path string
	switch {
	case yamltext.IsNull(n):
		l.refuse(key, errors.New("no path; the home folder alone is written \"~\", with quotes"))
	case n.Kind == yaml.ScalarNode:
		if err := yamltext.DecodeText(n, &path); err != nil {
			l.refuse(key, err)
		}
	case n.Kind == yaml.MappingNode:
		fields := map[string]any{"path": &path, "watch": &v.Watch, "paused": &v.Paused}
		if name == "" {
			fields["name"] = &v.Name
		}
		l.readFields(key, n, fields)
	default:
		l.refuse(key, fmt.Errorf("expected a path or {path: ...}, found %s", yamltext.Describe(n)))
	}
	l.addVault(key, path, v)
}

// readFields reads a mapping whose keys are fixed, such as a vault or an agent.
func (l *loader) readFields(key string, n *yaml.Node, fields map[string]any) {
	names := slices.Sorted(maps.Keys(fields))
	for i, name := range names {
		names[i] = key + "." + name
	}
	seen := make(map[string]bool)
	for _, e := range yamltext.Entries(n) {
		full := key + "." + e.Key
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, full) })
		if i < 0 {
			l.warnUnknown(full, names)
			continue
		}
		l.origins[full], l.origins[names[i]] = origin{line: e.Line}, origin{line: e.Line}
		switch field := fields[names[i][len(key)+1:]]; {
		case seen[names[i]]:
			l.refuse(full, errors.New("is set twice; keep one"))
		case yamltext.IsNull(e.Value):
		default:
			if node, isNode := field.(**yaml.Node); isNode {
				*node = e.Value
			} else if err := yamltext.Decode(e.Value, field); err != nil {
				l.refuse(full, err)
			}
		}
		seen[names[i]] = true
	}
}

// addVault adds a vault even when its path is refused, so that later checks cover the
// others.
func (l *loader) addVault(key, path string, v Vault) {
	full, err := expandPath(path)
	if err != nil {
		l.refuse(key, err)
	}
	v.Path = full
	l.config.Vaults = append(l.config.Vaults, v)
	l.vaultKeys = append(l.vaultKeys, key)
}

// expandModel makes the path of a model absolute if the model is a folder.
func (l *loader) expandModel() {
	e := &l.config.Embedding
	if e.Model == "" || !e.inFolder() {
		return
	}
	full, err := expandPath(e.Model)
	if err != nil {
		l.refuse("wiki.embedding.model", err)
		return
	}
	e.Model = full
}

// inFolder reports whether the model is a folder.
func (e Embedding) inFolder() bool { return e.Provider == "static" }

// nameVaults names the vaults without a name after their folders.
func (l *loader) nameVaults() {
	if len(l.config.Vaults) > maxVaults {
		return // they are refused
	}
	taken := make(map[string]bool)
	for _, v := range l.config.Vaults {
		taken[strings.ToLower(v.Name)] = true
	}
	for i := range l.config.Vaults {
		if v := &l.config.Vaults[i]; v.Name == "" && v.Path != "" {
			v.Name = takeName(filepath.Base(v.Path), taken)
		}
	}
}

// takeName returns a name that is not taken, and takes it: the second "Notes" is
// called "Notes 2".
func takeName(base string, taken map[string]bool) string {
	name := base
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s %d", base, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// expandPath returns the absolute and clean form of a path.
func expandPath(path string) (string, error) {
	switch {
	case strings.TrimSpace(path) == "":
		return "", errors.New("no path; name the folder, such as ~/Notes")
	case strings.ContainsFunc(path, unicode.IsControl):
		return "", fmt.Errorf("%s has a control character", yamltext.QuotePath(path))
	case path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "~"+string(filepath.Separator)):
		home, err := place.InHome(path[1:])
		if err != nil {
			return "", fmt.Errorf("~ is unknown here (%v); write the whole path", err)
		}
		path = home
	case strings.HasPrefix(path, "~"):
		return "", fmt.Errorf("%s: only your own home is known; write ~/... or an absolute path", yamltext.QuotePath(path))
	case strings.HasPrefix(path, "$") || strings.HasPrefix(path, "%"):
		return "", fmt.Errorf("%s: variables are not replaced here; write ~/... or an absolute path", yamltext.QuotePath(path))
	case !filepath.IsAbs(path):
		return "", fmt.Errorf("%s is a relative path; write ~/... or an absolute path", yamltext.QuotePath(path))
	}
	path = filepath.Clean(path)
	if filepath.Dir(path) == path {
		return "", fmt.Errorf("%s is a whole file system; choose a folder in it", yamltext.QuotePath(path))
	}
	return path, nil
}

// checkVaults refuses vaults that cannot be watched together; keys[i] is the key of
// vaults[i]. It touches no disk: when the engine opens the vaults, it finds folders
// that are the same behind links or letter case.
func checkVaults(vaults []Vault, keys []string, refuse func(key string, err error)) {
	if len(vaults) > maxVaults {
		refuse(keys[maxVaults], fmt.Errorf("one vault too many; at most %d are watched", maxVaults))
		return
	}
	names := make(map[string]bool)
	for i, v := range vaults {
		if v.Path == "" {
			continue
		}
		name := strings.ToLower(v.Name)
		switch {
		case strings.TrimSpace(v.Name) != v.Name || v.Name == "" || strings.ContainsFunc(v.Name, unicode.IsControl):
			refuse(keys[i], fmt.Errorf("%s is not a name for a vault", yamltext.Quote(v.Name)))
		case names[name]:
			refuse(keys[i], fmt.Errorf("another vault is called %s too; give this one its own name", yamltext.Quote(v.Name)))
		case !filepath.IsAbs(v.Path):
			refuse(keys[i], fmt.Errorf("%s is a relative path; write an absolute one", yamltext.QuotePath(v.Path)))
		}
		if err := unlessZero(oneOf(watchModes...))(v.Watch); err != nil {
			refuse(keys[i]+".watch", err)
		}
		names[name] = true
		for _, other := range vaults[:i] {
			if err := CheckDisjoint(site.Site{Path: v.Path}, site.Site{Path: other.Path}); err != nil {
				refuse(keys[i], err)
			}
		}
	}
}

// CheckDisjoint returns an error if two vaults share notes. A note in two vaults would be
// answered twice.
func CheckDisjoint(one, other site.Site) error {
	if one.Path == "" || other.Path == "" {
		return nil
	}
	inside, around := one.IsWithin(other), other.IsWithin(one)
	switch {
	case inside && around:
		return fmt.Errorf("%s and %s are the same folder; keep one of them", yamltext.QuotePath(one.Path), yamltext.QuotePath(other.Path))
	case inside:
		return fmt.Errorf("%s is inside %s, and a note may be in one vault only; leave one out", yamltext.QuotePath(one.Path), yamltext.QuotePath(other.Path))
	case around:
		return fmt.Errorf("%s contains %s, and a note may be in one vault only; leave one out", yamltext.QuotePath(one.Path), yamltext.QuotePath(other.Path))
	}
	return nil
}
