package texts

import (
	"fmt"
	"os"
	"strings"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// Refusal is a refusal without its next step.
func Refusal(r *installer.Refusal) string {
	switch {
	case r.Doubt.Risk != "":
		return Doubt(r.Value, r.Doubt)
	case r.Finding != nil:
		return Findings([]doctor.Finding{*r.Finding})[0].Text
	}
	return OneLine(r.Err)
}

// Doubt says why a folder may not be meant, or cannot be a vault.
func Doubt(path string, d installer.Doubt) string {
	switch d.Risk {
	case installer.System:
		return path + " belongs to the system and is no place for notes"
	case installer.Ours:
		return path + " belongs to the engine itself and is no place for notes"
	case installer.Nested:
		return d.Detail
	case installer.Around:
		return path + " contains the folders of programs, of this one too, and perhaps no notes"
	case installer.Home:
		return path + " is your whole home folder, or more: every .md file in it would be a note, also those of programs"
	case installer.Drive:
		return path + " is a whole drive: every .md file on it would be a note, also those of programs"
	case installer.Huge:
		return fmt.Sprintf("%s contains more than %d,000 files, far more than folders of notes do", path, installer.MostFiles/1000)
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

// ChoiceLines are a choice in words, a line each.
func ChoiceLines(p installer.Plan) []string {
	now, c := installer.Chosen(p.Now.Config), p.Choice
	agent, model := now.Agent, now.AgentModel
	if c.Agent != "" {
		agent, model = c.Agent, c.AgentModel
	}
	lines := []string{"notes      " + strings.Join(c.Vaults, ", ")}
	switch {
	case agent == "builtin":
		lines = append(lines, "answers    the built-in Miner")
	case agent == "":
		lines = append(lines, "answers    as wiki agents shows")
	default:
		lines = append(lines, strings.TrimSpace("answers    "+agent+" "+model))
	}
	for _, r := range c.Roles {
		name, who := r.Role, strings.TrimSpace(r.Agent+" "+r.Model)
		if name == "*" {
			name = "other roles"
		}
		if r.Agent == installer.None {
			who = "no entry of its own"
		}
		lines = append(lines, fmt.Sprintf("answers    %s: %s", name, who))
	}
	port := now.Port
	if c.Port != 0 {
		port = c.Port
	}
	return append(lines, "meaning    "+Embedding(p.Embedding()), fmt.Sprintf("port       %d", port))
}

// Embedding is an embedding model in words.
func Embedding(e config.Embedding) string {
	switch text := strings.TrimSpace(e.Provider + " " + e.Model); {
	case e.Provider == "none":
		return e.Provider
	case e.URL != "" && !e.AsksNobody():
		return text + " at " + embed.Shown(e.URL)
	default:
		return text
	}
}
