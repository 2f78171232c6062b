package apps

// QuickAdd is a plugin of Obsidian: https://github.com/chhoumann/quickadd/blob/master/src/settings.ts, which tells of
// the older key too, and https://github.com/chhoumann/quickadd/blob/master/src/types/choices/ITemplateChoice.ts
var _ = add(App{
	Settings: []Setting{{
		File:    ".obsidian/plugins/quickadd/data.json",
		Folders: []string{"templateFolderPaths", "templateFolderPath"},
		Notes:   []string{"templatePath"},
	}},
	// https://quickadd.obsidian.guide/docs/FormatSyntax
	Placeholders: []string{`\{\{(?:value|vdate|field|macro|linkcurrent|filenamecurrent)(?::[^{}\n]*)?\}\}`},
})
