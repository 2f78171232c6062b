package apps

import "encoding/json"

// Obsidian is the app itself with its core plugins. Each plugin has a file of settings.
var _ = add(App{
	Settings: []Setting{
		{File: ".obsidian/templates.json", Folders: []string{"folder"}},     // https://help.obsidian.md/plugins/templates
		{File: ".obsidian/daily-notes.json", Notes: []string{"template"}},   // https://help.obsidian.md/plugins/daily-notes
		{File: ".obsidian/zk-prefixer.json", Notes: []string{"template"}},   // https://help.obsidian.md/plugins/unique-note
		{File: ".obsidian/note-composer.json", Notes: []string{"template"}}, // https://help.obsidian.md/plugins/note-composer
	},
	Daily: &Daily{File: ".obsidian/daily-notes.json", Read: func(text []byte) (d Days, err error) {
		err = json.Unmarshal(text, &d)
		d.Enabled = true
		return d, err
	}},
	// https://help.obsidian.md/plugins/templates#Template+variables; plugins add days before and after:
	// https://github.com/liamcain/obsidian-periodic-notes/blob/main/README.md
	Placeholders: []string{`\{\{[ \t]*(?:date|time|title|yesterday|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)[ \t]*(?:[+-][0-9]+[a-z])?[ \t]*(?::[^{}\n]*)?\}\}`},
})

// ObsidianPlugins is Obsidian's list of the plugins that are on.
const ObsidianPlugins = ".obsidian/community-plugins.json"
