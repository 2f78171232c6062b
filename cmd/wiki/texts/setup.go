package texts

import (
	"fmt"
	"os"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/secret"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/places"
)

// Refusal says why a choice is refused, without its next step: for what speaks against the
// folder, for what the doctor found in it, or else for the error.
func Refusal(folder string, doubt places.Doubt, found *doctor.Finding, err error) string {
	switch {
	case doubt.Risk != "":
		return Doubt(folder, doubt)
	case found != nil:
		return Findings([]doctor.Finding{*found})[0].Text
	}
	return OneLine(err)
}

// Doubt says why a folder may not be meant, or cannot be a vault.
func Doubt(path string, d places.Doubt) string {
	switch d.Risk {
	case places.System:
		return path + " belongs to the system and is no place for notes"
	case places.Ours:
		return path + " belongs to the engine itself and is no place for notes"
	case places.Nested:
		return d.Detail
	case places.Around:
		return path + " contains the folders of programs, of this one too, and perhaps no notes"
	case places.Home:
		return path + " is your whole home folder, or more: every .md file in it would be a note, also those of programs"
	case places.Drive:
		return path + " is a whole drive: every .md file on it would be a note, also those of programs"
	case places.Huge:
		return fmt.Sprintf("%s contains more than %d,000 files, far more than folders of notes do", path, places.MostFiles/1000)
	case places.Silent:
		return "the disk of " + path + " does not respond"
	}
	return ""
}

// RootWarning warns where this program runs as root; empty elsewhere.
func RootWarning() string {
	if os.Geteuid() != 0 {
		return ""
	}
	if user := os.Getenv("SUDO_USER"); user != "" && user != "root" {
		return "this runs as root, not as " + user + ": the configuration is root's, and agents may do what root may"
	}
	return "this runs as root: agents may do what root may"
}

// LostKey says that the name of a key has gone with the server that it was for.
func LostKey(name string) string {
	return "the setting wiki.embedding.apiKeyEnv was removed: " + name + " holds the key of the previous server"
}

// Embedding is an embedding model in words.
func Embedding(e config.Embedding) string {
	switch text := strings.TrimSpace(e.Provider + " " + e.Model); {
	case e.Provider == "none":
		return e.Provider
	case e.URL != "" && !e.NeedsNoServer():
		return text + " at " + secret.RedactAddress(e.URL)
	default:
		return text
	}
}

// missing says why a first answer is about none of the person's notes.
var missing = map[string]string{
	api.NoNotes:    "you have no notes there yet to ask about",
	api.NoPublic:   "none of your notes may be asked about, all are private, excluded, from elsewhere or off",
	api.NoSubject:  "none of your notes has a line of 40 letters or more below a name or heading in plain words to ask about",
	api.NoResponse: "your notes were not read, their disk does not respond",
}

// Proof says what was asked to see a first answer, and where, in words that a colon ends.
func Proof(p api.SetupProof) string {
	took := fmt.Sprintf("was answered after %.1f s ", max(0.1, p.Took.Seconds()))
	if !p.Temporary {
		return fmt.Sprintf("%q %sby the engine that watches %s, which keeps nothing of it:", p.Question, took, config.AtHome(p.Vault))
	}
	const folder, end = "in a temporary folder, ", "by an engine that has ended again"
	own := "a question in a note of setup's own " + took + folder + end
	switch {
	case p.Note != "":
		return fmt.Sprintf("%q in a note %s%swith what %s says of it, %s:", p.Question, took, folder, p.Note, end)
	case p.Outside != "":
		return own + "; " + p.Outside + " answers away from this computer and was sent none of your notes:"
	}
	return own + "; " + missing[p.Missing] + ":"
}
