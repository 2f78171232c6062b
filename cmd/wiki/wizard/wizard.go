// Package wizard asks for the choices of setup on a terminal, as one form or line by
// line.
//
//	plan, copy, err := wizard.Ask(ctx, os.Stdout, plan, wizard.Given{})
//
// It changes nothing; what the person chose is in the plan that it returns.
package wizard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"charm.land/huh/v2"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/places"
	"vaultdispatcher/service"
)

// ErrAborted says that the person left, or wants no change.
var ErrAborted = errors.New("nothing was changed")

// Given is what the command line has said; it is not asked for. What else was chosen is added.
type Given struct {
	Plain     bool // ask line by line
	NoService bool
	Copy      bool // put the note app's line on the clipboard
	Obsidian  bool // put our plugin into the vaults that Obsidian has
}

// wizard asks for a plan. On a terminal its questions are one form: two forms after
// each other would lose the key that is pressed between them.
type wizard struct {
	input  *terminal
	output io.Writer

	options     Given
	baseline    installer.Plan
	programs    []installer.Program
	models      []installer.Model  // of Ollama
	folders     []string           // configured, known to Obsidian, or named as folders of notes are
	tray        string             // the program wiki-tray, if there is one
	line        string             // for the note app; empty = not known
	defaults    answers            // the first choices
	refusal     *installer.Refusal // of the port that is configured; nil = it can be had
	steps       []string
	judged      map[string]places.Doubt
	judgeFolder func(p installer.Plan, path string) (places.Doubt, error)
	answers     // the choices
}

// answers are the values of the questions.
type answers struct {
	Action     string // change, keep or leave
	Vaults     []string
	Another    string
	Agent      string
	AgentModel string
	Meaning    string // provider and model; without a model both are asked for
	Model      string // of that provider
	URL        string // of that provider
	Service    bool
	Copy       bool
	Obsidian   bool
	Tray       bool
	Sure       bool // of folders that may not have been meant
	Move       bool // to the port that is free
	Write      bool
}

// question is one of the form.
type question struct {
	field   huh.Field
	skip    func() bool
	preface func() string // lines to print before it
	retreat int           // how many questions to go back where its answer is refused
}

// Ask turns a plan into the one that its reader wants, and says what else shall be done. The
// error is [ErrAborted] if nothing shall be changed.
func Ask(ctx context.Context, out io.Writer, plan installer.Plan, given Given) (installer.Plan, Given, error) {
	w := &wizard{input: newTerminal(ctx, os.Stdin), output: out, options: given, baseline: plan, judged: make(map[string]places.Doubt)}
	w.judgeFolder = func(p installer.Plan, path string) (places.Doubt, error) { return p.JudgeFolder(ctx, path) }
	w.findOffers(ctx)
	w.findSteps()
	fmt.Fprint(out, w.welcome())
	err := w.showForm(ctx, w.questions())
	if errors.Is(err, ErrAborted) || errors.Is(err, huh.ErrUserAborted) || ctx.Err() != nil || w.Action == "leave" || err == nil && !w.Write {
		return plan, given, ErrAborted
	}
	given.Copy, given.Obsidian = w.copies(), w.Obsidian
	return w.plan(), given, err
}

// findOffers finds what can be offered. Programs that do not answer are not offered.
func (w *wizard) findOffers(ctx context.Context) {
	now := installer.Chosen(w.baseline.Present.Config)
	w.programs = installer.Programs(os.Environ())
	w.models, _ = installer.Ollama(ctx)
	w.tray = installer.TrayProgram()
	if program, err := installer.ThisProgram(); err == nil {
		w.line = places.Lines(places.ThisMachine(), program)[0].Text
	}
	w.answers = answers{Action: "change", Vaults: slices.Clone(w.baseline.Choice.Vaults), Agent: now.Agent, Service: true, Copy: w.options.Copy, Obsidian: w.options.Obsidian, Write: true, Tray: service.Tray(w.tray).Installed(), Meaning: "none"}
	if now.Agent == "ollama" {
		w.Agent += ":" + now.AgentModel
	}
	if now.Provider != "none" {
		w.Meaning = now.Provider + " " + now.Model
		if now.URL != nil { // with the same model on this machine it would be another
			w.Meaning += "\n" + *now.URL
		}
	}
	w.folders = slices.Clone(w.Vaults)
	for _, v := range places.Obsidian(places.ThisMachine()) {
		if slices.Contains(w.folders, v.Path) {
			continue
		}
		if w.folders = append(w.folders, v.Path); v.Active && len(w.Vaults) == 0 {
			w.Vaults = []string{v.Path}
		}
	}
	for _, path := range places.Likely(places.ThisMachine()) {
		if slices.Contains(w.folders, path) || w.options.Plain { // a list that is read line by line takes no empty line
			continue
		}
		if w.folders = append(w.folders, path); len(w.Vaults) == 0 {
			w.Vaults = []string{path}
		}
	}
	if refusal, ok := errors.AsType[*installer.Refusal](w.baseline.CheckPort(ctx)); ok && (w.baseline.Choice.Port != 0 || os.Getenv("WIKI_HTTPPORT") == "") {
		w.refusal, w.Move = refusal, true
	}
	w.defaults = w.answers
}

