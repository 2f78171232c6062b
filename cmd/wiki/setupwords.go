package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service/host"
)

const unchanged = "nothing was changed"

// refused is a refusal of setup on the command line, with its next step and its exit
// status.
func refused(err error) error {
	r, ok := errors.AsType[*installer.Refusal](err)
	if !ok {
		return err
	}
	text := errors.New(refusalText(r))
	switch r.Field {
	case "vaults":
		return refusedFolder(r, text)
	case "login":
		return fail(r.Next+", or add --no-service", "%w", text)
	case "tray":
		return fail("put wiki-tray beside this program (go build ./cmd/wiki-tray), or leave --tray out; "+unchanged, "%w", text)
	case "provider":
		return usage("run wiki setup again without it; "+unchanged, "%w", text)
	case "url":
		return usage("--url says the address, and --url \"\" that there is none; "+unchanged, "%w", text)
	case "port":
		return refusedPort(r)
	case "model":
		if r.Next == "" { // the configuration cannot be without it
			return &failure{text, unchanged, exitConfig}
		}
	}
	return fail(strings.TrimPrefix(r.Next+"; ", "; ")+unchanged, "%w", text)
}

// refusedFolder is the refusal of a folder. Two vaults in one have the exit status that
// the configuration gives them.
func refusedFolder(r *installer.Refusal, text error) error {
	switch {
	case r.Doubt.Risk != "" && !r.Doubt.Never():
		return fail("name the folder in it that holds your notes, or add --yes to take this one; "+unchanged, "%w", text)
	case r.Doubt.Risk == installer.Nested:
		return &failure{text, unchanged, exitConfig}
	}
	return fail("name the folder that holds your notes; "+unchanged, "%w", text)
}

func refusedPort(r *installer.Refusal) error {
	if other, ok := errors.AsType[*host.OtherState](r.Err); ok {
		return otherState(other, "end that engine, or choose another port: wiki setup --port %d; "+unchanged, r.Port)
	}
	if _, ok := errors.AsType[*listen.Taken](r.Err); ok {
		return &failure{r.Err, fmt.Sprintf("choose another: wiki setup --port %d", r.Port), exitPortTaken}
	}
	return usage(fmt.Sprintf("leave --port out, or take one such as --port %d", r.Port), "%w", r.Err)
}

// refusalText is a refusal without its next step.
func refusalText(r *installer.Refusal) string {
	switch {
	case r.Doubt.Risk != "":
		return doubtText(r.Value, r.Doubt)
	case r.Finding != nil:
		return worded([]doctor.Finding{*r.Finding})[0].Text
	}
	return oneLine(r.Err)
}

// invalid is a refusal on the dashboard's page, beside its field. given are the folders
// as they were filled in.
func invalid(err error, given []string) error {
	r, ok := errors.AsType[*installer.Refusal](err)
	if !ok {
		return &api.Invalid{Reason: sentence(oneLine(err))}
	}
	text, value := refusalText(r), r.Value
	switch {
	case r.Field == "vaults" && r.Doubt.Risk != "" && !r.Doubt.Never():
		text += "; name the folder in it that holds your notes, or say below that you are sure"
	case r.Field == "vaults" && r.Err == nil && r.Doubt.Risk != installer.Nested:
		text += "; name the folder that holds your notes"
	case r.Port != 0:
		text += fmt.Sprintf("; choose another, such as %d", r.Port)
	case r.Next != "":
		text += "; " + r.Next
	}
	if r.Field == "vaults" {
		value = asGiven(given, value)
	}
	return &api.Invalid{Reason: sentence(text), Field: r.Field, Value: value}
}

// asGiven is a folder as it was filled in.
func asGiven(given []string, path string) string {
	for _, text := range given {
		if full, err := installer.ParseFolder(text); err == nil && full == path {
			return text
		}
	}
	return path
}

// doubtText says why a folder may not be meant, or cannot be a vault.
func doubtText(path string, d installer.Doubt) string {
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

// rootWarning warns where this program runs as root; empty elsewhere.
func rootWarning() string {
	if os.Geteuid() != 0 {
		return ""
	}
	if user := os.Getenv("SUDO_USER"); user != "" && user != "root" {
		return "this runs as root, not as " + user + ": the configuration is root's, and agents may do what root may"
	}
	return "this runs as root: agents may do what root may"
}

// lostKeyText says that the name of a key has gone with the server that it was for.
func lostKeyText(name string) string {
	return "the setting wiki.embedding.apiKeyEnv was removed: " + name + " holds the key of the previous server"
}

// choiceLines are a choice in words, a line each.
func choiceLines(p installer.Plan) []string {
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
	return append(lines, "meaning    "+embeddingText(p.Embedding()), fmt.Sprintf("port       %d", port))
}

// embeddingText is an embedding model in words.
func embeddingText(e config.Embedding) string {
	switch text := strings.TrimSpace(e.Provider + " " + e.Model); {
	case e.Provider == "none":
		return e.Provider
	case e.URL != "" && !e.AsksNobody():
		return text + " at " + embed.Shown(e.URL)
	default:
		return text
	}
}
