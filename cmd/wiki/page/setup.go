// Package page is setup on the dashboard: the same checks and the same writing as
// wiki setup, in the engine that the dashboard belongs to.
//
//	tools := page.Setup(page.Options{Host: h, Version: version})
package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/roles/trial"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/places"
	"vaultdispatcher/installer/proof"
	"vaultdispatcher/service"
)

// Options are what the page works on.
type Options struct {
	ConfigFile    string // empty = the usual one
	Host          Host
	RunEngine     proof.RunEngine // for a first answer when no engine runs
	FinalStatuses []int           // of the engine, for [installer.NewLogin]
	Question      string          // for a role that is tried
}

// Host is the engine that shows the page.
type Host interface {
	installer.Host
	State() string
	HasFixedVaults() bool // they are not the configuration's
	WithOptions(config.Config) config.Config
	IsUpToDate() (bool, error) // the configuration is the one in the file
	Reload()
}

// setup is one page.
type setup struct{ Options }

// Setup returns the steps of setup as the dashboard takes them.
func Setup(opts Options) *api.SetupTools {
	p := &setup{opts}
	return &api.SetupTools{Look: p.describe, Write: p.carryOut, Try: p.tryRole, Prove: p.proveAnswer}
}

// readConfig is the configuration as setup sees it.
func (p *setup) readConfig() (installer.Present, error) {
	now, err := installer.Read(p.ConfigFile)
	if err != nil {
		return now, unusable(err)
	}
	return now, nil
}

func unusable(err error) error {
	return &api.Conflict{Reason: "The configuration cannot be used: " + texts.OneLine(err) + "."}
}

func (p *setup) describe(ctx context.Context) (api.Setup, error) {
	now, err := p.readConfig()
	if err != nil {
		return api.Setup{}, err
	}
	program, err := installer.ThisProgram()
	if err != nil {
		return api.Setup{}, err
	}
	s := api.Setup{File: now.File, Chosen: installer.Chosen(now.Config), Folders: setupFolders(now.Config), Notes: p.noteLines(now),
		Login: p.loginSwitch(ctx), Tray: traySwitch(installer.TrayProgram(), service.Tray("").Installed()),
		Providers: slices.Clone(providers), SentTo: installer.RemoteHost(now.Config.Embedding),
		Lines: places.Lines(places.ThisMachine(), program)}
	s.Chosen.Roles = installer.AllRoles(now.Config, assets.Agents())
	models, _ := installer.Ollama(ctx) // without an answer none is offered
	for _, m := range models {
		s.Models = append(s.Models, m.Name)
	}
	s.Agents = agentChoices(installer.Programs(os.Environ()), len(models) > 0, s.Chosen)
	return s, nil
}

// providers are the embedding providers, and what each needs.
var providers = []api.SetupOption{
	{Name: "none"},
	{Name: "ollama", Detail: "on this machine, or at an address"},
	{Name: "openai", Detail: "a server with /v1/embeddings, at its address"},
	{Name: "static", Detail: "a model2vec folder, its path as the model"},
}

// traySwitch says whether the icon starts at login. An entry whose program is gone can
// be removed.
func traySwitch(program string, installed bool) api.SetupSwitch {
	now := api.SetupSwitch{Offered: program != "" || installed, Enabled: installed}
	if installed && program == "" {
		now.Detail = "The program wiki-tray is not beside this one any more, nor on the PATH."
	}
	return now
}

// loginSwitch says whether the engine starts at login.
func (p *setup) loginSwitch(ctx context.Context) api.SetupSwitch {
	var kept service.Status
	l, err := installer.NewLogin(ctx, p.ConfigFile, p.FinalStatuses...)
	if err == nil {
		kept, err = l.Status(ctx)
	}
	on := api.SetupSwitch{Offered: true, Enabled: true}
	switch {
	case err != nil:
		return api.SetupSwitch{Detail: wording.Sentence("the login service cannot be asked: " + texts.OneLine(err))}
	case !kept.Installed:
		return api.SetupSwitch{Offered: true, Detail: "It would be " + texts.ServiceKind(kept.Kind) + "; the running engine continues as it was started."}
	case !kept.AtLogin:
		on.Detail = "It is installed, and switched off in the settings of your system."
	case !kept.Current:
		on.Detail = "It starts another program, or this one with other arguments; wiki service install updates it."
	case !kept.Active:
		on.Detail = "It is " + texts.ServiceKind(kept.Kind) + "; the running engine was started by hand."
	default:
		on.Detail = "It is " + texts.ServiceKind(kept.Kind) + ". Without it the engine continues until you log out, and starts no more by itself."
	}
	return on
}

// noteLines are what a person should know before choosing, a sentence each.
func (p *setup) noteLines(now installer.Present) (notes []string) {
	if now.Old {
		notes = append(notes, "The configuration was written before the rename. These are its values; Save takes them over.")
	}
	for _, key := range now.Obsolete {
		notes = append(notes, key+" is not imported, because it has no meaning now.")
	}
	if os.Getenv("WIKI_VAULTS") != "" {
		notes = append(notes, "The variable WIKI_VAULTS names the folders and overrides the configuration, so nothing can be written here.")
	}
	if p.Host.HasFixedVaults() {
		notes = append(notes, "This engine was started with --vault and watches that; the folders below apply when it is started without.")
	}
	if p.Host.HasFixedPort() {
		notes = append(notes, fmt.Sprintf("This engine was started with --port and stays on port %d; the port below applies when it is started without.", p.Host.Port()))
	}
	if warning := texts.RootWarning(); warning != "" {
		notes = append(notes, wording.Sentence(warning))
	}
	return notes
}