// plan is what was answered.
func (w *wizard) plan() installer.Plan {
	p := w.baseline
	if w.Action == "keep" {
		return p
	}
	p.Choice.Vaults = slices.Clone(w.Vaults)
	if path, err := installer.TypedFolder(strings.TrimSpace(w.Another)); err == nil && strings.TrimSpace(w.Another) != "" && !slices.Contains(p.Choice.Vaults, path) {
		p.Choice.Vaults = append(p.Choice.Vaults, path)
	}
	if w.Agent != w.defaults.Agent {
		p.Choice.Agent, p.Choice.AgentModel, _ = installer.ParseAgent(w.Agent) // it was offered
		if w.AgentModel != "" && p.Choice.Agent != "ollama" {
			p.Choice.AgentModel = w.AgentModel
		}
	}
	w.chooseMeaning(&p.Choice)
	login, tray := w.Service && !w.options.NoService, w.Tray
	p.Choice.Login, p.Choice.Sure = &login, w.Sure
	if w.refusal != nil && w.Move {
		p.Choice.Port = w.refusal.Port
	}
	if tray != w.defaults.Tray {
		p.Choice.Tray = &tray
	}
	return p
}

// showForm asks the questions.
func (w *wizard) showForm(ctx context.Context, questions []question) error {
	if w.options.Plain {
		return w.showLines(ctx, questions)
	}
	for len(questions) > 1 && questions[0].skip() {
		questions = questions[1:] // the library would show it for a moment
	}
	var groups []*huh.Group
	for _, q := range questions {
		groups = append(groups, huh.NewGroup(q.field).WithHideFunc(q.skip))
	}
	keys := huh.NewDefaultKeyMap()
	keys.MultiSelect.Toggle.SetHelp("space", "select")
	keys.Select.Filter.SetEnabled(false) // the lists are short, and a path begins with its key
	return huh.NewForm(groups...).WithKeyMap(keys).WithOutput(w.output).RunWithContext(ctx)
}

// showLines asks one after the other, because a form that is read line by line
// does not know of questions that are left out.
func (w *wizard) showLines(ctx context.Context, questions []question) error {
	for i := 0; i < len(questions); i++ {
		q := questions[i]
		if q.skip() {
			continue
		}
		if q.preface != nil {
			printable.Fprintln(w.output, printable.Text(q.preface()))
		}
		form := huh.NewForm(huh.NewGroup(q.field)).WithOutput(w.output).WithInput(w.input).WithAccessible(true)
		if err := form.RunWithContext(ctx); err != nil {
			return err
		}
		if w.input.hasEnded() {
			return ErrAborted
		}
		if q.retreat > 0 && !w.Sure {
			printable.Fprintln(w.output, nameAnother)
			w.Another, i = "", i-q.retreat-1
		}
	}
	return nil
}

// summary is what will be written and started, a line each.
func (w *wizard) summary() string {
	after := w.plan()
	lines := append(choiceLines(after), "file       "+quoted(config.AtHome(after.Present.File)),
		"service    "+wording.Choose(*after.Choice.Login, "is installed and starts when you log in", "no; wiki run starts the engine"))
	lines = append(lines, w.trayLine(w.Tray)...)
	if w.Obsidian || w.hasObsidian() {
		lines = append(lines, "obsidian   "+wording.Choose(w.Obsidian, "gets our plugin; you switch it on there", "no"))
	}
	if !w.hasPlugin() || w.copies() {
		lines = append(lines, "clipboard  "+wording.Choose(w.copies(), "gets the line for your note app", "no"))
	}
	return strings.Join(lines, "\n")
}

