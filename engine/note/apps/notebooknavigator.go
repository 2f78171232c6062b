package apps

// Notebook Navigator is a plugin of Obsidian:
// https://github.com/johansan/notebook-navigator/blob/main/src/settings/types.ts
var _ = add(App{Settings: []Setting{{
	File:    ".obsidian/plugins/notebook-navigator/data.json",
	Folders: []string{"calendarTemplateFolder"},
	Notes: []string{"calendarCustomFileTemplate", "calendarCustomWeekTemplate", "calendarCustomMonthTemplate", "calendarCustomQuarterTemplate",
		"calendarCustomYearTemplate", "folderNoteTemplate"},
}}})
