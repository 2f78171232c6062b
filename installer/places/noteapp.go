package places

import (
	"strings"

	"vaultdispatcher/engine/api"
)

// Line is what a note app runs when it has saved a note.
type Line = api.SetupLine

// eventFile is how Obsidian's plugin Shell commands writes the note of an event. It
// quotes the path for the shell itself.
const eventFile = "{{event_file_path:absolute}}"

// Lines returns the one line for the shells of a system; the first is for the one
// most people have. program is the absolute path of this program.
func Lines(m Machine, program string) []Line {
	quoted := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	if !strings.ContainsFunc(program, func(r rune) bool { return !strings.ContainsRune(plainLetters, r) }) {
		quoted = program
	}
	posix := quoted + " notify " + eventFile
	switch {
	case m.System == "windows":
		return []Line{
			{Shell: "PowerShell", Text: `& '` + strings.ReplaceAll(program, "'", "''") + `' notify ` + eventFile},
			{Shell: "cmd", Text: `"` + program + `" notify ` + eventFile},
		}
	case m.System == "darwin":
		return []Line{{Shell: "zsh, bash", Text: posix}}
	case m.Drives != "": // the note app is Windows' own, and so is the path it gives; the engine knows it
		return []Line{
			{Shell: "PowerShell, in Windows", Text: `wsl.exe -e ` + program + ` notify ` + eventFile},
			{Shell: "bash, in Linux", Text: posix},
		}
	}
	return []Line{{Shell: "sh, bash, zsh, fish", Text: posix}}
}

// plainLetters need no quotes in any shell.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+"