// hasPlugin reports whether our plugin is put into a vault of Obsidian's, which then needs no line.
func (w *wizard) hasPlugin() bool { return w.Obsidian && w.hasObsidian() }

// copies reports whether the line for the note app is copied.
func (w *wizard) copies() bool { return w.options.Copy || w.Copy && !w.hasPlugin() }

// lineText is the line for the note app and what it is for.
func (w *wizard) lineText() string {
	return strings.TrimSuffix("Saves are seen without it. Where that takes seconds, as on a share, your note app can run it at each save.\nIt replaces what is on the clipboard.\n"+quoted(w.line), "\n")
}

// questions are all there may be, in their order.
func (w *wizard) questions() []question {
	over := func() bool { return w.Action != "change" }
	p, given := w.baseline, w.options
	noTray := p.Choice.Tray != nil || w.tray == ""
	file := quoted(p.Present.File)
	if p.Present.Old {
		file += " was written before the rename; these are its values"
	}
	follows := !given.NoService || !noTray
	noPlugin := func() bool { return over() || given.Obsidian || !w.hasObsidian() }
	copyLine := func(behind bool) question { // it has the number of its step where no other question of it was asked
		return w.ask(w.title(stepStart, "Copy the line for your note app?", behind), w.lineText, &w.Copy,
			func() bool { return over() || given.Copy || w.hasPlugin() || behind != (follows || !noPlugin()) })
	}
	present := strings.Join(append(choiceLines(p), w.trayLine(w.defaults.Tray)...), "\n")
	return []question{
		{field: w.selectField("What do you want to do?", file+"\n"+present, &w.Action, huh.NewOption("Change this", "change"),
			huh.NewOption("Keep this", "keep"), huh.NewOption("Leave", "leave")),
			skip: func() bool { return !p.Present.Exists }, preface: func() string { return file + "\n" + present }},
		w.ask(w.title(stepPort, w.portTitle(), false), w.portRefusal, &w.Move, func() bool { return over() || w.refusal == nil }),
		{field: w.foldersField(), skip: func() bool { return over() || len(w.folders) == 0 }},
		{field: huh.NewInput().Title(w.title(stepNotes, w.folderTitle(), len(w.folders) > 0)).Value(&w.Another).Validate(w.checkFolder), skip: over},
		w.askIfSure(func() bool { return over() || w.doubtLines() == "" }),
		{field: w.selectField(w.title(stepAnswers, "Who answers your questions?", false), w.answersText(), &w.Agent, w.agentOptions()...),
			skip: func() bool { return over() || p.Choice.Agent != "" }},
		{field: huh.NewInput().Title("Which model? (empty for its default)").Value(&w.AgentModel),
			skip: func() bool {
				return over() || w.Agent == w.defaults.Agent || !slices.Contains(installer.Runners, w.Agent)
			}},
		{field: w.selectField(w.title(stepSearch, "How should your notes be searched?", false), "", &w.Meaning, w.meaningOptions()...),
			skip: func() bool { return over() || w.meaningSaid() }},
		{field: huh.NewInput().Title("Which embedding model?").Value(&w.Model).Validate(w.checkModel),
			skip: func() bool { model, _ := w.missingParts(); return over() || !model }},
		{field: huh.NewInput().Title("At which address? (empty for Ollama on this machine)").Description(sentThere).Placeholder("http://127.0.0.1:8080").Value(&w.URL).Validate(w.checkAddress),
			skip: func() bool { _, address := w.missingParts(); return over() || !address }, preface: func() string { return sentThere }},
		w.ask(w.title(stepStart, "Start the engine now and at each login?", false), say("Installs a login service; wiki service uninstall removes it."), &w.Service,
			func() bool { return over() || given.NoService }),
		w.ask(w.title(stepStart, "Show an icon in the panel at each login?", !given.NoService), say("The program wiki-tray shows what the engine does, with its switches."), &w.Tray,
			func() bool { return over() || noTray }),
		w.ask(w.title(stepStart, "Put our plugin into Obsidian?", follows), say("It shows beside a question what becomes of it. You switch it on in Obsidian."), &w.Obsidian, noPlugin),
		copyLine(false), copyLine(true),
		w.ask(w.title(stepWrite, "Write this and see a first answer?", false), w.summary, &w.Write, over),
	}
}
