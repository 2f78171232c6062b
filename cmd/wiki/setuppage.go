package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// setupTools are the steps of setup as the dashboard takes them: the same checks and
// the same writing. The engine that serves the page takes the change up by itself, so
// no service is touched and no port is changed.
func (a *app) setupTools() *api.SetupTools {
	quiet := *a
	quiet.stdout, quiet.stderr, quiet.json = &output{w: io.Discard}, io.Discard, false
	return &api.SetupTools{Look: quiet.setupLook, Write: quiet.setupWrite, Try: quiet.setupTry}
}

func (a *app) setupLook(ctx context.Context) (api.Setup, error) {
	now, err := installer.Read(a.configFile)
	if err != nil {
		return api.Setup{}, &api.Conflict{Reason: "The configuration cannot be used: " + oneLine(err) + "."}
	}
	program, err := os.Executable()
	if err != nil {
		return api.Setup{}, fmt.Errorf("find this program: %w", err)
	}
	chosen := installer.Chosen(now.Config)
	s := api.Setup{File: now.File, Folders: setupFolders(now.Config),
		Chosen: api.SetupChoice{Vaults: chosen.Vaults, Agent: chosen.Agent, AgentModel: chosen.AgentModel, Provider: chosen.Provider, Model: chosen.Model}}
	models, _ := installer.Ollama(ctx) // none answers: none is offered
	for _, m := range models {
		s.Models = append(s.Models, m.Name)
	}
	s.Agents = setupAgents(installer.Programs(os.Environ()), len(models) > 0, chosen.Agent)
	for _, name := range []string{"none", "ollama", "openai", "static", "transformers"} {
		s.Providers = append(s.Providers, api.SetupOption{Name: name})
	}
	for _, line := range installer.Lines(installer.ThisMachine(), program) {
		s.Lines = append(s.Lines, api.SetupLine(line))
	}
	return s, nil
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
func setupAgents(programs []installer.Program, ollama bool, now string) []api.SetupOption {
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
	if now != "" && !slices.ContainsFunc(options, func(o api.SetupOption) bool { return o.Name == now }) {
		options = append(options, api.SetupOption{Name: now, Detail: "as it is now"})
	}
	return options
}

// setupWrite makes a choice the configuration, if wiki setup would. What is the same
// as before is not touched: it may have been written by hand with more to it.
func (a *app) setupWrite(ctx context.Context, c api.SetupChoice) (api.SetupWritten, error) {
	now, err := installer.Read(a.configFile)
	if err != nil {
		return api.SetupWritten{}, &api.Conflict{Reason: "The configuration cannot be used: " + oneLine(err) + "."}
	}
	choice, err := setupChoice(c, installer.Chosen(now.Config))
	if err != nil {
		return api.SetupWritten{}, invalid(err)
	}
	p := plan{now: now, choice: choice}
	if _, err := a.checkFolders(p); err != nil {
		return api.SetupWritten{}, invalid(err)
	}
	if err := a.checkAgent(ctx, choice); err != nil {
		return api.SetupWritten{}, invalid(err)
	}
	written, err := a.writeConfig(p)
	if err != nil {
		return api.SetupWritten{}, invalid(err)
	}
	return api.SetupWritten{File: written.File, Changed: written.Changed, Backup: written.Backup}, nil
}

// setupChoice is what differs from what is set.
func setupChoice(c api.SetupChoice, now installer.Choice) (installer.Choice, error) {
	var choice installer.Choice
	for _, folder := range c.Vaults {
		if !strings.HasPrefix(folder, "~") && !filepath.IsAbs(folder) {
			return choice, fmt.Errorf("%s is no whole path; write it from ~ or the root on", folder)
		}
		path, err := absolute(folder)
		if err != nil {
			return choice, err
		}
		if !slices.Contains(choice.Vaults, path) {
			choice.Vaults = append(choice.Vaults, path)
		}
	}
	if c.Agent != "" && (c.Agent != now.Agent || c.AgentModel != now.AgentModel) {
		text := c.Agent
		if c.AgentModel != "" {
			text += ":" + c.AgentModel
		}
		var err error
		if choice.Agent, choice.AgentModel, err = installer.ParseAgent(text); err != nil {
			return choice, err
		}
	}
	if c.Provider != now.Provider || c.Model != now.Model {
		choice.Provider, choice.Model = c.Provider, c.Model
	}
	return choice, nil
}

// invalid is an error of setup as the one who filled in the form reads it.
func invalid(err error) error {
	text := oneLine(err)
	if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
		text += "; " + f.hint
	}
	return &api.Invalid{Reason: strings.ToUpper(text[:1]) + text[1:] + "."}
}

func (a *app) setupTry(ctx context.Context, role string) (api.SetupTried, error) {
	cfg, err := a.load()
	if err != nil {
		return api.SetupTried{}, &api.Conflict{Reason: "The configuration cannot be used: " + oneLine(err) + "."}
	}
	tried, err := engine.Try(ctx, cfg, assets.Agents(), role, testQuestion)
	if err != nil {
		return api.SetupTried{}, &api.Conflict{Reason: role + ": " + oneLine(err) + "."}
	}
	return api.SetupTried{Role: role, Runner: tried.Runner, Answer: tried.Answer, Took: tried.Took}, nil
}
