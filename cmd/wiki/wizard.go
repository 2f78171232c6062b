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

	"charm.land/huh/v2"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// errLeft says that whoever was asked went away.
var errLeft = errors.New("nothing was changed")

// wizard asks for a plan. Its questions are forms of their own, so that each can
// depend on the answers before.
type wizard struct {
	in    *terminal
	out   io.Writer
	plain bool // line by line
}

// ask turns a plan into the one that its reader wants.
func (a *app) ask(ctx context.Context, p plan, f setupFlags) (plan, error) {
	w := &wizard{in: newTerminal(ctx, os.Stdin), out: a.stdout.w, plain: f.plain || os.Getenv("TERM") == "dumb"}
	err := w.run(ctx, &p, f)
	if errors.Is(err, errLeft) || errors.Is(err, huh.ErrUserAborted) || ctx.Err() != nil {
		return p, fail("wiki setup asks again", "%w", errLeft)
	}
	return p, err
}

func (w *wizard) run(ctx context.Context, p *plan, f setupFlags) error {
	if p.now.Exists {
		change, err := w.first(ctx, *p)
		if err != nil || !change {
			return err
		}
	}
	if err := w.vaults(ctx, &p.choice); err != nil {
		return err
	}
	if f.agent == "" {
		if err := w.agent(ctx, p); err != nil {
			return err
		}
	}
	if f.provider == "" && f.model == "" {
		if err := w.meaning(ctx, p); err != nil {
			return err
		}
	}
	if !f.noService {
		err := w.show(ctx, huh.NewConfirm().Title("Start the engine now, and whenever you log in?").
			Description("A login service of yours; wiki service uninstall takes it away.").Value(&p.service))
		if err != nil {
			return err
		}
	}
	return w.confirm(ctx, *p)
}

// show asks one form.
func (w *wizard) show(ctx context.Context, fields ...huh.Field) error {
	form := huh.NewForm(huh.NewGroup(fields...)).WithOutput(w.out).WithAccessible(w.plain).WithShowHelp(true)
	if w.plain {
		form = form.WithInput(w.in)
	}
	if err := form.RunWithContext(ctx); err != nil {
		return err
	}
	if w.in.ended() {
		return errLeft
	}
	return nil
}

// first shows what is set. False goes on with that.
func (w *wizard) first(ctx context.Context, p plan) (change bool, err error) {
	what := "change"
	title := p.now.File
	if p.now.Old {
		title += " was written before the rename; these are its values"
	}
	err = w.show(ctx, huh.NewSelect[string]().Title(title).Description(strings.Join(described(p.now.Config, p.choice), "\n")).
		Options(huh.NewOption("Change this", "change"), huh.NewOption("Go on with this", "keep"), huh.NewOption("Leave", "leave")).Value(&what))
	if err == nil && what == "leave" {
		err = errLeft
	}
	return what == "change", err
}

// described is a choice in words, a line each.
func described(now config.Config, c installer.Choice) []string {
	cfg := installer.Chosen(now)
	or := func(chosen, present string) string {
		if chosen == "" {
			return present
		}
		return chosen
	}
	agent, model := cfg.Agent, cfg.AgentModel
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
	provider, embedding := or(c.Provider, cfg.Provider), or(c.Model, cfg.Model)
	if provider == "none" {
		embedding = ""
	}
	lines = append(lines, strings.TrimSpace("meaning    "+provider+" "+embedding))
	port := cfg.Port
	if c.Port != 0 {
		port = c.Port
	}
	return append(lines, fmt.Sprintf("port       %d", port))
}

// vaults asks for the folders: those that are configured, those that Obsidian knows,
// and another one.
func (w *wizard) vaults(ctx context.Context, c *installer.Choice) error {
	known := slices.Clone(c.Vaults)
	for _, v := range installer.Obsidian(installer.ThisMachine()) {
		if slices.Contains(known, v.Path) {
			continue
		}
		if known = append(known, v.Path); v.Open && len(c.Vaults) == 0 {
			c.Vaults = []string{v.Path}
		}
	}
	another := ""
	input := huh.NewInput().Title("A folder of notes").Placeholder("~/Notes").Value(&another).
		Validate(func(text string) error { return w.folder(text, len(c.Vaults) > 0) })
	if len(known) > 0 {
		var options []huh.Option[string]
		for _, path := range known {
			options = append(options, huh.NewOption(config.AtHome(path), path).Selected(slices.Contains(c.Vaults, path)))
		}
		err := w.show(ctx, huh.NewMultiSelect[string]().Title("Which folders hold your notes?").
			Description("Those that are set, and those that Obsidian knows. Space chooses.").Options(options...).Value(&c.Vaults))
		if err != nil {
			return err
		}
		input.Title("Another folder of notes (empty for none)")
	}
	if err := w.show(ctx, input); err != nil || strings.TrimSpace(another) == "" {
		return err
	}
	path, err := absolute(strings.TrimSpace(another))
	if err == nil && !slices.Contains(c.Vaults, path) {
		c.Vaults = append(c.Vaults, path)
	}
	return err
}

