package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/patience"
)

// editVaults keeps the entries of the wanted folders, in each of the three shapes,
// and adds the folders without an entry.
func editVaults(wiki *yaml.Node, wanted []string) error {
	if len(wanted) == 0 {
		return errors.New("no vault would be left; name one folder at least")
	}
	i, list := yamltext.Find(wiki, "vaults")
	if i < 0 || yamltext.IsNull(list) || list.Kind == yaml.ScalarNode {
		list = &yaml.Node{Kind: yaml.SequenceNode}
		yamltext.Put(wiki, "vaults", list)
	} else {
		list = yamltext.OwnValue(wiki, i+1)
	}
	step := 1
	if list.Kind == yaml.MappingNode {
		step = 2
	}
	entries := slices.Collect(slices.Chunk(list.Content, step))
	before, after := inspectVaults(entries, wanted)
	var kept []*yaml.Node
	var there []site.Site
	names := make(map[string]bool)
	for i, entry := range entries {
		if slices.ContainsFunc(after, before[i].IsSame) {
			kept = append(kept, entry...)
			there = append(there, before[i])
			names[strings.ToLower(entry[0].Value)] = true
		}
	}
	for i, path := range wanted {
		if slices.ContainsFunc(there, after[i].IsSame) {
			continue
		}
		if there = append(there, after[i]); step == 2 {
			kept = append(kept, yamltext.NewText(takeName(filepath.Base(path), names)))
		}
		kept = append(kept, yamltext.NewText(AtHome(path)))
	}
	list.Content = kept
	return nil
}

// inspectVaults inspects the folders of the entries and those that are wanted.
func inspectVaults(entries [][]*yaml.Node, wanted []string) (before, after []site.Site) {
	var paths []string
	for _, entry := range entries {
		paths = append(paths, vaultPath(entry[len(entry)-1]))
	}
	for _, path := range wanted {
		if full, err := expandPath(path); err == nil {
			path = full
		}
		paths = append(paths, path)
	}
	sites := InspectAll(paths)
	return sites[:len(entries)], sites[len(entries):]
}

// InspectAll finds out which folders paths are, all at once: disks that hang delay it by a second at most.
func InspectAll(paths []string) []site.Site {
	ctx, cancel := context.WithTimeout(context.Background(), patience.Of(time.Second))
	defer cancel()
	return site.InspectAll(ctx, paths, patience.AwaitAt[site.Site])
}

// vaultPath returns the folder of an entry, "" when it names none.
func vaultPath(n *yaml.Node) string {
	n = yamltext.Resolve(n)
	if n.Kind == yaml.MappingNode {
		_, n = yamltext.Find(n, "path")
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	path, _ := expandPath(n.Value)
	return path
}

// AtHome writes a path in the user's home as ~/..., the way people do.
func AtHome(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	rest, ok := strings.CutPrefix(path, home+string(filepath.Separator))
	if !ok {
		return path
	}
	return "~/" + filepath.ToSlash(rest)
}
