package installer

import "strings"

// Line is what a note app runs when it has saved a note.
type Line struct {
	Shell string `json:"shell"`
	Text  string `json:"text"`
}

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
			{"PowerShell", `& '` + strings.ReplaceAll(program, "'", "''") + `' notify ` + eventFile},
			{"cmd", `"` + program + `" notify ` + eventFile},
		}
	case m.System == "darwin":
		return []Line{{"zsh, bash", posix}}
	case m.Drives != "": // the note app is Windows' own, and so is the path it gives
		return []Line{
			{"PowerShell, in Windows", `wsl.exe -e ` + program + ` notify (wsl.exe wslpath -a ` + eventFile + `)`},
			{"bash, in Linux", posix},
		}
	}
	return []Line{{"sh, bash, zsh, fish", posix}}
}

// plainLetters need no quotes in any shell.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+"
