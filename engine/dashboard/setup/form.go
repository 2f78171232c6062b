package setup

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
)

// ReadChoice reads what the form chooses.
func (v View) ReadChoice(form url.Values) (api.SetupChoice, error) {
	choice := api.SetupChoice{Sure: form.Has("sure"), Login: readSwitch(form, "login"), Tray: readSwitch(form, "tray")}
	if hasChanged(form, "agent", "agentModel") {
		choice.Agent, choice.AgentModel = form.Get("agent"), form.Get("agentModel")
	}
	if hasChanged(form, "provider", "model") {
		choice.Provider, choice.Model = form.Get("provider"), form.Get("model")
	}
	if form.Has("url") && hasChanged(form, "provider", "url") { // another provider is meant to be where the page shows it
		url := form.Get("url")
		choice.URL = &url
	}
	for _, path := range form["vault"] {
		if !slices.Contains(form["was-vault"], path) || slices.Contains(v.Was["vault"], path) {
			choice.Vaults = append(choice.Vaults, path)
		}
	}
	if folder := cleanPasted(form.Get("folder")); folder != "" {
		choice.Vaults = append(choice.Vaults, folder)
	}
	if len(choice.Vaults) == 0 {
		return choice, &api.Invalid{Reason: "Choose a folder of notes; nothing was changed.", Field: "vaults"}
	}
	for _, f := range v.Folders {
		if f.Watched && !slices.Contains(form["shown"], f.Path) && !slices.Contains(choice.Vaults, f.Path) {
			choice.Vaults = append(choice.Vaults, f.Path)
		}
	}
	if text := form.Get("port"); text != "" && hasChanged(form, "port") {
		port, err := strconv.Atoi(text)
		if err != nil || port < 1 || port > 65535 {
			return choice, &api.Invalid{Reason: "A port is a number from 1 to 65535; nothing was changed.", Field: "port"}
		}
		choice.Port = port
	}
	return choice, nil
}

// cleanPasted returns a path without the quotes that a file manager copies around it. No
// absolute path begins with a quote.
func cleanPasted(path string) string {
	path = strings.TrimSpace(path)
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(path, quote); ok && strings.HasSuffix(inner, quote) {
			return strings.TrimSpace(strings.TrimSuffix(inner, quote))
		}
	}
	return path
}

// hasChanged reports whether a field among names differs from the value that the page showed. A form without the
// shown values counts as changed.
func hasChanged(form url.Values, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return !form.Has("was-"+name) || form.Get(name) != form.Get("was-"+name)
	})
}

// readSwitch is how a box was left, if that is another way than it was shown in.
func readSwitch(form url.Values, name string) *bool {
	was, shown := form["was-"+name]
	if now := form.Has(name); shown && now != (was[0] == "on") {
		return &now
	}
	return nil
}

// FillIn returns the page as it was filled in, with what is wrong.
func (v View) FillIn(form url.Values, wrong *api.Invalid) View {
	field := wrong.Field
	if field == "vaults" {
		field = "folder"
		for i, f := range v.Folders {
			if f.Path == wrong.Value && wrong.Value != cleanPasted(form.Get("folder")) {
				field = "vault-" + strconv.Itoa(i)
			}
		}
	}
	v.Failed = Failure{field, wrong.Error()}
	for i, f := range v.Folders {
		if slices.Contains(form["shown"], f.Path) {
			v.Folders[i].Watched = slices.Contains(form["vault"], f.Path)
		}
	}
	for name := range v.Was {
		if form.Has("was-agent") { // it says how all of it was
			v.Was[name] = form["was-"+name]
		}
	}
	v.Another, v.Sure = form.Get("folder"), form.Has("sure")
	v.Chosen.Agent, v.Chosen.AgentModel = form.Get("agent"), form.Get("agentModel")
	v.Chosen.Provider, v.Chosen.Model = form.Get("provider"), form.Get("model")
	if url := form.Get("url"); form.Has("url") {
		v.Chosen.URL = &url
	}
	if form.Has("port") {
		v.Port = form.Get("port")
	}
	login, tray := form.Has("login"), form.Has("tray")
	v.Chosen.Login, v.Chosen.Tray = &login, &tray
	return v
}
