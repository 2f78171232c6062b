package apps

// Copilot is a plugin of Obsidian that keeps prompts in notes:
// https://github.com/logancyang/obsidian-copilot/blob/master/src/settings/model.ts, and for its later versions
// https://github.com/logancyang/obsidian-copilot/blob/master/src/settings/copilotFolder.ts
var _ = add(App{Settings: []Setting{{
	File: ".obsidian/plugins/copilot/data.json",
	Folders: []string{"customPromptsFolder", "userSystemPromptsFolder", "copilotFolder/copilot-custom-prompts",
		"copilotFolder/system-prompts"},
}}})
