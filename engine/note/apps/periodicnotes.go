package apps

// periodicNotes is a plugin of Obsidian, in the forms of its versions 0 and 1:
// https://github.com/liamcain/obsidian-periodic-notes/blob/main/src/types.ts,
// https://github.com/liamcain/obsidian-daily-notes-interface/blob/main/src/settings.ts
var periodicNotes = App{
	Settings: []Setting{{File: periodicData, Notes: []string{"template", "templatePath"}}},
	Daily:    &Daily{File: periodicData, Plugin: "periodic-notes"},
}

const periodicData = ".obsidian/plugins/periodic-notes/data.json"
