package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/installer"
)

// write makes a choice the configuration, if wiki setup would, and has it taken up.
// Everything that could fail is looked at before; what fails after the configuration
// was written is a note.
func (p *setupPage) write(ctx context.Context, c api.SetupChoice) (api.SetupWritten, error) {
	if os.Getenv("WIKI_VAULTS") != "" { // what is read would be taken for what the file says
		return api.SetupWritten{}, &api.Conflict{Reason: "The variable WIKI_VAULTS names the folders and is stronger than the configuration; start the engine without it."}
	}
	now, err := p.read()
	if err != nil {
		return api.SetupWritten{}, err
	}
	choice, err := setupChoice(c, installer.Chosen(now.Config))
	if err != nil {
		return api.SetupWritten{}, err
	}
	roles, err := rolesChoice(c.Roles, now.Config)
	if err != nil {
		return api.SetupWritten{}, err
	}
	choice.Roles = slices.Concat(ownModel(choice, now.Config), roles)
	todo := plan{now: now, choice: choice, sure: c.Sure}
	if err := p.check(ctx, c, todo); err != nil {
		return api.SetupWritten{}, err
	}
	var written installer.Written
	commit := func() (err error) {
		if written, err = p.writeConfig(todo); err != nil {
			return at("", "", err)
		}
		return nil
	}
	if err := p.writeAt(choice.Port, commit); err != nil {
		return api.SetupWritten{}, err
	}
	done := api.SetupWritten{File: written.File, Changed: written.Changed, Backup: written.Backup, Port: p.engines.Port()}
	done.Notes = slices.Concat(p.startAtLogin(ctx, c.Login), p.trayAtLogin(c.Tray))
	if lost := keyLost(now.Config, written.Config); lost != "" {
		done.Notes = append(done.Notes, sentence(lost))
	}
	if written.Changed { // last, for the engine that gives way then waits for us a few seconds only
		p.engines.Reload()
	}
	return done, nil
}

// check refuses what cannot work, beside its field.
func (p *setupPage) check(ctx context.Context, c api.SetupChoice, todo plan) error {
	for i, path := range todo.choice.Vaults {
		if _, err := p.checkFolder(ctx, todo, path); err != nil {
			return at("vaults", spelled(c.Vaults, i, path), err)
		}
	}
	choice := todo.choice
	if err := p.checkAgent(ctx, "Miner", installer.Choice{Agent: choice.Agent, AgentModel: choice.AgentModel}); err != nil {
		field := "agent"
		if choice.Agent == "ollama" && !errors.Is(err, installer.ErrNoOllama) {
			field = "agentModel"
		}
		return at(field, "", err)
	}
	if err := p.checkRoles(ctx, choice.Roles); err != nil {
		return err
	}
	if err := choice.CheckVariables(); err != nil {
		return at("provider", "", err)
	}
	if err := choice.CheckURL(todo.now.Config); err != nil {
		return at("url", "", err)
	}
	finding := embeddingOf(choice, todo.now.Config)
	if asked := finding.Provider; asked != "" && asked != "none" && finding.Model == "" {
		return at("model", "", fmt.Errorf("the provider %s needs a model; name one", asked))
	}
	if err := p.checkModels(ctx, finding); err != nil {
		return at("model", "", err)
	}
	if err := p.checkPort(choice.Port); err != nil {
		return at("port", "", err)
	}
	if c.Login != nil && *c.Login {
		if program, err := os.Executable(); err != nil || temporary.MatchString(program) {
			return at("login", "", errors.New("this program is gone when it ends, and no service can start it; build it with go build ./cmd/wiki and run that"))
		}
	}
	if c.Tray != nil && *c.Tray && trayProgram() == "" {
		return at("tray", "", errors.New("there is no program wiki-tray to show"))
	}
	return nil
}

// spelled is a folder as it was given.
func spelled(given []string, i int, path string) string {
	for _, text := range given[min(i, len(given)):] {
		if full, err := absolute(text); err == nil && full == path {
			return text
		}
	}
	return path
}

// checkPort says what keeps the engine from a port; 0 is the one it has.
func (p *setupPage) checkPort(port int) error {
	switch {
	case port == 0:
		return nil
	case port < 1 || port > 65535:
		return errors.New("a port is a number from 1 to 65535")
	case os.Getenv("WIKI_HTTPPORT") != "":
		return errors.New("the variable WIKI_HTTPPORT names the port and is stronger than the configuration")
	case port == p.engines.Port():
		return nil
	case installer.Shunned(port):
		return shunnedPort(port)
	}
	ln, err := listen.On(port)
	if err != nil {
		return portProblem(port, err)
	}
	return ln.Close()
}

// shunnedPort refuses a port at which the dashboard could not be seen.
func shunnedPort(port int) error {
	return fmt.Errorf("browsers open no page at port %d; choose another, such as %d", port, another(port))
}

