// Package assets holds what is shipped inside the programs.
//
// [Vault] is the sample vault: the notes of a small coffee roastery, about
// backups and roasters, prices and people, linked with each other. It is what a
// new user sees answered first and what recall is measured on, so its facts
// agree and each is where a reader would look for it. [DemoNote] is the note that
// the demo saves into it, with its questions. [Agents] are the built-in definitions
// of roles; a user's own definitions replace them. [Icon] is the tray's icon.
// [Web] is the dashboard: templates, a style sheet and a little JavaScript, as they are
// served. [Docs] are the documents, which it shows, but for two long ones of the evidence.
// [Plugin] is our plugin for Obsidian, the files as it takes them. [ThisBuild] is the version
// of all of it.
//
// Nothing here is ever written: copy a note before you change it.
package assets

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed vault demo agents web docs/*.md docs/*.png docs/*.svg docs/evidence/measurements.md docs/evidence/released.md docs/evidence/safety.md docs/evidence/tested.md obsidian/main.js obsidian/manifest.json obsidian/styles.css
var files embed.FS

// demoNote is where the demo saves its note in the sample vault.
const demoNote = "Inbox/Questions for today.md"

// Vault returns the sample vault. Paths begin at its top and use slashes; the
// dates of the files are unknown, as always in an embedded tree.
func Vault() fs.FS { return openFolder("vault") }

// Agents returns the built-in definitions of roles, one markdown file each.
func Agents() fs.FS { return openFolder("agents") }

// Docs returns the documents, markdown files that link to each other, and their pictures.
func Docs() fs.FS { return openFolder("docs") }

// Plugin returns the files of our plugin for Obsidian, whose folder in a vault is named by the id in
// its manifest.json.
func Plugin() fs.FS { return openFolder("obsidian") }

// openFolder returns one of the embedded folders.
func openFolder(name string) fs.FS {
	folder, err := fs.Sub(files, name)
	if err != nil {
		return files // fs.Sub refuses only names that are no paths
	}
	return folder
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
