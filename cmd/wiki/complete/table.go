package complete

import (
	"context"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/reference"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/clients"
)

// The statuses that each verb acts on are those of its refusals in the engine.
var arguments = map[string]offer{
	"wiki accept":          offerFirst(findDispatches("proposed")),
	"wiki agents add":      offerFirst(findWords("Critic", "Editor", "Manager", "Minutes", "Planner", "Translator")),
	"wiki agents test":     offerFirst(roles),
	"wiki cancel":          offerFirst(findDispatches("queued", "processing", "failed", "held", "proposed", "scheduled", "parked")),
	"wiki config get":      offerFirst(findKeys),
	"wiki config set":      offerEach(findKeyAndValue),
	"wiki dispatches show": offerFirst(findDispatches("")),
	"wiki help":            offerCommands,
	"wiki mcp install":     offerFirst(findWords(clients.Names...)),
	"wiki mcp uninstall":   offerFirst(findWords(clients.Names...)),
	"wiki notify":          notes,
	"wiki reject":          offerFirst(findDispatches("proposed")),
	"wiki release":         offerFirst(findDispatches("held")),
	"wiki retry":           offerFirst(findDispatches("failed", "held", "queued", "cancelled")),
	"wiki scan":            notes,
	"wiki undo":            offerFirst(findDispatches("done")),
	"wiki why":             notes,
}

var flags = map[string]map[string]offer{
	"wiki":               {"config": offerFiles("yaml", "yml")},
	"wiki ask":           {"role": offerEach(roles), "note": notes, "vault": offerEach(vaults)},
	"wiki dispatches":    {"status": offerEach(findWords(wording.StatusWords(api.StatusWords[1:])...))},
	"wiki held":          {"kind": offerEach(findKinds), "vault": offerEach(vaults), "note": offerEach(findHeldNotes(path.Clean)), "folder": offerEach(findHeldNotes(folderOf))},
	"wiki release":       {"kind": offerEach(findWords("old", "limit", "budget", "burst")), "vault": offerEach(vaults), "note": offerEach(findHeldNotes(path.Clean)), "folder": offerEach(findHeldNotes(folderOf))},
	"wiki retry":         {"vault": offerEach(vaults)},
	"wiki run":           {"vault": offerFolders},
	"wiki search":        {"explain": notes},
	"wiki setup":         {"vault": offerFolders, "agent": offerEach(findWords(append([]string{"builtin", "none"}, installer.Runners...)...)), "provider": offerEach(findWords("none", "ollama", "openai", "static"))},
	"wiki watcher start": {"vault": offerEach(vaults)},
	"wiki watcher stop":  {"vault": offerEach(vaults)},
}

var (
	notes = offerFiles("md", "markdown")

	roles = findConfigured(func(c config.Config) []string {
		return slices.DeleteFunc(c.Roles(), func(role string) bool { return role == "*" })
	})
	vaults = findConfigured(func(c config.Config) (names []string) {
		for _, v := range c.Vaults {
			names = append(names, v.Name)
		}
		return names
	})
)

func findKinds(context.Context, Source, []string) (names []string) {
	for _, k := range api.HeldKinds {
		names = append(names, k.Kind+"\t"+k.Title)
	}
	return names
}

func findKeys(context.Context, Source, []string) (names []string) {
	for _, k := range reference.Keys() {
		if !strings.Contains(k.Key, "ROLE") { // a form, and no key
			names = append(names, k.Key+"\t"+k.Text)
		}
	}
	return names
}

// findKeyAndValue offers a key, and then its default and its example.
func findKeyAndValue(ctx context.Context, s Source, args []string) (values []string) {
	switch len(args) {
	case 0:
		return findKeys(ctx, s, args)
	case 1:
		for _, k := range reference.Keys() {
			if k.Key == args[0] {
				values = append(values, k.Default+"\tthe default", k.Example+"\tan example")
			}
		}
	}
	return values
}

func folderOf(file string) string {
	if dir := path.Dir(file); dir != "." {
		return dir
	}
	return ""
}