// setupFolders are the configured folders with their findings, and those that Obsidian
// knows.
func setupFolders(cfg config.Config) []api.SetupFolder {
	var folders []api.SetupFolder
	watched := make([]doctor.Place, len(cfg.Vaults))
	for i, v := range cfg.Vaults {
		watched[i] = doctor.Place{Path: v.Path, Mode: cfg.WatchMode(v)}
	}
	for i, found := range doctor.Folders(watched) {
		folders = append(folders, api.SetupFolder{Path: watched[i].Path, Watched: true, Checks: texts.WireFindings(found)})
	}
	var offered []string
	for _, v := range places.Obsidian(places.ThisMachine()) {
		offered = append(offered, v.Path)
	}
	for _, path := range append(offered, places.Likely(places.ThisMachine())...) {
		isKnown := slices.ContainsFunc(folders, func(f api.SetupFolder) bool { return f.Path == path })
		if !isKnown {
			folders = append(folders, api.SetupFolder{Path: path})
		}
	}
	return folders
}

// agentChoices are what can answer here, and what answers now wherever it is.
func agentChoices(programs []installer.Program, hasOllama bool, now installer.Choice) []api.SetupOption {
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
	if hasOllama {
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

// carryOut carries a form out as wiki setup would. Everything that could fail is checked
// before; what fails after the configuration was written is a note.
func (p *setup) carryOut(ctx context.Context, form api.SetupChoice) (done api.SetupWritten, err error) {
	if os.Getenv("WIKI_VAULTS") != "" { // its folders would be taken for those of the file
		return done, &api.Conflict{Reason: "The variable WIKI_VAULTS names the folders and overrides the configuration; start the engine without it."}
	}
	now, err := p.readConfig()
	if err != nil {
		return done, err
	}
	plan := installer.Plan{Present: now, Host: p.Host}
	if plan.Choice, err = installer.Difference(form, now.Config); err != nil {
		return done, invalidField(err, form.Vaults)
	}
	if err := plan.Check(ctx, installer.Silent()); err != nil {
		return done, invalidField(err, form.Vaults)
	}
	written, err := plan.Write()
	if err != nil {
		return done, invalidField(err, form.Vaults)
	}
	done = api.SetupWritten{ConfigWritten: written.ConfigWritten, Port: p.Host.Port()}
	if form.Login != nil {
		l, err := installer.NewLogin(ctx, p.ConfigFile, p.FinalStatuses...)
		if err == nil {
			err = l.Switch(ctx, *form.Login)
		}
		if err != nil {
			done.Notes = append(done.Notes, wording.Sentence("the login service was not changed: "+texts.OneLine(err)))
		}
	}
	if form.Tray != nil && service.Tray("").Installed() != *form.Tray {
		if err := installer.SwitchTray(p.ConfigFile, *form.Tray); err != nil {
			done.Notes = append(done.Notes, wording.Sentence("the icon was not changed: "+texts.OneLine(err)))
		}
	}
	if lost := installer.LostKey(now.Config, written.Config); lost != "" {
		done.Notes = append(done.Notes, wording.Sentence(texts.LostKey(lost)))
	}
	if written.Changed { // last, because the engine that ends then waits only seconds for us
		p.Host.Reload()
	}
	return done, nil
}

// proveAnswer has a first question answered, and keeps no trace of it.
func (p *setup) proveAnswer(ctx context.Context) (api.SetupProof, error) {
	switch isCurrent, err := p.Host.IsUpToDate(); {
	case err != nil:
		return api.SetupProof{}, unusable(err)
	case !isCurrent:
		return api.SetupProof{}, &api.Conflict{Reason: "The configuration is taken up when running tasks have finished; try again then."}
	}
	cfg, err := config.Load(p.ConfigFile)
	if err != nil {
		return api.SetupProof{}, unusable(err)
	}
	first, err := proof.FirstAnswer(ctx, p.Host.State(), p.Host.WithOptions(cfg), p.RunEngine, io.Discard)
	if err != nil {
		return api.SetupProof{}, &api.Conflict{Reason: "No first answer came: " + texts.OneLine(err) + "."}
	}
	first.Text = texts.Proof(first)
	return first, nil
}

// tryRole asks a role one short question for real.
func (p *setup) tryRole(ctx context.Context, role string) (api.SetupTried, error) {
	cfg, err := config.Load(p.ConfigFile)
	if err != nil {
		return api.SetupTried{}, unusable(err)
	}
	begun := time.Now()
	tried, err := trial.Run(ctx, cfg, assets.Agents(), role, p.Question)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return api.SetupTried{}, &api.Conflict{Reason: fmt.Sprintf("%s did not answer within %s.", role, times.Span(time.Since(begun)))}
	case err != nil:
		return api.SetupTried{}, &api.Conflict{Reason: role + ": " + texts.OneLine(err) + "."}
	}
	return tried.SetupTried, nil
}
