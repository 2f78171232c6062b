package apps

// Journals is a plugin of Obsidian:
// https://github.com/srg-kostyrko/obsidian-journal/blob/main/src/types/settings.types.ts
var _ = add(App{Settings: []Setting{{File: ".obsidian/plugins/journals/data.json", Notes: []string{"templates"}}}})