// folder says what is wrong with a folder that was typed. Who has gone is not kept.
func (w *wizard) folder(text string, none bool) error {
	if text = strings.TrimSpace(text); w.in.ended() || text == "" && none {
		return nil
	}
	if text == "" {
		return errors.New("name the folder that holds your notes, such as ~/Notes")
	}
	path, err := absolute(text)
	if err != nil {
		return err
	}
	for _, f := range worded(doctor.Folder(path, "auto")) {
		if f.Code.Level() == doctor.Problem {
			return errors.New(f.Text)
		}
	}
	return nil
}

// agent asks who answers. What costs money is never the default by itself.
func (w *wizard) agent(ctx context.Context, p *plan) error {
	now := installer.Chosen(p.now.Config)
	options := []huh.Option[string]{huh.NewOption("the built-in Miner: quotes your notes, needs no account and costs nothing", "builtin")}
	if now.Agent == "" {
		options = append(options, huh.NewOption("as it is configured now", ""))
	}
	for _, program := range installer.Programs(os.Environ()) {
		label := fmt.Sprintf("%s (%s)", program.Runner, config.AtHome(program.Path))
		switch {
		case program.Needs != "":
			label += ", cannot start: " + program.Needs + " is missing"
		case !program.LoggedIn:
			label += ", perhaps not logged in"
		}
		options = append(options, huh.NewOption(label, program.Runner))
	}
	models, _ := installer.Ollama(ctx) // none answers: none is offered
	for _, m := range models {
		if !m.Embeds {
			options = append(options, huh.NewOption(fmt.Sprintf("%s, on this machine by Ollama (%.1f GB)", m.Name, m.Size), "ollama:"+m.Name))
		}
	}
	before := now.Agent
	if before == "ollama" {
		before += ":" + now.AgentModel
	}
	chosen := before
	if !slices.ContainsFunc(options, func(o huh.Option[string]) bool { return o.Value == chosen }) {
		options = append(options, huh.NewOption(chosen+", as it is now", chosen))
	}
	err := w.show(ctx, huh.NewSelect[string]().Title("Who answers your questions?").
		Description("For the Miner and for every role that has no entry of its own.").Options(options...).Value(&chosen))
	if err != nil || chosen == before {
		return err
	}
	if p.choice.Agent, p.choice.AgentModel, err = installer.ParseAgent(chosen); err != nil {
		return err
	}
	if !slices.Contains(installer.Runners, p.choice.Agent) {
		return nil
	}
	return w.show(ctx, huh.NewInput().Title("Which model of "+p.choice.Agent+"? (empty for its own)").Value(&p.choice.AgentModel))
}

// meaning asks for an embedding model where there are some to choose from.
func (w *wizard) meaning(ctx context.Context, p *plan) error {
	now := installer.Chosen(p.now.Config)
	models, _ := installer.Ollama(ctx) // none answers: none is offered
	models = slices.DeleteFunc(models, func(m installer.Model) bool { return !m.Embeds })
	if len(models) == 0 && now.Provider == "none" {
		return nil
	}
	options := []huh.Option[string]{huh.NewOption("by words and links alone", "none")}
	for _, m := range models {
		options = append(options, huh.NewOption("also by meaning, with "+m.Name+" of Ollama on this machine", "ollama "+m.Name))
	}
	before := "none"
	if now.Provider != "none" {
		before = now.Provider + " " + now.Model
	}
	if !slices.ContainsFunc(options, func(o huh.Option[string]) bool { return o.Value == before }) {
		options = append(options, huh.NewOption("also by meaning, as it is now: "+before, before))
	}
	chosen := before
	err := w.show(ctx, huh.NewSelect[string]().Title("How are passages of your notes found?").Options(options...).Value(&chosen))
	if err == nil && chosen != before {
		p.choice.Provider, p.choice.Model, _ = strings.Cut(chosen, " ")
	}
	return err
}

// confirm is the last question, with everything that will happen.
func (w *wizard) confirm(ctx context.Context, p plan) error {
	lines := append(described(p.now.Config, p.choice), "file       "+filepath.Clean(p.now.File))
	if p.service {
		lines = append(lines, "service    is installed and starts when you log in")
	}
	yes := true
	err := w.show(ctx, huh.NewConfirm().Title("Write this and see a first answer?").Description(strings.Join(lines, "\n")).Value(&yes))
	if err == nil && !yes {
		err = errLeft
	}
	return err
}
