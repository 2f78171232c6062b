package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service"
	"vaultdispatcher/service/host"
)

// setupTools are the steps of setup as the dashboard takes them: the same checks and
// the same writing, in the engine that the dashboard belongs to.
func (a *app) setupTools(g *host.Host) *api.SetupTools {
	p := &setupPage{app: *a, engines: g}
	p.stdout, p.stderr, p.json = &output{w: io.Discard}, io.Discard, false
	return &api.SetupTools{Look: p.look, Write: p.write, Try: p.setupTry, Prove: p.firstAnswer}
}

// setupPage is setup without a terminal.
type setupPage struct {
	app
	engines *host.Host
}

// read is the configuration as setup sees it.
func (p *setupPage) read() (installer.Present, error) {
	now, err := installer.Read(p.configFile)
	if err != nil {
		return now, &api.Conflict{Reason: "The configuration cannot be used: " + oneLine(err) + "."}
	}
	return now, nil
}

func (p *setupPage) look(ctx context.Context) (api.Setup, error) {
	now, err := p.read()
	if err != nil {
		return api.Setup{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return api.Setup{}, fmt.Errorf("find this program: %w", err)
	}
	chosen := installer.Chosen(now.Config)
	s := api.Setup{File: now.File, Folders: setupFolders(now.Config), Notes: p.notes(now), Login: p.atLogin(ctx),
		Chosen: api.SetupChoice{Vaults: chosen.Vaults, Agent: chosen.Agent, AgentModel: chosen.AgentModel,
			Provider: chosen.Provider, Model: chosen.Model, URL: chosen.URL, Port: chosen.Port, Roles: setupRoles(now.Config)}}
	s.Tray = trayNow(trayProgram(), service.Tray("").Installed())
	models, _ := installer.Ollama(ctx) // none answers: none is offered
	for _, m := range models {
		s.Models = append(s.Models, m.Name)
	}
	s.Agents = setupAgents(installer.Programs(os.Environ()), len(models) > 0, s.Chosen)
	s.Providers, s.SentTo = slices.Clone(providers), installer.SentTo(now.Config.Embedding)
	for _, line := range installer.Lines(installer.ThisMachine(), program) {
		s.Lines = append(s.Lines, api.SetupLine(line))
	}
	return s, nil
}

// providers are what finds by meaning, and what each needs.
var providers = []api.SetupOption{
	{Name: "none"},
	{Name: "ollama", Detail: "on this machine, or at an address"},
	{Name: "openai", Detail: "a server with /v1/embeddings, at its address"},
	{Name: "static", Detail: "a model2vec folder, its path as the model"},
}

// trayNow is how it is with the icon. An entry whose program is gone can be taken away.
func trayNow(program string, installed bool) api.SetupSwitch {
	now := api.SetupSwitch{Offered: program != "" || installed, On: installed}
	if installed && program == "" {
		now.Detail = "The program wiki-tray is not beside this one any more, nor on the PATH."
	}
	return now
}

// notes are what a person should know before they choose, a sentence each.
func (p *setupPage) notes(now installer.Present) (notes []string) {
	if now.Old {
		notes = append(notes, "The configuration was written before the rename. These are its values; Save takes them over.")
	}
	for _, key := range now.Left {
		notes = append(notes, key+" is not taken over, it means nothing now.")
	}
	if os.Getenv("WIKI_VAULTS") != "" {
		notes = append(notes, "The variable WIKI_VAULTS names the folders and is stronger than the configuration, so nothing can be written here.")
	}
	if p.engines.HasFixedVaults() {
		notes = append(notes, "This engine was started with --vault and watches that; the folders below hold when it is started without.")
	}
	if p.engines.HasFixedPort() {
		notes = append(notes, fmt.Sprintf("This engine was started with --port and stays on port %d; the port below holds when it is started without.", p.engines.Port()))
	}
	if warning := asRoot(); warning != "" {
		notes = append(notes, sentence(warning))
	}
	return notes
}

// sentence is one of the command line's, as a page has it.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// setupFolders are the configured folders with what is to be said of them, and those
// that Obsidian knows.
func setupFolders(cfg config.Config) []api.SetupFolder {
	var folders []api.SetupFolder
	for _, v := range cfg.Vaults {
		checks := doctor.Folder(v.Path, cfg.WatchMode(v))
		for i, f := range checks {
			checks[i].Level = f.Code.Level()
		}
		folders = append(folders, api.SetupFolder{Path: v.Path, Watched: true, Checks: told(worded(checks))})
	}
	for _, v := range installer.Obsidian(installer.ThisMachine()) {
		known := slices.ContainsFunc(folders, func(f api.SetupFolder) bool { return f.Path == v.Path })
		if !known {
			folders = append(folders, api.SetupFolder{Path: v.Path})
		}
	}
	return folders
}

// setupAgents is what can answer here, and what answers now wherever it is.
func setupAgents(programs []installer.Program, ollama bool, now api.SetupChoice) []api.SetupOption {
	options := []api.SetupOption{{Name: "builtin", Detail: "quotes your notes"}}
	for _, p := range programs {
		option := api.SetupOption{Name: p.Runner, Detail: config.AtHome(p.Path)}
		switch {
		case p.Needs != "":
			option.Detail = "cannot start, " + p.Needs + " is missing"
		case !p.LoggedIn:
			option.Detail += ", perhaps not logged in"
		}
		options = append(options, option)
	}
	if ollama {
		options = append(options, api.SetupOption{Name: "ollama", Detail: "a model on this machine"})
	}
	present := []string{now.Agent}
	for _, r := range now.Roles {
		present = append(present, r.Agent)
	}
	for _, name := range present {
		if name != "" && name != installer.None && !slices.ContainsFunc(options, func(o api.SetupOption) bool { return o.Name == name }) {
			options = append(options, api.SetupOption{Name: name, Detail: "as it is now"})
		}
	}
	return options
}
