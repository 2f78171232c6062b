// Package assets holds what is shipped inside the programs.
//
// [Vault] is the sample vault: the notes of a small coffee roastery, about
// backups and roasters, prices and people, linked with each other. It is what a
// new user sees answered first and what recall is measured on, so its facts
// agree and each stands where one would look for it. [DemoNote] is the note the
// demo saves into it, with its questions. [Agents] are the definitions of roles
// that everybody has; a person's own ones take their places. [Icon] is the tray's icon.
// [Web] is the dashboard: templates, a style sheet and a little JavaScript, as they are
// served. [ThisBuild] is the version all of it goes by.
//
// Nothing here is ever written: who wants to change a note copies it first.
package assets

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed vault demo agents web icons/*.png icons/*.ico
var files embed.FS

// demoNote is where the demo saves its note in the sample vault.
const demoNote = "Inbox/Questions for today.md"

// Vault returns the sample vault. Paths begin at its top and use slashes; the
// dates of the files are unknown, as always in an embedded tree.
func Vault() fs.FS {
	vault, err := fs.Sub(files, "vault")
	if err != nil {
		return files // fs.Sub refuses only names that are no paths
	}
	return vault
}

// Agents returns the built-in definitions of roles, one markdown file each.
func Agents() fs.FS {
	agents, err := fs.Sub(files, "agents")
	if err != nil {
		return files // fs.Sub refuses only names that are no paths
	}
	return agents
}

// Web returns the pages of the dashboard and what they name.
func Web() fs.FS {
	web, err := fs.Sub(files, "web")
	if err != nil {
		return files // fs.Sub refuses only names that are no paths
	}
	return web
}

// DemoNote returns the name of the demo's note inside the vault, with slashes,
// and its text as a person would save it: four lines that look like markers,
// the last of them in a code block, where it must stay.
func DemoNote() (name string, text []byte) {
	text, err := files.ReadFile(path.Join("demo", demoNote))
	if err != nil {
		return demoNote, nil // the note is compiled in; a test reads it
	}
	return demoNote, text
}
