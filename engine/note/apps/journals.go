package apps

// journals is a plugin of Obsidian:
// https://github.com/srg-kostyrko/obsidian-journal/blob/main/src/types/settings.types.ts
var journals = App{Settings: []Setting{{File: ".obsidian/plugins/journals/data.json", Notes: []string{"templates"}}}}
