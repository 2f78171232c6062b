package report

import "vaultdispatcher/installer/noteplugin"

// Plugins says of each vault what became of our plugin for Obsidian; asked says that it was asked for.
func Plugins(all []noteplugin.Done, asked bool) (lines []string) {
	changed := false
	if asked && len(all) == 0 {
		lines = append(lines, "our plugin is put nowhere, for no vault has a folder .obsidian: open one as a vault in Obsidian, then run wiki setup --obsidian again")
	}
	for _, one := range all {
		switch {
		case one.Problem != "":
			lines = append(lines, "our plugin is not put into "+one.Vault+": "+one.Problem)
		case one.Changed:
			lines = append(lines, "our plugin is in "+one.Folder)
			changed = true
		default:
			lines = append(lines, "our plugin is in "+one.Folder+" as before")
		}
	}
	if changed {
		lines = append(lines, "switch it on in Obsidian: Settings, Community plugins, Vault Dispatcher; if it is not listed, restart Obsidian")
	}
	return lines
}