func portProblem(port int, err error) error {
	if _, taken := errors.AsType[*listen.Taken](err); taken {
		return fmt.Errorf("%w; choose another, such as %d", err, another(port))
	}
	return err
}

// writeAt has the configuration written, and the engine move if its port is another
// one. Nothing is written where that port cannot be had.
func (p *setupPage) writeAt(port int, commit func() error) error {
	if port == 0 || p.engines.HasFixedPort() || port == p.engines.Port() {
		return commit()
	}
	err := p.engines.Move(port, commit)
	if _, invalid := errors.AsType[*api.Invalid](err); err == nil || invalid {
		return err
	}
	return at("port", "", portProblem(port, err))
}

// setupChoice is what differs from what is set. What is the same as before is not
// touched: it may have been written by hand with more to it.
func setupChoice(c api.SetupChoice, now installer.Choice) (installer.Choice, error) {
	var choice installer.Choice
	for field, text := range map[string]string{"agentModel": c.AgentModel, "model": c.Model} {
		if err := installer.CheckModel(text); err != nil {
			return choice, at(field, "", err)
		}
	}
	for _, folder := range c.Vaults {
		if strings.ContainsFunc(folder, unicode.IsControl) { // what refuses it has one line
			return choice, at("vaults", folder, fmt.Errorf("%q holds a character no path should have", folder))
		}
		if !strings.HasPrefix(folder, "~") && !filepath.IsAbs(folder) {
			return choice, at("vaults", folder, fmt.Errorf("\"%s\" is no whole path; write it from ~ or the root on", folder))
		}
		path, err := absolute(folder)
		if err != nil {
			return choice, at("vaults", folder, err)
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
			field := "agent"
			if c.Agent == "ollama" || c.Agent == "builtin" {
				field = "agentModel"
			}
			return choice, at(field, "", err)
		}
	}
	if c.Provider != now.Provider || c.Model != now.Model {
		choice.Provider, choice.Model = c.Provider, c.Model
	}
	choice.URL = addressChoice(c, now)
	if c.Port != 0 && c.Port != now.Port {
		choice.Port = c.Port
	}
	return choice, nil
}

// addressChoice is the address that is chosen; nil is none. The one that is set goes
// along to another provider when it is given with it, to one that asks nobody it does not.
func addressChoice(c api.SetupChoice, now installer.Choice) *string {
	if c.URL == nil {
		return nil
	}
	url, was := strings.TrimSpace(*c.URL), ""
	if now.URL != nil {
		was = *now.URL
	}
	e := config.Embedding{Provider: cmp.Or(c.Provider, now.Provider)}
	if url == was && (e.Provider == now.Provider || e.AsksNobody()) {
		return nil
	}
	return &url
}

// at is an error of setup as the one who filled in the form reads it, beside its field.
func at(field, value string, err error) error {
	text := oneLine(err)
	if _, askable := errors.AsType[*doubtful](err); askable {
		text += "; name the folder in it that holds your notes, or say below that you are sure"
	} else if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
		text += "; " + f.hint
	}
	return &api.Invalid{Reason: sentence(text), Field: field, Value: value}
}

// firstAnswer has a question answered in a note of a vault, which is removed again.
func (p *setupPage) firstAnswer(ctx context.Context) (api.SetupProof, error) {
	switch current, err := p.engines.IsUpToDate(); {
	case err != nil:
		return api.SetupProof{}, &api.Conflict{Reason: "The configuration cannot be used: " + oneLine(err) + "."}
	case !current:
		return api.SetupProof{}, &api.Conflict{Reason: "The configuration is taken up when the agents at work have answered; try again then."}
	}
	cfg, err := p.load()
	if err != nil {
		return api.SetupProof{}, err
	}
	proof, err := p.prove(ctx, p.engines.WithOptions(cfg))
	if err != nil {
		return api.SetupProof{}, &api.Conflict{Reason: "No first answer came: " + oneLine(err) + "."}
	}
	return api.SetupProof{Vault: proof.Vault, Answer: proof.Answer, Took: proof.Took}, nil
}

func (p *setupPage) setupTry(ctx context.Context, role string) (api.SetupTried, error) {
	cfg, err := p.load()
	if err != nil {
		return api.SetupTried{}, &api.Conflict{Reason: "The configuration cannot be used: " + oneLine(err) + "."}
	}
	begun := time.Now()
	tried, err := roles.Try(ctx, cfg, assets.Agents(), role, testQuestion)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		waited := time.Since(begun).Round(time.Second)
		return api.SetupTried{}, &api.Conflict{Reason: fmt.Sprintf("%s did not answer within %s, and was not waited for any longer.", role, waited)}
	case err != nil:
		return api.SetupTried{}, &api.Conflict{Reason: role + ": " + oneLine(err) + "."}
	}
	return api.SetupTried{Role: role, Runner: tried.Runner, Answer: tried.Answer, Took: tried.Took}, nil
}
