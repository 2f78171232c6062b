package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
)

// editVaults keeps the entries of the folders that are wanted, in whichever of the
// three shapes they are, and adds the others.
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
	var kept []*yaml.Node
	var there []string
	names := make(map[string]bool)
	for i := 0; i+step <= len(list.Content); i += step {
		path := vaultPath(list.Content[i+step-1])
		if slices.ContainsFunc(wanted, func(p string) bool { return sameFolder(p, path) }) {
			kept = append(kept, list.Content[i:i+step]...)
			there = append(there, path)
			names[strings.ToLower(list.Content[i].Value)] = true
		}
	}
	for _, path := range wanted {
		if slices.ContainsFunc(there, func(p string) bool { return sameFolder(p, path) }) {
			continue
		}
		if there = append(there, path); step == 2 {
			kept = append(kept, yamltext.NewText(takeName(filepath.Base(path), names)))
		}
		kept = append(kept, yamltext.NewText(AtHome(path)))
	}
	list.Content = kept
	return nil
}

// vaultPath is the folder of an entry, "" when it names none.
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

func sameFolder(a, b string) bool {
	if a, err := expandPath(a); err == nil && a == b {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), surveyTime)
	defer cancel()
	sites := SurveyAll(ctx, []string{a, b})
	return sites[0].here != nil && sites[1].here != nil && os.SameFile(sites[0].here, sites[1].here)
}

// AtHome writes a path in the user's home as ~/..., as people do.
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
