package apps

// Templater is a plugin of Obsidian: https://github.com/SilentVoid13/Templater/blob/master/src/settings/Settings.ts
var _ = add(App{
	Settings: []Setting{{
		File:    ".obsidian/plugins/templater-obsidian/data.json",
		Folders: []string{"templates_folder", "template_folder"}, // before version 1 without the s
		Notes:   []string{"template", "startup_templates", "enabled_templates_hotkeys"},
	}},
	// https://silentvoid13.github.io/Templater/syntax.html; the templates of NotePlan have the same form, and the
	// variables of Logseq (https://github.com/logseq/docs/blob/master/pages/Dynamic%20Variables.md)
	Placeholders: []string{`<%[^%](?:[^%]|%[^>])*%>`},
})
